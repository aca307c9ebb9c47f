/**
 * Compares figures of isolated pairs, copies and fees with a model. Asks with fresh, just stale and
 * near-zero prices, on a fast clock, and after every kind of start. Also tries the amounts that an
 * account may borrow or take out.
 */
import { expect, test } from 'vitest';
import { CopyQuestions } from '../../model/accounts/copies.ts';
import { houseFigures, reserveQuestion } from '../../model/accounts/house.ts';
import {
  changeAPair,
  comeBack,
  emitReserves,
  leadByName,
  runAt,
  update,
  useAPair,
  worthNothing,
} from '../../model/accounts/pair-acts.ts';
import { PairQuestions } from '../../model/accounts/pair-questions.ts';
import { tryLimits } from '../../model/accounts/pair-trials.ts';
import { isMarketOn, paceOf, STALE_AFTER_MS, worthOf } from '../../model/accounts/pairs.ts';
import { type Question, Refused } from '../../model/accounts/question.ts';
import { RateQuestions } from '../../model/accounts/rates.ts';
import { Asking } from '../../model/lists/asking.ts';
import type { EmittedEvents } from '../../model/lists/recorded-run.ts';
import { askThroughStarts } from '../../model/lists/starts.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import { DAY, HOUR } from '../../src/kernel/time.ts';

const SEEDS = [42, 50, 46, 10];
const LENGTH = { firstSteps: 600, steps: 100 };
const PAIRS_CHANGED = 2;
const PAIRS_USED = 12;
const TRIALS = 5;
const MOMENTS = 2;
const PACE = 20;
const COINS = ['BTC', 'ETH', 'SOL', 'XRP'];

/** The time until a price is stale or a settlement day begins, or one beside it. */
function drawPause(random: Random, emitted: readonly EmittedEvents[], now: number): number {
  const pace = paceOf(emitted);
  const ends = COINS.map((coin) => worthOf(emitted, coin).updatedAt + STALE_AFTER_MS * pace - now);
  const nextDay = DAY - ((now + 8 * HOUR) % DAY);
  const stales = ends.filter((end) => end > 0);
  const pause = stales.length > 0 && random.below(4) > 0 ? random.pick(stales) : nextDay;
  return Math.max(0, Math.ceil(pause / pace) + random.pick([-1, 0, 0, 1]));
}

class Inquiry extends Asking {
  async ask(turn: string): Promise<void> {
    const [run, random] = [this.run, this.random];
    if (turn === 'as it is') {
      leadByName(run, 'Lea');
      emitReserves(run);
    }
    runAt(run, 1);
    if (turn === 'killed and started from the snapshot') comeBack(run, random);
    if (random.below(2) === 0) run.execute({ type: 'switchMarket', on: true });
    for (let count = 0; count < PAIRS_CHANGED; count++) changeAPair(run, random);
    for (let count = 0; count < PAIRS_USED; count++) useAPair(run, random);
    await this.#askForAWhile(turn);
    for (let count = 0; count < TRIALS; count++) {
      for (const what of await tryLimits(run, this.program, random)) this.count(what);
      run.steps(random.below(3));
    }
    runAt(run, 1);
    await this.#askForAWhile(turn);
    if (turn === 'stored, with a snapshot') await this.#askOnFastClock();
  }

  async #askOnFastClock(): Promise<void> {
    runAt(this.run, PACE);
    useAPair(this.run, this.random);
    await this.#askForAWhile('on a fast clock');
    await this.program.takeSnapshot();
    await this.program.restartFromSnapshot('stopped');
    await this.#askForAWhile('started on a fast clock');
    runAt(this.run, 1);
    this.count('on a fast clock');
  }

  /** Asks now and at later moments with only price updates in between. */
  async #askForAWhile(turn: string): Promise<void> {
    const [run, random] = [this.run, this.random];
    await this.#askAll(turn);
    for (let moment = 0; moment < MOMENTS; moment++) {
      update(run, random.pick(COINS), 0n);
      run.pass(drawPause(random, [...run.emitted], run.now));
      await this.#askAll(turn);
    }
  }

  /** At the end of a run: debts in a coin that no longer has a price in the other coin. */
  async askOfNothing(): Promise<void> {
    worthNothing(this.run);
    await this.#askAll('worth nothing');
    for (let count = 0; count < TRIALS; count++)
      await tryLimits(this.run, this.program, this.random);
    await this.#askAll('worth nothing, tried');
  }

  async #askAll(turn: string): Promise<void> {
    const { now, everyone, engine } = this.run;
    const emitted = [...this.run.emitted];
    for (const question of this.#questions(emitted, now, everyone))
      await this.#askOne(question, turn);
    const { coins, violations } = engine.audit();
    const isShort = ({ coin, held, owed }: (typeof coins)[number]): boolean =>
      owed > held && coinsWithReserve(emitted).has(coin);
    expect({ turn, sequence: engine.sequence, coins }).toEqual({
      turn,
      sequence: engine.sequence,
      coins: houseFigures(emitted),
    });
    expect(violations).toHaveLength(coins.filter(isShort).length);
    for (const { clearing, insurance } of coins) {
      if (clearing !== 0n) this.count('clearing');
      if (insurance > 0n) this.count('insurance');
    }
    const ages = COINS.map(
      (coin) => now - worthOf(emitted, coin).updatedAt - STALE_AFTER_MS * paceOf(emitted),
    );
    if (isMarketOn(emitted) && ages.includes(0)) this.count('just stale');
    if (isMarketOn(emitted) && ages.includes(-1)) this.count('just fresh');
  }

  #questions(
    emitted: readonly EmittedEvents[],
    now: number,
    everyone: readonly number[],
  ): readonly Question[] {
    const pairs = new PairQuestions(this.random, emitted, now);
    return [
      ...[...pairs.users, this.random.pick(everyone)].flatMap((uid) => pairs.about(uid)),
      pairs.currencies,
      reserveQuestion(emitted),
      ...new CopyQuestions(this.random, emitted, now).all,
      ...new RateQuestions(this.random, emitted).some,
    ];
  }

  async #askOne({ name, uid, asked, right, reached }: Question, turn: string): Promise<void> {
    const answered = await this.program.ask(name, asked, uid);
    const input = { name, uid, asked, turn, now: this.run.now, sequence: this.run.engine.sequence };
    const answer = right instanceof Refused ? { code: right.code } : { data: right };
    expect({ ...input, answered }).toMatchObject({ ...input, answered: answer });
    for (const what of [name, ...reached]) this.count(what);
  }
}

const coinsWithReserve = (emitted: readonly EmittedEvents[]): ReadonlySet<string> =>
  new Set(
    emitted.flatMap(({ event }) =>
      event.type === 'reserveSet' && event.amount !== undefined ? event.coin : [],
    ),
  );

const inquireInto = (seed: number, counts: Map<string, number>): Promise<void> =>
  askThroughStarts(seed, LENGTH, (run, program) => {
    const inquiry = new Inquiry(run, program, seededRandom(seed).fork('lent'), counts);
    return async (turn) => {
      await inquiry.ask(turn);
      if (turn === 'stopped and started from the snapshot') await inquiry.askOfNothing();
    };
  });

test('[ISO-07][ISO-11][ISO-12][ISO-14][ISO-17][ISO-30][ISO-34][ISO-35][ISO-38][CPY-40][CPY-47][CPY-48][CPY-53][POS-26][AGT-10][AGT-12][WDR-39][WDR-40][VIEW-32] figures of loans, copies and fees equal the model, and what they allow is accepted', async () => {
  const counts = new Map<string, number>();
  for (const seed of SEEDS) await inquireInto(seed, counts);

  const reached = [
    ...[
      'listIsolatedAssets',
      'listIsolatedRisks',
      'listIsolatedRates',
      'getIsolatedBorrowable',
      'getIsolatedRemovable',
    ],
    ...[
      'listMarginCurrencies',
      'listFollowedLeaders',
      'getCopySettings',
      'listFollowerTrackedOrders',
      'getProfitShares',
      'listFollowLimits',
    ],
    ...[
      'getFeeRate',
      'listFeeRates',
      'getTradeRate',
      'getRebateRatios',
      'getFees',
      'listAgents',
      'listReserves',
    ],
    ...[
      'locked in a pair',
      'interest of a pair',
      'base coin owed',
      'quote coin owed',
      'owed while stale',
      'risk',
      'owed without an index',
    ],
    ...[
      'may borrow',
      'may borrow more',
      'may borrow while halted',
      'has borrowed the maximum',
      'no collateral to borrow on',
      'no pair',
    ],
    ...['while stale', 'without leverage', 'without an index', 'in what is closed'].map(
      (when) => `borrows nothing ${when}`,
    ),
    ...[
      'nothing leaves',
      'a part may leave',
      'all free money may leave',
      'all money of a pair without debt may leave',
    ],
    ...['Borrow', 'TransferOut'].flatMap((what) =>
      ['base', 'quote', 'nothing'].map((leg) => `${what} of ${leg} tried`),
    ),
    ...['just fresh', 'just stale', 'on a fast clock'],
    ...[
      'copied in basic mode',
      'copied in advanced mode',
      'several settings',
      'a leader not followed',
      'no leader to follow',
      'no leader',
    ],
    ...[
      'a leader with a name',
      'margin of copies',
      'a copy from before has ended',
      'copies have gained dollars',
      'copies have lost dollars',
      'copies have gained coins',
    ],
    ...['shares paid', 'shares paid yesterday', 'shares paid today', 'share in coins'],
    ...[
      'fees set in spot',
      'fees set in futures',
      'fees of a level that was reached',
      'several agents',
      'no agent',
      'no customer',
    ],
    ...[
      'a customer of an affiliate agent',
      'a customer of an official agent',
      'clearing',
      'insurance',
      'a reserve that was lowered',
    ],
  ];
  expect(reached.filter((what) => !counts.has(what))).toEqual([]);
});
