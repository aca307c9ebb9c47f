/**
 * Runs in which symbols halt and close and reopen, accounts change modes, and much is cancelled or
 * closed at once.
 */
import type { Executed } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { ClientOid } from '../../src/kernel/ids.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { FuturesCategory } from '../../src/messages/vocabulary.ts';
import { takenName } from '../exchange/naive-names.ts';
import type { NaiveDraft } from '../exchange/naive-placing.ts';
import type { NaiveInstrument, NaiveStatus, NaiveUser } from '../exchange/naive-state.ts';
import { isOfMargin, statusOf } from '../exchange/naive-statuses.ts';
import { isExit } from '../exchange/naive-triggers.ts';
import { units } from '../exchange/whole-units.ts';
import { same } from './lockstep-compare.ts';
import { daringIn, restingIn } from './lockstep-halts.ts';
import type { DrawnCategory, Item, Stream } from './lockstep-stream.ts';
import type { TriggerSteps } from './lockstep-triggers.ts';
import { type Future, INSTRUMENTS, PAIRS } from './lockstep-world.ts';

export interface SwitchesStream extends Stream {
  readonly movePrices: () => void;
  /** In runs with pairs: acts on one, or moves prices to where one is liquidated. */
  readonly pairs: { use(): void; edge(): void } | undefined;
}

interface Listed {
  readonly instrument: NaiveInstrument;
  readonly onMargin: boolean;
}

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const SPOT_CATEGORIES = ['SPOT', 'MARGIN'] as const;
const FUTURES_CATEGORIES = ['USDT-FUTURES', 'COIN-FUTURES', 'USDC-FUTURES'] as const;
const CATEGORIES = [...SPOT_CATEGORIES, ...FUTURES_CATEGORIES];

const bothOf = (instrument: NaiveInstrument): readonly Listed[] =>
  (instrument.category === 'SPOT' ? [false, true] : [false]).map((onMargin) => ({
    instrument,
    onMargin,
  }));
const LISTED = INSTRUMENTS.flatMap(bothOf);
/** One book trades only pairs, except in streams that trade all books. */
const LISTED_WITH_PAIRS = [...new Set([...INSTRUMENTS, ...PAIRS])].flatMap(bothOf);

export class Switches {
  readonly #stream: SwitchesStream;
  readonly #listed: readonly Listed[];

  constructor(stream: SwitchesStream) {
    this.#stream = stream;
    this.#listed =
      stream.pairs === undefined && stream.instruments === INSTRUMENTS ? LISTED : LISTED_WITH_PAIRS;
  }

  step(): void {
    const { triggers, pairs, random } = this.#stream;
    if (pairs !== undefined && random.below(3) === 0) return this.#haltPairs(pairs);
    if (triggers !== undefined && random.below(3) === 0) return this.#switchUnder(triggers);
    const dice = this.#stream.random.below(44);
    if (dice < 10) this.#setStatus();
    else if (dice < 12) this.#setMarginMode();
    else if (dice < 14) this.#setPositionMode();
    else if (dice < 18) this.#setSideLeverage();
    else if (dice < 19) this.#cancelAll(...this.#someOrders());
    else if (dice < 20) this.#closeAll();
    else if (dice < 22) this.#cancelByName();
    else if (dice < 28) this.#repeat();
    else if (dice < 29) this.#setSelfTrade();
    else this.#halt();
  }

  /** Mostly a halt for a while. */
  #setStatus(): void {
    const { random, naive } = this.#stream;
    const closed = this.#listed.filter(
      ({ instrument, onMargin }) => statusOf(naive, instrument, onMargin) !== 'normal',
    );
    const reopens = closed.length > 0 && random.below(3) > 0;
    const { instrument, onMargin } = random.pick(reopens ? closed : this.#listed);
    const halting = random.pick<NaiveStatus>([
      'halted',
      'halted',
      'halted',
      'halted',
      'halted',
      'halted',
      'cancelOnly',
      'off',
      'normal',
    ]);
    const status = reopens && random.below(6) > 0 ? 'normal' : halting;
    this.#become({ instrument, onMargin }, status);
    this.#meanwhile(instrument);
  }

  #become({ instrument, onMargin }: Listed, status: NaiveStatus): void {
    const { naive } = this.#stream;
    naive.begin();
    naive.setStatus(instrument, onMargin, status);
    const { category, symbol } = instrument;
    this.#both({
      type: 'setInstrumentStatus',
      category: onMargin ? 'MARGIN' : category,
      symbol,
      status,
    });
  }

  /**
   * A short halt with an order for all that an account can afford, orders on the other side, and
   * price moves.
   */
  #halt(): void {
    const { random, naive, submit } = this.#stream;
    const listed = random.pick(LISTED);
    const { instrument, onMargin } = listed;
    const side = random.pick(['sell', 'sell', 'buy'] as const);
    const rest = (): void =>
      submit(naive.users[0]!, instrument.category, [
        restingIn(this.#stream, instrument, side === 'buy' ? 'sell' : 'buy'),
      ]);
    if (random.below(2) === 0) rest();
    this.#become(listed, 'halted');
    if (random.below(4) > 0) rest();
    const user = random.pick(naive.users);
    for (let left = 1 + random.below(2); left > 0; left--)
      submit(user, onMargin ? 'MARGIN' : instrument.category, [
        daringIn(this.#stream, user, instrument, onMargin, side),
      ]);
    this.#meanwhile(instrument);
    if (random.below(2) === 0) this.#stream.movePrices();
    this.#become(listed, 'normal');
  }

  /** During the halt, triggers stay and prices reach some of them. */
  #meanwhile(instrument: NaiveInstrument): void {
    const { random, naive, triggers } = this.#stream;
    if (triggers === undefined) return;
    for (let left = random.below(4); left > 0; left--) {
      const waiting = naive.triggers.filter((each) => each.instrument === instrument);
      if (waiting.length === 0 || random.below(3) === 0) triggers.step();
      else triggers.reach(random.pick(waiting));
    }
  }

  /**
   * An account with a trigger leaves the symbol, changes its mode, perhaps trades, and the price
   * reaches the trigger.
   */
  #switchUnder(triggers: TriggerSteps): void {
    const { random, naive, submit } = this.#stream;
    const waiting = naive.triggers.filter(({ kind }) => !isExit(kind));
    if (waiting.length === 0) return triggers.step();
    const trigger = random.pick(waiting);
    const { user, instrument, isolated } = trigger;
    if (random.below(4) === 0) {
      this.#leave(user, CATEGORIES, undefined);
      return this.#takePositionMode(user, user.hedge ? 'oneWay' : 'hedge');
    }
    this.#leave(user, [instrument.category], instrument.symbol);
    this.#takeMode(user, instrument as Future, isolated ? 'crossed' : 'isolated');
    const side = random.pick(['buy', 'sell'] as const);
    const opens = random.below(3);
    if (opens === 0) submit(user, instrument.category, [restingIn(this.#stream, instrument, side)]);
    if (opens === 1)
      submit(user, instrument.category, [daringIn(this.#stream, user, instrument, false, side)]);
    if (naive.triggers.includes(trigger)) triggers.reach(trigger);
  }

  /**
   * Pairs borrow, repay and trade while one category of their book is closed, and prices take some
   * to liquidation.
   */
  #haltPairs(pairs: NonNullable<SwitchesStream['pairs']>): void {
    const { random } = this.#stream;
    const own = { instrument: random.pick(PAIRS), onMargin: random.below(2) === 0 };
    this.#become(own, random.pick(['halted', 'halted', 'halted', 'halted', 'cancelOnly', 'off']));
    for (let left = random.below(6); left > 0; left--) {
      if (random.below(4) === 0) pairs.edge();
      else pairs.use();
    }
    if (random.below(4) > 0) this.#become(own, 'normal');
  }

  #setMarginMode(): void {
    const { random, draws } = this.#stream;
    const [user, instrument] = draws.someone();
    if (random.below(2) === 0) this.#leave(user, [instrument.category], instrument.symbol);
    this.#takeMode(user, instrument, random.pick(['isolated', 'crossed'] as const));
  }

  #takeMode(user: NaiveUser, instrument: Future, marginMode: 'isolated' | 'crossed'): void {
    const { naive } = this.#stream;
    const { category, symbol } = instrument;
    naive.begin();
    naive.setMarginMode(user, instrument, marginMode === 'isolated');
    this.#both({
      type: 'setMarginMode',
      uid: this.#stream.uidOf(user),
      category,
      symbol,
      marginMode,
    });
  }

  #setPositionMode(): void {
    const { random, naive, triggers } = this.#stream;
    const user = random.pick(naive.users);
    if (random.below(2) === 0) this.#leave(user, CATEGORIES, undefined);
    if (triggers !== undefined && random.below(4) > 0)
      for (const category of FUTURES_CATEGORIES) triggers.cancelAllOf(user, category);
    this.#takePositionMode(user, random.pick(['hedge', 'oneWay'] as const));
  }

  #takePositionMode(user: NaiveUser, positionMode: 'hedge' | 'oneWay'): void {
    const { naive } = this.#stream;
    naive.begin();
    naive.setPositionMode(user, positionMode === 'hedge');
    this.#both({ type: 'setPositionMode', uid: this.#stream.uidOf(user), positionMode });
  }

  #setSelfTrade(): void {
    const { random, naive } = this.#stream;
    const user = random.pick(naive.users);
    const selfTradeMode = random.pick([
      'none',
      'cancelTaker',
      'cancelMaker',
      'cancelBoth',
    ] as const);
    naive.begin();
    naive.setSelfTrade(user, selfTradeMode);
    this.#both({ type: 'setSelfTradeMode', uid: this.#stream.uidOf(user), selfTradeMode });
  }

  #setSideLeverage(): void {
    const { random, naive, draws } = this.#stream;
    const [user, instrument] = draws.someone();
    const { category, symbol } = instrument;
    const leverage = random.pick(['1', '2', '3', '5', '7', '10', '20', '50', '75', '125']);
    const side = random.pick(['long', 'short'] as const);
    naive.begin();
    naive.setLeverage(user, instrument, units(leverage), side);
    this.#both({
      type: 'setLeverage',
      uid: this.#stream.uidOf(user),
      category,
      symbol,
      leverage: leverage as DecimalText,
      side,
    });
  }

  #someOrders(): [NaiveUser, DrawnCategory, string | undefined] {
    const { random, naive } = this.#stream;
    const { instrument, onMargin } = random.pick(this.#listed);
    const symbol = random.below(2) === 0 ? undefined : instrument.symbol;
    return [random.pick(naive.users), onMargin ? 'MARGIN' : instrument.category, symbol];
  }

  #cancelAll(user: NaiveUser, category: DrawnCategory, symbol: string | undefined): void {
    const { naive } = this.#stream;
    naive.begin();
    naive.cancelAll(user, category, symbol);
    naive.report.happened.push(
      naive.report.ends.length > 1 ? 'several cancelled at once' : 'few cancelled at once',
    );
    this.#both({ type: 'cancelAllOrders', uid: this.#stream.uidOf(user), category, symbol });
  }

  #closeAll(): void {
    const { random, naive } = this.#stream;
    const { instrument } = random.pick(
      LISTED.filter((each) => each.instrument.category !== 'SPOT'),
    );
    const side = random.pick(['long', 'short', undefined, undefined] as const);
    const symbol = random.below(3) === 0 ? instrument.symbol : undefined;
    this.#close(random.pick(naive.users), instrument.category as FuturesCategory, symbol, side);
  }

  #close(
    user: NaiveUser,
    category: FuturesCategory,
    symbol: string | undefined,
    side?: 'long' | 'short',
  ): void {
    const { naive } = this.#stream;
    naive.begin();
    naive.closeAll(user, category, symbol, side);
    if (naive.report.answers.length > 1) naive.report.happened.push('several closed at once');
    this.#both({ type: 'closePositions', uid: this.#stream.uidOf(user), category, symbol, side });
  }

  /** Cancels and closes everything that others let it. */
  #leave(user: NaiveUser, categories: readonly DrawnCategory[], symbol: string | undefined): void {
    for (const category of categories) this.#cancelAll(user, category, symbol);
    for (const category of FUTURES_CATEGORIES)
      if (categories.includes(category)) this.#close(user, category, symbol);
  }

  /** Sometimes with one of a few client ids, and with a margin mode. */
  named(user: NaiveUser, items: readonly Item[]): readonly Item[] {
    const { random } = this.#stream;
    return items.map(({ instrument, draft }) => {
      const name = random.below(4) === 0 ? `${user.name}${random.pick(NAMES)}` : undefined;
      const marginMode =
        random.below(12) === 0 ? random.pick(['isolated', 'crossed'] as const) : undefined;
      return { instrument, draft: { ...draft, name, marginMode } };
    });
  }

  /** Repeats an earlier request, or sends other content under its client id. */
  #repeat(): void {
    const { random, naive } = this.#stream;
    const names = naive.names
      .slice(-30)
      .flatMap(({ user, instrument, draft }) =>
        draft === undefined ? [] : [{ user, instrument, draft }],
      );
    if (names.length === 0) return;
    const { user, instrument, draft: named } = random.pick(names);
    const draft: NaiveDraft = { ...named, attached: undefined, asksTpsl: false };
    const other: Partial<NaiveDraft> = random.pick([
      {},
      {},
      { stp: 'cancelBoth' },
      { positionSide: 'long' },
      { reduceOnly: true },
      { price: '3000' },
    ]);
    const items = [{ instrument, draft: { ...draft, ...other } }];
    this.#stream.submit(
      user,
      isOfMargin(draft) ? 'MARGIN' : instrument.category,
      random.below(4) === 0 ? [...items, ...items] : items,
    );
  }

  #cancelByName(): void {
    const { random, naive } = this.#stream;
    const named = naive.orders.filter(({ name }) => name !== undefined);
    const { user, name } =
      named.length > 0 && random.below(4) > 0
        ? random.pick(named)
        : { user: random.pick(naive.users), name: '1a' };
    const several = naive.orders.filter((each) => each.user === user && each.name === name).length;
    naive.begin();
    naive.cancel(user, name!);
    naive.report.happened.push(
      several > 1 ? 'newest of a client id cancelled' : 'cancelled by client id',
    );
    this.#both({
      type: 'cancelOrders',
      uid: this.#stream.uidOf(user),
      orders: [{ clientOid: name as ClientOid }],
    });
  }

  /** A repeated request gets the first answer. */
  compareNames(user: NaiveUser, items: readonly Item[], { outcome }: Executed): void {
    const { naive } = this.#stream;
    if (!outcome.ok) return;
    const answers = outcome.value as readonly { ok: boolean; value?: unknown }[];
    items.forEach(({ draft }, at) => {
      const taken = takenName(naive, user, draft.name);
      if (taken === undefined || !answers[at]!.ok) return;
      const emitted = JSON.stringify(answers[at]!.value);
      taken.emitted ??= emitted;
      same(`answer to ${draft.name}`, [emitted], [taken.emitted]);
    });
  }

  /** An answer that lists ended orders is compared by the ends. */
  #both(command: Command): void {
    const executed = this.#stream.run(command);
    const isList = command.type === 'cancelAllOrders' && executed.outcome.ok;
    this.#stream.compare(
      isList ? { ...executed, outcome: { ok: true, value: undefined } } : executed,
    );
  }
}
