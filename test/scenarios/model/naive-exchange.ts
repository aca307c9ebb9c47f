/** An exchange that is obviously right and slow: lists instead of books, every rule looked up anew for every order. */
import { passTime } from './naive-clock.ts';
import { canFill, fillFutures, fillSpot } from './naive-fills.ts';
import { canSpend, headroom, inDollars, type NaiveBooks, needFor, reducedBy, walletOf } from './naive-money.ts';
import { adjustMargin, openValue, sameSide, setLeverage } from './naive-settings.ts';
import type {
  NaiveHouse,
  NaiveInstrument,
  NaiveOrder,
  NaivePosition,
  NaivePremium,
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
}

const CAP = 400;

export class NaiveExchange implements NaiveBooks {
  users: NaiveUser[] = [];
  orders: NaiveOrder[] = [];
  positions: NaivePosition[] = [];
  readonly marks: Record<string, bigint> = {};
  readonly indexes: Record<string, bigint> = {};
  readonly house: Record<string, NaiveHouse> = {};
  report: NaiveReport = { answers: [], trades: [], ends: [], fundings: [], happened: [] };
  #accepted = 0;

  readonly premiums: Record<string, NaivePremium> = {};
  timers: NaiveTimer[] = [];
  now: number;

  constructor(now: number, futures: readonly NaiveInstrument[]) {
    this.now = now;
    for (const { symbol } of futures) this.premiums[symbol] = { seen: 0n, sum: 0n };
  }

  begin(): void {
    this.report = { answers: [], trades: [], ends: [], fundings: [], happened: [] };
  }

  place(user: NaiveUser, instrument: NaiveInstrument, draft: NaiveDraft, all = false): void {
    const refused = this.#place(user, instrument, draft, all);
    this.report.answers.push(refused ?? 'accepted');
    if (refused === undefined) this.#trim();
  }

  cancel(user: NaiveUser, number: number): void {
    const order = this.orders.find((each) => each.number === number && each.user === user);
    if (order === undefined) this.report.answers.push('unknownOrder');
    else {
      this.#end(order, 'byUser');
      this.report.answers.push('accepted');
    }
  }

  /** Every position of a symbol at market, whole. */
  closeAll(user: NaiveUser, instrument: NaiveInstrument): void {
    const own = this.positions.filter((position) => position.user === user && position.instrument === instrument);
    if (own.length === 0) this.report.answers.push('nothingToClose');
    for (const { side, size } of own) {
      const draft = { market: true, size: shown(size), price: undefined, timeInForce: 'gtc', stp: 'none', reduceOnly: true };
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
    if (draft.market && this.#others(instrument, draft.side).length === 0) return 'noLiquidity';
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
    for (const each of replaced) this.#end(each, 'reduceOnlyReplaced');
    const accepted = { ...order, number: this.#accepted++ };
    this.orders.push(accepted);
    this.#match(accepted);
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
    let price = order.market ? this.#found(order, reference) : order.limit;
    if (order.side === 'sell') price = max(price, reference);
    const value = ceiling(price * opening, UNIT) + openValue(this, order);
    const tier = instrument.tiers.findLast(({ from }) => from < value) ?? instrument.tiers[0]!;
    if (value > instrument.tiers.at(-1)!.to || order.leverage > tier.leverage) return 'insufficientMargin';
    const amount = needFor(instrument, price, opening, order.leverage);
    if (order.isolated) {
      if (!canSpend(this, user, instrument.coin, amount)) return 'insufficientMargin';
      walletOf(user, instrument.coin).available -= amount;
      walletOf(user, instrument.coin).locked += amount;
    } else if (headroom(this, user, { needed: inDollars(this, instrument.coin, amount) }) < 0n) return 'insufficientMargin';
    order.hold = { kind: order.isolated ? 'wallet' : 'margin', coin: instrument.coin, amount, size: opening };
    return undefined;
  }

  #opening(order: NaiveOrder): bigint {
    const position = reducedBy(this, order);
    if (order.user.hedge || position === undefined) return order.left;
    const before = sameSide(this, order).reduce((sum, { left }) => sum + left, 0n);
    return max(0n, order.left - max(0n, position.size - before));
  }

  /** The average price a market order finds, rounded up. */
  #found(order: NaiveOrder, reference: bigint): bigint {
    let found = 0n;
    let value = 0n;
    for (const maker of this.#others(order.instrument, order.side)) {
      if (!this.#crosses(order, maker) || found === order.left) break;
      const taken = min(maker.left, order.left - found);
      found += taken;
      value += (maker.limit * taken) / UNIT;
    }
    return found === 0n ? reference : ceiling(value * UNIT, found);
  }

  /** The other side of the book as a taker meets it: best price first, then oldest. */
  #others(instrument: NaiveInstrument, side: Side): NaiveOrder[] {
    const makers = this.orders.filter((order) => order.instrument === instrument && order.side !== side && order.number >= 0);
    const better = side === 'buy' ? 1 : -1;
    return makers.sort((left, right) =>
      left.limit === right.limit ? left.number - right.number : left.limit < right.limit ? -better : better,
    );
  }

  #crosses = (taker: NaiveOrder, maker: NaiveOrder): boolean =>
    taker.side === 'buy' ? maker.limit <= taker.limit : maker.limit >= taker.limit;

  #match(taker: NaiveOrder): void {
    const end = this.#fate(taker);
    if (end !== undefined) this.#end(taker, end);
  }

  /** How the order ends; undefined when it rests. */
  #fate(taker: NaiveOrder): string | undefined {
    const makers = this.#others(taker.instrument, taker.side).filter((maker) => this.#crosses(taker, maker));
    if (taker.timeInForce === 'postOnly' && !taker.market && makers.length > 0) return 'postOnlyWouldTake';
    const agreed = taker.timeInForce === 'fok' && !taker.market ? this.#wholeFrom(taker, makers) : undefined;
    if (taker.timeInForce === 'fok' && !taker.market && agreed === undefined) return 'fokNotFull';
    let seen: bigint | undefined;
    for (const maker of makers) {
      const isDone = taker.quote === undefined ? taker.left === 0n : seen !== undefined && this.#isSpent(taker, seen);
      if (isDone) break;
      if (maker.user.owner === taker.user.owner && taker.stp !== 'none') {
        if (taker.stp !== 'cancelTaker') this.#end(maker, 'selfTrade');
        if (taker.stp === 'cancelMaker') continue;
        return 'selfTrade';
      }
      seen = maker.limit;
      if (this.#isSpent(taker, seen)) break;
      const stop = this.#meet(taker, maker, agreed);
      if (stop !== undefined) return stop;
    }
    return this.#rest(taker, seen !== undefined && this.#isSpent(taker, seen));
  }

  /** What becomes of an order that has met everybody it could. */
  #rest(taker: NaiveOrder, isSpent: boolean): string | undefined {
    if (isSpent) return taker.filled > 0n ? 'filled' : 'iocNotFull';
    if (taker.quote === undefined && taker.left === 0n) return taker.filled < taker.size ? 'nothingToReduce' : 'filled';
    if (taker.market) return this.#others(taker.instrument, taker.side).length === 0 ? 'iocNotFull' : 'slippage';
    return taker.timeInForce === 'ioc' ? 'iocNotFull' : undefined;
  }

  /** Whether an order given in quote coin cannot buy one lot more. */
  #isSpent = ({ quote, spent, instrument }: NaiveOrder, price: bigint): boolean =>
    quote !== undefined && quote - spent < (price * instrument.lot) / UNIT;

  /** Trades with a maker, or takes it away; says why the taker may not go on. */
  #meet(taker: NaiveOrder, maker: NaiveOrder, agreed: Set<NaiveOrder> | undefined): string | undefined {
    const { lot } = taker.instrument;
    const affordable = taker.quote === undefined ? taker.left : ((taker.quote - taker.spent) / ((maker.limit * lot) / UNIT)) * lot;
    let size = min(maker.left, affordable);
    const wanted = size;
    if (maker.reduceOnly) size = min(size, reducedBy(this, maker)?.size ?? 0n);
    if (size === 0n) {
      this.#end(maker, 'nothingToReduce');
      return undefined;
    }
    if (agreed === undefined ? !canFill(this, maker, maker.limit, size, false) : !agreed.has(maker)) {
      this.#end(maker, 'moneyGone');
      return undefined;
    }
    if (agreed === undefined && !canFill(this, taker, maker.limit, size, true)) return 'moneyGone';
    this.report.trades.push({ maker: maker.number, taker: taker.number, price: maker.limit, size });
    if (taker.instrument.category === 'SPOT') fillSpot(this, taker, maker, size);
    else {
      fillFutures(this, taker, maker.limit, size, true);
      fillFutures(this, maker, maker.limit, size, false);
    }
    if (maker.left === 0n) this.#end(maker, maker.filled < maker.size ? 'nothingToReduce' : 'filled');
    else if (size < wanted) this.#end(maker, 'nothingToReduce');
    return undefined;
  }

  /** Which makers would fill the order whole, as things stand before the first trade; undefined when they are not enough. */
  #wholeFrom(taker: NaiveOrder, makers: NaiveOrder[]): Set<NaiveOrder> | undefined {
    const agreed = new Set<NaiveOrder>();
    const moved = new Map<NaiveUser, bigint>();
    const move = (user: NaiveUser, by: bigint): void => void moved.set(user, (moved.get(user) ?? 0n) + by);
    const net = (user: NaiveUser): bigint => {
      const own = this.positions.filter((each) => each.user === user && each.instrument === taker.instrument);
      const [first] = [...own].sort((left) => (left.side === 'long' ? -1 : 1));
      return (first === undefined ? 0n : first.side === 'long' ? first.size : -first.size) + (moved.get(user) ?? 0n);
    };
    let found = 0n;
    let worst = taker.limit;
    for (const maker of makers) {
      if (found === taker.left) break;
      if (maker.user.owner === taker.user.owner && taker.stp !== 'none') {
        if (taker.stp === 'cancelMaker') continue;
        break;
      }
      let size = min(maker.left, taker.left - found);
      if (maker.reduceOnly) size = min(size, max(0n, maker.side === 'buy' ? -net(maker.user) : net(maker.user)));
      if (size === 0n || !canFill(this, maker, maker.limit, size, false)) continue;
      agreed.add(maker);
      found += size;
      worst = maker.limit;
      for (const order of [maker, taker]) move(order.user, order.side === 'buy' ? size : -size);
    }
    return found === taker.left && canFill(this, taker, worst, taker.left, true) ? agreed : undefined;
  }

  #end(order: NaiveOrder, reason: string): void {
    this.orders = this.orders.filter((each) => each !== order);
    if (order.hold.kind === 'wallet') {
      walletOf(order.user, order.hold.coin).locked -= order.hold.amount;
      walletOf(order.user, order.hold.coin).available += order.hold.amount;
    }
    this.report.ends.push([order.number, reason]);
  }

  /** Reduce-only orders never exceed their position: the oldest give way. */
  #trim(): void {
    for (const user of this.users)
      for (const side of ['buy', 'sell'] as const)
        for (const instrument of new Set(
          this.orders.filter((order) => order.user === user && order.reduceOnly).map((order) => order.instrument),
        )) {
          const own = this.orders.filter(
            (order) => order.user === user && order.reduceOnly && order.side === side && order.instrument === instrument,
          );
          const room = own.length === 0 ? 0n : (reducedBy(this, own[0]!)?.size ?? 0n);
          let sum = own.reduce((total, { left }) => total + left, 0n);
          for (const order of own) {
            if (sum <= room) break;
            sum -= order.left;
            this.#end(order, 'nothingToReduce');
          }
        }
  }
}
