/**
 * A slow and obvious exchange: lists instead of books, and every rule is evaluated again for every
 * order.
 */
import { passTime, settle } from './naive-clock.ts';
import { drawMark, newFreshness } from './naive-freshness.ts';
import type { NaiveDay } from './naive-limits.ts';
import { relist } from './naive-listing.ts';
import { setCoinLeverage } from './naive-loans.ts';
import { endOrder, trim } from './naive-matching.ts';
import { setMarginMode, setPositionMode, withMode } from './naive-modes.ts';
import { modify, type NaiveChange } from './naive-modifying.ts';
import { type NaiveBooks, repay, walletOf } from './naive-money.ts';
import { answerByName, contentOf, type NaiveName, takeName } from './naive-names.ts';
import { type NaiveDraft, place } from './naive-placing.ts';
import { setStatus } from './naive-resuming.ts';
import { adjustMargin, setLeverage } from './naive-settings.ts';
import type {
  NaiveHouse,
  NaiveInstrument,
  NaiveOrder,
  NaivePosition,
  NaivePremium,
  NaivePrices,
  NaiveReport,
  NaiveSpec,
  NaiveStatus,
  NaiveTimer,
  NaiveUser,
  PositionSide,
} from './naive-state.ts';
import { isOfMargin } from './naive-statuses.ts';
import { setCountdown } from './naive-timers.ts';
import { type NaiveTrigger, update, updatePrices } from './naive-triggers.ts';
import { shown } from './whole-units.ts';

export class NaiveExchange implements NaiveBooks {
  users: NaiveUser[] = [];
  orders: NaiveOrder[] = [];
  positions: NaivePosition[] = [];
  readonly marks: Record<string, bigint> = {};
  readonly indexes: Record<string, bigint> = {};
  readonly house: Record<string, NaiveHouse> = {};
  readonly drawn: Record<string, bigint> = {};
  report: NaiveReport = {
    answers: [],
    trades: [],
    ends: [],
    fundings: [],
    liquidations: [],
    triggers: [],
    happened: [],
    failedAtStalePrice: false,
  };
  accepted = 0;
  places = 0;

  readonly premiums: Record<string, NaivePremium> = {};
  readonly freshness = newFreshness();
  timers: NaiveTimer[] = [];
  readonly statuses: Record<string, NaiveStatus> = {};
  readonly names: NaiveName[] = [];
  readonly day: NaiveDay = { restrict: undefined, counts: {} };
  readonly lasts: Record<string, bigint> = {};
  triggers: NaiveTrigger[] = [];
  triggersPlaced = 0;
  line: NaiveTrigger[] = [];
  now: number;

  readonly futures: readonly NaiveInstrument[];

  constructor(now: number, futures: readonly NaiveInstrument[]) {
    this.now = now;
    this.futures = futures;
    for (const { symbol } of futures) this.premiums[symbol] = { seen: 0n, sum: 0n, looks: 0 };
  }

  /** Begins a command of this user. */
  begin(_user?: NaiveUser): void {
    this.report = {
      answers: [],
      trades: [],
      ends: [],
      fundings: [],
      liquidations: [],
      triggers: [],
      happened: [],
      failedAtStalePrice: false,
    };
  }

  /** Fires triggers that the command reached and liquidates accounts at risk. */
  finish(): void {
    settle(this);
  }

  /** Updates prices; a given mark stays pinned until it is released. */
  setPrices({ indexes, marks, released = [] }: NaivePrices): void {
    Object.assign(this.indexes, indexes);
    Object.assign(this.marks, marks);
    for (const coin of Object.keys(indexes)) this.freshness.known[coin] = this.now;
    for (const symbol of Object.keys(marks)) this.freshness.pinned.add(symbol);
    for (const symbol of released) this.freshness.pinned.delete(symbol);
    for (const instrument of this.futures) drawMark(this, instrument);
    updatePrices(this, this.futures, Object.keys(indexes));
    this.report.answers.push('accepted');
  }

  place(user: NaiveUser, instrument: NaiveInstrument, draft: NaiveDraft, all = false): void {
    const before = answerByName(this, user, draft.name, contentOf(user, instrument, draft));
    const refused = before === undefined ? this.#placeNew(user, instrument, draft, all) : before;
    this.report.answers.push(refused ?? 'accepted');
    if (before !== undefined) this.report.happened.push(`client id repeated: ${before}`);
    if (refused === undefined) trim(this);
  }

  #placeNew(
    user: NaiveUser,
    instrument: NaiveInstrument,
    draft: NaiveDraft,
    all: boolean,
  ): string | undefined {
    const setting = user.settings[instrument.symbol]!;
    const { isolated } = setting;
    const refused = withMode(this, user, instrument, draft.marginMode, () =>
      place(this, user, instrument, draft, all),
    );
    if (refused === undefined)
      takeName(this, user, draft.name, {
        instrument,
        draft,
        content: contentOf(user, instrument, draft),
      });
    if (setting.isolated !== isolated) this.report.happened.push('mode set by an order');
    if (refused === undefined && draft.stp === undefined && user.selfTrade !== 'none')
      this.report.happened.push('self-trade mode of the account');
    return refused;
  }

  /** Deposited money repays debts first. */
  deposit(user: NaiveUser, coin: string, size: bigint): void {
    if (walletOf(user, coin).debt > 0n) this.report.happened.push('deposit repays');
    walletOf(user, coin).available += size;
    repay(this, user, coin);
    this.report.answers.push('accepted');
  }

  /** By number, or the newest order with a client id. */
  cancel(user: NaiveUser, wanted: number | string): void {
    const order = this.orders.findLast(
      (each) => (each.number === wanted || each.name === wanted) && each.user === user,
    );
    if (order === undefined) this.report.answers.push('unknownOrder');
    else {
      endOrder(this, order, 'byUser');
      this.report.answers.push('accepted');
    }
  }

  modify(user: NaiveUser, number: number, change: NaiveChange): void {
    const order = this.orders.find((each) => each.number === number && each.user === user);
    const refused = order === undefined ? 'unknownOrder' : modify(this, order, change);
    this.report.answers.push(refused ?? 'accepted');
    if (refused === undefined) trim(this);
  }

  /** Closes whole positions at market: of a category, a symbol, or one side of a symbol. */
  closeAll(user: NaiveUser, category: string, symbol?: string, only?: PositionSide): void {
    const inCategory = this.positions.filter(
      (position) => position.user === user && position.instrument.category === category,
    );
    const inSymbol = inCategory.filter(
      ({ instrument }) => symbol === undefined || instrument.symbol === symbol,
    );
    const own = inSymbol.filter(({ side }) => only === undefined || side === only);
    if (own.length === 0) this.report.answers.push('nothingToClose');
    for (const { side, size, instrument } of own) {
      const draft = {
        market: true,
        size: shown(size),
        price: undefined,
        timeInForce: 'gtc',
        stp: undefined,
        reduceOnly: true,
        onMargin: false,
      };
      this.place(
        user,
        instrument,
        { ...draft, side: side === 'long' ? 'sell' : 'buy', positionSide: side },
        true,
      );
    }
  }

  setSelfTrade(user: NaiveUser, mode: string): void {
    user.selfTrade = mode;
    this.report.answers.push('accepted');
  }

  passTime(to: number): void {
    passTime(this, to);
    this.report.answers.push('accepted');
  }

  switchMarket(on: boolean): void {
    this.freshness.on = on;
    if (!on)
      for (const instrument of this.futures) {
        drawMark(this, instrument);
        update(this, instrument, 'mark');
      }
    this.report.answers.push('accepted');
  }

  setCountdown(user: NaiveUser, ms: number): void {
    this.report.answers.push(setCountdown(this, user, ms) ?? 'accepted');
  }

  adjustMargin(user: NaiveUser, instrument: NaiveInstrument, side: PositionSide, by: bigint): void {
    this.report.answers.push(adjustMargin(this, user, instrument, side, by) ?? 'accepted');
  }

  setLeverage(
    user: NaiveUser,
    instrument: NaiveInstrument,
    leverage: bigint,
    side?: PositionSide,
  ): void {
    this.report.answers.push(setLeverage(this, user, instrument, leverage, side) ?? 'accepted');
  }

  relist(instrument: NaiveInstrument, spec: NaiveSpec, onMargin: boolean): void {
    relist(this, instrument, spec, onMargin);
    this.report.answers.push('accepted');
  }

  setStatus(instrument: NaiveInstrument, onMargin: boolean, status: NaiveStatus): void {
    setStatus(this, instrument, onMargin, status);
    this.report.answers.push('accepted');
  }

  setMarginMode(user: NaiveUser, instrument: NaiveInstrument, isolated: boolean): void {
    this.report.answers.push(setMarginMode(this, user, instrument, isolated) ?? 'accepted');
  }

  setPositionMode(user: NaiveUser, hedge: boolean): void {
    this.report.answers.push(setPositionMode(this, user, hedge) ?? 'accepted');
  }

  /** Cancels all orders of a category, or of one symbol in it. */
  cancelAll(user: NaiveUser, category: string, symbol: string | undefined): void {
    const categoryOf = (order: NaiveOrder): string =>
      isOfMargin(order) ? 'MARGIN' : order.instrument.category;
    const own = this.orders.filter(
      (order) => order.user === user && categoryOf(order) === category,
    );
    for (const order of own)
      if (symbol === undefined || order.instrument.symbol === symbol)
        endOrder(this, order, 'byUser');
    this.report.answers.push('accepted');
  }

  setCoinLeverage(user: NaiveUser, coin: string, leverage: bigint): void {
    this.report.answers.push(setCoinLeverage(this, user, coin, leverage) ?? 'accepted');
  }
}
