/**
 * Runs the engine and the naive exchange side by side with leaders and followers, and compares
 * them.
 */

import { WORK_PORTIONS } from '../../src/core/derived/work-portions.ts';
import { createEngine, type Engine, type Executed } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Id, Uid } from '../../src/kernel/ids.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import type { Command } from '../../src/messages/commands.ts';
import { CopyingExchange } from '../exchange/naive-copying.ts';
import { modeOf } from '../exchange/naive-modes.ts';
import type { NaiveDraft } from '../exchange/naive-placing.ts';
import type { NaiveInstrument, NaivePrices, NaiveUser } from '../exchange/naive-state.ts';
import { shown, units } from '../exchange/whole-units.ts';
import {
  answersOf,
  compareAudit,
  compareMoney,
  compareTrading,
  countReport,
  engineDraft,
  enginePrices,
  OrderNumbers,
  restored,
  same,
} from './lockstep-compare.ts';
import { compareSettings, compareTracked, engineEmitted } from './lockstep-copy-compare.ts';
import { CopyDraws, categoryOf, type DrawnSetting } from './lockstep-copy-draws.ts';
import { joinedCopyUser } from './lockstep-copy-join.ts';
import { listCopiedAtFirst } from './lockstep-copy-listings.ts';
import { CopyMoves, type CopyStage } from './lockstep-copy-moves.ts';
import { CopyStale } from './lockstep-copy-stale.ts';
import { COPY_CAST, COPY_FUTURES, COPY_LISTINGS, FOLLOW_LIMITS } from './lockstep-copy-world.ts';
import { type Counters, count } from './lockstep-run.ts';
import { TriggerSteps } from './lockstep-triggers.ts';
import { COINS } from './lockstep-world.ts';

const BEGIN = 1_735_689_600_000;
const decimal = (text: string): DecimalText => text as DecimalText;

export class CopyLockstep {
  engine: Engine;
  readonly naive = new CopyingExchange(BEGIN, COPY_FUTURES, FOLLOW_LIMITS);
  readonly #random: Random;
  readonly #draws: CopyDraws;
  readonly #moves: CopyMoves;
  readonly #triggers: TriggerSteps;
  /** In some runs prices become stale. */
  readonly #stale: CopyStale | undefined;
  readonly #uids: Uid[] = [];
  readonly #numbers = new OrderNumbers();
  readonly #positions = new Map<Id, string>();
  /** Engine ids by the naive exchange's numbers of tracked orders. */
  readonly #trackingIds: Id[] = [];
  readonly #counters: Counters;
  /** In some runs mirroring is done in small portions, with other commands in between. */
  readonly #options: Parameters<typeof createEngine>[0];

  constructor(seed: number, counters: Counters) {
    listCopiedAtFirst();
    this.#random = seededRandom(seed);
    const mirrors = this.#random.pick([undefined, undefined, 1, 2, 5]);
    this.#draws = new CopyDraws(this.#random, this.naive);
    this.#counters = counters;
    this.#triggers = new TriggerSteps(this.#random, {
      naive: this.naive,
      futures: COPY_FUTURES,
      uids: this.#uids,
      run: (command) => this.#compare(this.#run(command)),
      setPrices: (prices) =>
        this.#stale === undefined ? this.#setPrices(prices) : this.#stale.sayChanged(prices),
    });
    const stage: CopyStage = {
      random: this.#random,
      naive: this.naive,
      draws: this.#draws,
      uidOf: ({ name }) => this.#uids[name]!,
      idOf: ({ number }) => this.#numbers.ids[number]!,
      run: (command) => this.#run(command),
      compare: (executed) => this.#compare(executed),
    };
    this.#moves = new CopyMoves(stage);
    this.#stale = this.#random.below(4) === 0 ? new CopyStale(stage) : undefined;
    this.#options = mirrors === undefined ? {} : { portions: { ...WORK_PORTIONS, mirrors } };
    this.naive.copying.slice = mirrors;
    this.engine = createEngine(this.#options);
    for (const coin of COINS) this.#run({ type: 'listCoin', coin });
    for (const instrument of COPY_LISTINGS) this.#run({ type: 'listInstrument', instrument });
    const indexes = { BTC: units('60000'), ETH: units('3000') };
    this.#setPrices({
      indexes,
      marks: {
        BTCUSDT: indexes.BTC,
        ETHUSDT: indexes.ETH,
        BTCUSD: indexes.BTC,
        ETHUSD: indexes.ETH,
        BTCPERP: indexes.BTC,
      },
    });
    for (const [at, role] of COPY_CAST.entries()) {
      const user = joinedCopyUser(role, at, {
        random: this.#random,
        uids: this.#uids,
        run: (command) => this.#run(command),
      });
      this.naive.users.push(user);
      if (role.part === 'leader')
        this.naive.copying.leaders.set(user, {
          share: units(role.share),
          symbols: undefined,
          followersMax: undefined,
        });
    }
    for (const instrument of COPY_FUTURES) this.#quote(instrument);
  }

  #run(command: Command): Executed {
    return this.engine.execute(command, this.naive.now as Timestamp);
  }

  /** One command on both sides, compared. */
  step(): void {
    const dice = this.#random.below(110);
    if (dice >= 100) this.#triggers.step();
    else if (dice < 14) this.#movePrices();
    else if (dice < 34) this.#place(this.#draws.leader(), 'open');
    else if (dice < 48) this.#place(this.#draws.leader(), 'close');
    else if (dice < 55) this.#place(this.#draws.trader(), 'open');
    else if (dice < 64) this.#place(this.#draws.trader(), 'close');
    else if (dice < 71) this.#closeTracked();
    else if (dice < 74) this.#closePositions();
    else if (dice < 82) this.#follow();
    else if (dice < 84) this.#unfollow();
    else if (dice < 90) this.#setTpsl();
    else if (dice < 98) this.#moves.step();
    else this.#cancel();
    this.#moves.reopen();
    if (this.#random.below(4) === 0) this.#passTime();
    if (this.#random.below(200) === 0) this.#restart();
  }

  #movePrices(): void {
    if (this.#stale === undefined) this.#setPrices(this.#draws.prices());
    else if (this.#random.below(8) === 0) this.#stale.switch();
    else this.#stale.update();
    count(this.#counters, 'prices');
    for (const instrument of COPY_FUTURES) if (this.#random.below(8) > 0) this.#quote(instrument);
  }

  #setPrices(prices: NaivePrices): void {
    this.naive.begin();
    this.naive.setPrices(prices);
    this.#compare(this.#run({ type: 'setPrices', prices: enginePrices(COPY_FUTURES, prices) }));
  }

  /** The maker cancels all quotes and places new ones. */
  #quote(instrument: NaiveInstrument): void {
    const maker = this.naive.users[0]!;
    const before = this.naive.orders.filter(
      (order) => order.user === maker && order.instrument === instrument,
    );
    if (before.length > 0) {
      this.naive.begin(maker);
      for (const { number } of before) this.naive.cancel(maker, number);
      const orders = before.map(({ number }) => ({ orderId: this.#numbers.ids[number]! }));
      this.#compare(this.#run({ type: 'cancelOrders', uid: this.#uids[0]!, orders }));
    }
    this.#submit(maker, instrument, this.#draws.quotes(instrument));
  }

  #place(user: NaiveUser, what: 'open' | 'close'): void {
    const drafts = this.#draws.drafts(user, what);
    if (drafts !== undefined) this.#submit(user, drafts.instrument, drafts.drafts);
  }

  #submit(user: NaiveUser, instrument: NaiveInstrument, drafts: readonly NaiveDraft[]): void {
    this.naive.begin(user);
    for (const draft of drafts) this.naive.place(user, instrument, draft);
    const orders = drafts.map((draft) => engineDraft(instrument, draft));
    this.#compare(
      this.#run({
        type: 'placeOrders',
        uid: this.#uids[user.name]!,
        category: instrument.category,
        orders,
      }),
    );
  }

  #closeTracked(): void {
    const drawn = this.#draws.closing();
    if (drawn === undefined) return;
    const { user, role, category, tracked, instrument, side, isolated, coin } = drawn;
    this.naive.begin(user);
    this.naive.closeTracked(user, drawn);
    this.#compare(
      this.#run({
        type: 'closeTrackedOrders',
        uid: this.#uids[user.name]!,
        role,
        category,
        ...(tracked === undefined ? {} : { trackingId: this.#trackingIds[tracked.number]! }),
        ...(instrument === undefined ? {} : { symbol: instrument.symbol }),
        ...(side === undefined ? {} : { side }),
        ...(isolated === undefined ? {} : { marginMode: modeOf(isolated) }),
        ...(coin === undefined ? {} : { marginCoin: coin }),
      }),
      'one',
    );
  }

  #closePositions(): void {
    const user = this.#random.pick(this.naive.users.slice(1));
    const instrument = this.#random.pick(COPY_FUTURES);
    const { category, symbol } = instrument;
    this.naive.begin(user);
    this.naive.closeAll(user, category, symbol);
    this.#compare(
      this.#run({ type: 'closePositions', uid: this.#uids[user.name]!, category, symbol }),
    );
  }

  #follow(): void {
    const { mode, autoCopy, settings } = this.#draws.following();
    const [follower, leader] = [this.#draws.follower(), this.#draws.leader()];
    this.naive.begin(follower);
    this.naive.follow({
      follower,
      leader,
      mode,
      autoCopy,
      settings: settings.map(({ naive }: DrawnSetting) => naive),
    });
    this.#compare(
      this.#run({
        type: 'setCopySettings',
        uid: this.#uids[follower.name]!,
        leader: this.#uids[leader.name]!,
        mode,
        ...(autoCopy === undefined ? {} : { autoCopy }),
        settings: settings.map(({ engine }: DrawnSetting) => engine),
      }),
    );
  }

  #unfollow(): void {
    const [follower, leader] = [this.#draws.follower(), this.#draws.leader()];
    this.naive.begin(follower);
    this.naive.unfollow(follower, leader);
    this.#compare(
      this.#run({
        type: 'unfollow',
        uid: this.#uids[follower.name]!,
        leader: this.#uids[leader.name]!,
      }),
    );
  }

  #setTpsl(): void {
    const drawn = this.#draws.tpsl();
    if (drawn === undefined) return;
    const { tracked, takeProfit, stopLoss } = drawn;
    this.naive.begin(tracked.user);
    this.naive.setTpsl(tracked, takeProfit, stopLoss);
    this.#compare(
      this.#run({
        type: 'setTrackedOrderTpsl',
        uid: this.#uids[tracked.user.name]!,
        role: tracked.original === undefined ? 'leader' : 'follower',
        trackingId: this.#trackingIds[tracked.number]!,
        category: categoryOf(tracked.instrument),
        ...(takeProfit === undefined ? {} : { takeProfit: decimal(shown(takeProfit)) }),
        ...(stopLoss === undefined ? {} : { stopLoss: decimal(shown(stopLoss)) }),
      }),
    );
  }

  #cancel(): void {
    const open = this.naive.orders.filter(({ user }) => user.name > 0);
    if (open.length === 0) return;
    const { user, number } = this.#random.pick(open);
    this.naive.begin(user);
    this.naive.cancel(user, number);
    this.#compare(
      this.#run({
        type: 'cancelOrders',
        uid: this.#uids[user.name]!,
        orders: [{ orderId: this.#numbers.ids[number]! }],
      }),
    );
  }

  /**
   * No rule says which timers continue deferred work. So it is finished before time passes, and
   * what time adds is finished before the next command.
   */
  #passTime(): void {
    const { copying } = this.naive;
    const { slice } = copying;
    while (this.engine.hasDeferredWork()) this.#tick(0);
    copying.slice = undefined;
    this.#tick(
      this.#stale?.span() ?? 1 + this.#random.below(this.#random.pick([10, 60_000, 3_600_000])),
    );
    copying.slice = slice;
  }

  #tick(by: number): void {
    this.naive.begin();
    this.naive.passTime(this.naive.now + by);
    this.#compare(this.#run({ type: 'tick' }));
  }

  #restart(): void {
    this.engine = restored(this.engine, this.#options);
    count(this.#counters, 'restarts');
  }

  /** Compares after the engine has finished its deferred work, unless portions are small. */
  #compare({ outcome, events: first }: Executed, answer: 'one' | 'each' = 'each'): void {
    this.naive.finish();
    const events = [...first];
    while (this.naive.copying.slice === undefined && this.engine.hasDeferredWork())
      events.push(...this.#run({ type: 'tick' }).events);
    const { report, copying } = this.naive;
    this.#numbers.take(events);
    for (const event of events)
      if (event.type === 'trackedOrderOpened') this.#trackingIds.push(event.order.trackingId);
    same(
      'answers',
      answer === 'one' && outcome.ok ? ['accepted'] : answersOf(outcome),
      report.answers,
    );
    this.#stale?.compareMarks(this.engine);
    this.#triggers.compare(events, this.#numbers.of);
    compareTrading(events, report, {
      uids: this.#uids,
      numberOf: this.#numbers.of,
      positions: this.#positions,
    });
    same('tracked orders', engineEmitted(events, this.#uids).sort(), copying.emitted.sort());
    countReport(this.#counters, report);
    compareMoney(this.engine, this.naive, { uids: this.#uids, ids: this.#numbers.ids });
    compareSettings(this.engine, this.naive.users, this.#uids);
    this.#triggers.compareWaiting(this.engine);
    compareTracked(this.engine, copying, this.#trackingIds);
  }

  audit(): void {
    compareAudit(this.engine);
  }
}
