/** An exchange that is obviously right and slow: lists instead of books, every rule looked up anew for every order. */
import { passTime } from './naive-clock.ts';
import { liquidateAll } from './naive-liquidation.ts';
import { holdOnMargin } from './naive-loans.ts';
import { cannotBegin, endOrder, expectedPrice, match, met, others, release, trim, worstPrice } from './naive-matching.ts';
import { canSpend, headroom, inDollars, type NaiveBooks, needFor, reducedBy, repay, walletOf } from './naive-money.ts';
import { adjustMargin, openValue, sameSide, setLeverage } from './naive-settings.ts';
import type {
  NaiveHouse,
  NaiveInstrument,
  NaiveOrder,
  NaivePosition,
  NaivePremium,
  NaivePrices,
  NaiveReport,
  NaiveTimer,
  NaiveUser,
  PositionSide,
  Side,
} from './naive-state.ts';
import { ceiling, floor, max, min, shown, UNIT, units } from './whole-units.ts';

export interface NaiveDraft {
  readonly side: Side;
  readonly market: boolean;
  readonly size: string;
  readonly price: string | undefined;
  readonly timeInForce: string;
  readonly positionSide: PositionSide | undefined;
  readonly stp: string;
  readonly reduceOnly: boolean;
  /** A spot order that may borrow. */
  readonly onMargin: boolean;
}

const CAP = 400;

export class NaiveExchange implements NaiveBooks {
  users: NaiveUser[] = [];
  orders: NaiveOrder[] = [];
  positions: NaivePosition[] = [];
  readonly marks: Record<string, bigint> = {};
  readonly indexes: Record<string, bigint> = {};
  readonly house: Record<string, NaiveHouse> = {};
  report: NaiveReport = { answers: [], trades: [], ends: [], fundings: [], liquidations: [], happened: [] };
  accepted = 0;

  readonly premiums: Record<string, NaivePremium> = {};
  timers: NaiveTimer[] = [];
  now: number;

  constructor(now: number, futures: readonly NaiveInstrument[]) {
    this.now = now;
    for (const { symbol } of futures) this.premiums[symbol] = { seen: 0n, sum: 0n };
  }

  begin(): void {
    this.report = { answers: [], trades: [], ends: [], fundings: [], liquidations: [], happened: [] };
  }

  /** Whoever the command has left at risk is liquidated before it ends. */
  finish(): void {
    liquidateAll(this);
  }

  setPrices({ indexes, marks }: NaivePrices): void {
    Object.assign(this.indexes, indexes);
    Object.assign(this.marks, marks);
    this.report.answers.push('accepted');
  }

  place(user: NaiveUser, instrument: NaiveInstrument, draft: NaiveDraft, all = false): void {
    const refused = this.#place(user, instrument, draft, all);
    this.report.answers.push(refused ?? 'accepted');
    if (refused === undefined) trim(this);
  }

  /** What comes in pays back first. */
  deposit(user: NaiveUser, coin: string, size: bigint): void {
    if (walletOf(user, coin).debt > 0n) this.report.happened.push('deposit repays');
    walletOf(user, coin).available += size;
    repay(this, user, coin);
    this.report.answers.push('accepted');
  }

  cancel(user: NaiveUser, number: number): void {
    const order = this.orders.find((each) => each.number === number && each.user === user);
    if (order === undefined) this.report.answers.push('unknownOrder');
    else {
      endOrder(this, order, 'byUser');
      this.report.answers.push('accepted');
    }
  }

  /** Every position of a symbol at market, whole. */
  closeAll(user: NaiveUser, instrument: NaiveInstrument): void {
    const own = this.positions.filter((position) => position.user === user && position.instrument === instrument);
    if (own.length === 0) this.report.answers.push('nothingToClose');
    for (const { side, size } of own) {
      const draft = {
        market: true,
        size: shown(size),
        price: undefined,
        timeInForce: 'gtc',
        stp: 'none',
        reduceOnly: true,
        onMargin: false,
      };
      this.place(user, instrument, { ...draft, side: side === 'long' ? 'sell' : 'buy', positionSide: side }, true);
    }
  }

  passTime(to: number): void {
    passTime(this, to);
    this.report.answers.push('accepted');
  }

  adjustMargin(user: NaiveUser, instrument: NaiveInstrument, side: PositionSide, by: bigint): void {
    this.report.answers.push(adjustMargin(this, user, instrument, side, by) ?? 'accepted');
  }

  setLeverage(user: NaiveUser, instrument: NaiveInstrument, leverage: bigint): void {
    this.report.answers.push(setLeverage(this, user, instrument, leverage) ?? 'accepted');
  }

  #place(user: NaiveUser, instrument: NaiveInstrument, draft: NaiveDraft, all: boolean): string | undefined {
    const futures = instrument.category !== 'SPOT';
    const hedged = futures && user.hedge;
    const reference = futures ? this.marks[instrument.symbol]! : this.indexes[instrument.base]!;
    if (hedged && draft.positionSide === undefined) return 'positionSideMismatch';
    if (!draft.market && draft.price === undefined) return 'fieldMissing';
    const price = draft.market ? undefined : units(draft.price!);
    if (price !== undefined && price % instrument.tick !== 0n) return 'priceOffStep';
    const quote = !futures && draft.market && draft.side === 'buy' ? units(draft.size) : undefined;
    const size = units(draft.size);
    if (quote !== undefined) {
      if (quote % 100n !== 0n) return 'sizeOffStep';
      if (quote === 0n || quote < (reference * instrument.sizeMin) / UNIT) return 'sizeTooSmall';
      if (quote > (reference * instrument.sizeMax) / UNIT) return 'sizeTooLarge';
    } else {
      if (size % instrument.lot !== 0n) return 'sizeOffStep';
      if (size < instrument.sizeMin && !all) return 'sizeTooSmall';
      if (size > instrument.sizeMax && !all) return 'sizeTooLarge';
    }
    const highest = floor(reference * 3n, 2n * instrument.tick) * instrument.tick;
    const lowest = ceiling(reference, 2n * instrument.tick) * instrument.tick;
    if (price !== undefined && price < lowest) return 'priceTooLow';
    if (price !== undefined && price > highest) return 'priceTooHigh';
    const limit = price ?? (draft.side === 'buy' ? highest : lowest);
    if (draft.market && others(this, instrument, draft.side).length === 0) return 'noLiquidity';
    const open = this.orders.filter((order) => order.user === user && (order.instrument.category !== 'SPOT') === futures);
    const mayRest = !draft.market && (draft.timeInForce === 'gtc' || draft.timeInForce === 'postOnly');
    if (mayRest && open.length >= CAP) return 'tooManyOpenOrders';

    const positionSide = hedged ? draft.positionSide : undefined;
    const closes = futures && (hedged ? (draft.side === 'buy') !== (positionSide === 'long') : draft.reduceOnly);
    const setting = user.settings[instrument.symbol]!;
    const order: NaiveOrder = {
      number: -1,
      user,
      instrument,
      side: draft.side,
      market: draft.market,
      timeInForce: draft.timeInForce,
      limit,
      size: quote === undefined ? size : 0n,
      quote,
      positionSide,
      closes,
      reduceOnly: closes && !hedged,
      stp: draft.stp,
      isolated: futures && setting.isolated,
      leverage: setting.leverage,
      forced: false,
      onMargin: !futures && draft.onMargin,
      left: quote === undefined ? size : 0n,
      filled: 0n,
      spent: 0n,
      hold: { kind: 'none', coin: '', amount: 0n, size: 0n },
    };
    return this.#checkPositionAndMoney(order, reference, all);
  }

  #checkPositionAndMoney(asked: NaiveOrder, reference: bigint, all: boolean): string | undefined {
    let order = asked;
    const replaced: NaiveOrder[] = [];
    if (order.closes) {
      const position = reducedBy(this, order);
      if (position === undefined) return 'nothingToClose';
      if (order.user.hedge && all) replaced.push(...this.#closesOf(position));
      else if (order.user.hedge) {
        const available = position.size - this.#heldBack(position);
        if (order.size > available && !order.market) return 'closeTooLarge';
        if (available === 0n) return 'nothingToClose';
        const size = min(order.size, available);
        order = { ...order, size, left: size };
      } else {
        order.left = min(order.size, position.size);
        const older = this.orders.filter(
          (each) => each.reduceOnly && each.user === order.user && each.instrument === order.instrument && each.side === order.side,
        );
        let sum = older.reduce((total, each) => total + each.left, 0n);
        for (const each of older) {
          if (sum <= position.size - order.left) break;
          sum -= each.left;
          replaced.push(each);
        }
      }
    }
    const refused = this.#hold(order, reference);
    if (refused !== undefined) return refused;
    if (cannotBegin(this, order)) {
      release(order);
      return order.instrument.category === 'SPOT' && !order.onMargin ? 'insufficientBalance' : 'insufficientMargin';
    }
    for (const each of replaced) endOrder(this, each, 'reduceOnlyReplaced');
    const accepted = { ...order, number: this.accepted++ };
    this.orders.push(accepted);
    match(this, accepted);
    return undefined;
  }

  #heldBack(position: NaivePosition): bigint {
    return this.#closesOf(position).reduce((sum, { left }) => sum + left, 0n);
  }

  #closesOf({ user, instrument, side }: NaivePosition): NaiveOrder[] {
    return this.orders.filter(
      (order) => order.closes && order.user === user && order.instrument === instrument && order.positionSide === side,
    );
  }

  /** Sets aside what the order needs, or says why that cannot be. */
  #hold(order: NaiveOrder, reference: bigint): string | undefined {
    const { user, instrument } = order;
    if (order.onMargin) return holdOnMargin(this, order, reference);
    if (instrument.category === 'SPOT') {
      const coin = order.side === 'buy' ? 'USDT' : instrument.base;
      const amount = order.side === 'buy' ? (order.quote ?? (order.limit * order.left) / UNIT) : order.left;
      if (!canSpend(this, user, coin, amount)) return 'insufficientBalance';
      const wallet = walletOf(user, coin);
      wallet.available -= amount;
      wallet.locked += amount;
      order.hold = { kind: 'wallet', coin, amount, size: order.left };
      return undefined;
    }
    const opening = order.closes ? 0n : this.#opening(order);
    if (opening === 0n) return undefined;
    let price = order.market ? expectedPrice(this, order, reference) : order.limit;
    if (order.side === 'sell') price = max(order.market && order.isolated ? worstPrice(this, order, reference) : price, reference);
    const value = ceiling(price * opening, UNIT) + openValue(this, order);
    const tier = instrument.tiers.findLast(({ from }) => from < value) ?? instrument.tiers[0]!;
    if (value > instrument.tiers.at(-1)!.to || order.leverage > tier.leverage) return 'insufficientMargin';
    const amount = needFor(instrument, price, opening, order.leverage);
    if (order.isolated) {
      if (!canSpend(this, user, instrument.coin, amount + this.#beside(order, opening, amount))) return 'insufficientMargin';
      walletOf(user, instrument.coin).available -= amount;
      walletOf(user, instrument.coin).locked += amount;
    } else if (headroom(this, user, { needed: inDollars(this, instrument.coin, amount) }) < 0n) return 'insufficientMargin';
    order.hold = { kind: order.isolated ? 'wallet' : 'margin', coin: instrument.coin, amount, size: opening };
    return undefined;
  }

  /** What an isolated sell must have beside its hold: bids above the price that is held for move more into the position. */
  #beside(order: NaiveOrder, opening: bigint, amount: bigint): bigint {
    if (order.side === 'buy' || (order.timeInForce === 'postOnly' && !order.market)) return 0n;
    let [closing, left, held, sum] = [order.left - opening, opening, amount, 0n];
    for (const maker of met(this, order)) {
      const closed = min(closing, maker.left);
      closing -= closed;
      const size = min(left, maker.left - closed);
      if (size === 0n) continue;
      const share = size === left ? held : floor(held * size, left);
      const lacking = needFor(order.instrument, maker.limit, size, order.leverage) - share;
      if (lacking > 3n) sum += lacking;
      held -= share;
      left -= size;
    }
    return sum;
  }

  #opening(order: NaiveOrder): bigint {
    const position = reducedBy(this, order);
    if (order.user.hedge || position === undefined) return order.left;
    const before = sameSide(this, order).reduce((sum, { left }) => sum + left, 0n);
    return max(0n, order.left - max(0n, position.size - before));
  }
}
