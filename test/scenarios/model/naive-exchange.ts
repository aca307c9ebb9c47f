/** An exchange that is obviously right and slow: lists instead of books, every rule looked up anew for every order. */
import { canFill, fillFutures, fillSpot } from './naive-fills.ts';
import { canSpend, headroom, type NaiveBooks, needFor, profitOf, reducedBy, valueAtMark, walletOf } from './naive-money.ts';
import type { NaiveInstrument, NaiveOrder, NaivePosition, NaiveReport, NaiveUser, PositionSide, Side } from './naive-state.ts';
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
  report: NaiveReport = { answers: [], trades: [], ends: [] };
  #accepted = 0;

  begin(): void {
    this.report = { answers: [], trades: [], ends: [] };
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

  adjustMargin(user: NaiveUser, instrument: NaiveInstrument, side: PositionSide, by: bigint): void {
    this.report.answers.push(this.#adjustMargin(user, instrument, side, by) ?? 'accepted');
  }

  #adjustMargin(user: NaiveUser, instrument: NaiveInstrument, side: PositionSide, by: bigint): string | undefined {
    const position = this.positions.find((each) => each.user === user && each.instrument === instrument && each.side === side);
    if (position === undefined) return 'noPosition';
    if (!position.isolated) return 'notIsolated';
    const profit = profitOf(side, position.size, position.cost, this.marks[instrument.symbol]!);
    const spare = position.margin - ceiling(position.cost, position.leverage) + min(profit, 0n);
    if (by > 0n && !canSpend(this, user, 'USDT', by)) return 'insufficientBalance';
    if (by < 0n && spare < -by) return 'insufficientMargin';
    position.margin += by;
    walletOf(user, 'USDT').margin += by;
    walletOf(user, 'USDT').available -= by;
    return undefined;
  }

  setLeverage(user: NaiveUser, instrument: NaiveInstrument, leverage: bigint): void {
    this.report.answers.push(this.#setLeverage(user, instrument, leverage) ?? 'accepted');
  }

  #setLeverage(user: NaiveUser, instrument: NaiveInstrument, leverage: bigint): string | undefined {
    const setting = user.settings[instrument.symbol]!;
    const mark = this.marks[instrument.symbol]!;
    const orders = this.orders.filter((order) => order.user === user && order.instrument === instrument);
    const positions = this.positions.filter((each) => each.user === user && each.instrument === instrument);
    for (const side of ['buy', 'sell'] as const) {
      const value = this.#openValue({ user, instrument, side, positionSide: side === 'buy' ? 'long' : 'short' });
      const tier = instrument.tiers.findLast(({ from }) => from < value);
      if (tier !== undefined && leverage > tier.leverage) return 'leverageOutOfRange';
    }
    const holds = orders.map(({ side, limit, hold }) =>
      hold.size === 0n ? 0n : needFor(side === 'buy' ? limit : max(limit, mark), hold.size, leverage),
    );
    const more = holds.reduce((sum, amount) => sum + amount, 0n) - orders.reduce((sum, { hold }) => sum + hold.amount, 0n);
    if (setting.isolated) {
      if (positions.some((each) => leverage < each.leverage && ceiling(each.cost, leverage) > each.margin)) return 'leverageNeedsMargin';
      if (more > 0n && !canSpend(this, user, 'USDT', more)) return 'leverageNeedsMargin';
    } else if (more > 0n || (positions.length > 0 && leverage < setting.leverage)) {
      const before = setting.leverage;
      setting.leverage = leverage;
      const covered = headroom(this, user, { needed: more }) >= 0n;
      setting.leverage = before;
      if (!covered) return 'leverageNeedsMargin';
    }
    setting.leverage = leverage;
    for (const position of positions) position.leverage = leverage;
    orders.forEach((order, at) => {
      if (order.hold.kind === 'wallet') {
        walletOf(user, 'USDT').locked += holds[at]! - order.hold.amount;
        walletOf(user, 'USDT').available -= holds[at]! - order.hold.amount;
      }
      order.hold.amount = holds[at]!;
      order.leverage = leverage;
    });
    return undefined;
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
    const value = ceiling(price * opening, UNIT) + this.#openValue(order);
    const tier = instrument.tiers.findLast(({ from }) => from < value) ?? instrument.tiers[0]!;
    if (value > instrument.tiers.at(-1)!.to || order.leverage > tier.leverage) return 'insufficientMargin';
    const amount = needFor(price, opening, order.leverage);
    if (order.isolated) {
      if (!canSpend(this, user, 'USDT', amount)) return 'insufficientMargin';
      walletOf(user, 'USDT').available -= amount;
      walletOf(user, 'USDT').locked += amount;
    } else if (headroom(this, user, { needed: amount }) < 0n) return 'insufficientMargin';
    order.hold = { kind: order.isolated ? 'wallet' : 'margin', coin: 'USDT', amount, size: opening };
    return undefined;
  }

  #sameSide(order: Pick<NaiveOrder, 'user' | 'instrument' | 'side'>): NaiveOrder[] {
    return this.orders.filter((each) => each.user === order.user && each.instrument === order.instrument && each.side === order.side);
  }

  #opening(order: NaiveOrder): bigint {
    const position = reducedBy(this, order);
    if (order.user.hedge || position === undefined) return order.left;
    const before = this.#sameSide(order).reduce((sum, { left }) => sum + left, 0n);
    return max(0n, order.left - max(0n, position.size - before));
  }

  /** What the side is worth already: its position at mark and the orders that would add to it, each at its own price. */
  #openValue(order: Pick<NaiveOrder, 'user' | 'instrument' | 'side' | 'positionSide'>): bigint {
    const side = order.positionSide ?? (order.side === 'buy' ? 'long' : 'short');
    const own = this.positions.find((each) => each.user === order.user && each.instrument === order.instrument && each.side === side);
    const orders = this.#sameSide(order).reduce((sum, { limit, hold }) => sum + (limit * hold.size) / UNIT, 0n);
    return orders + (own === undefined ? 0n : valueAtMark(this, order.instrument, own.size));
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
    const makers = () => this.#others(taker.instrument, taker.side).filter((maker) => maker !== taker && this.#crosses(taker, maker));
    if (taker.timeInForce === 'postOnly' && !taker.market && makers().length > 0) return this.#end(taker, 'postOnlyWouldTake');
    let agreed: Set<NaiveOrder> | undefined;
    if (taker.timeInForce === 'fok' && !taker.market) {
      agreed = this.#wholeFrom(taker, makers());
      if (agreed === undefined) return this.#end(taker, 'fokNotFull');
    }
    let seen: bigint | undefined;
    for (const maker of makers()) {
      const isDone = taker.quote === undefined ? taker.left === 0n : seen !== undefined && this.#isSpent(taker, seen);
      if (isDone) break;
      if (maker.user.owner === taker.user.owner && taker.stp !== 'none') {
        if (taker.stp !== 'cancelTaker') this.#end(maker, 'selfTrade');
        if (taker.stp === 'cancelMaker') continue;
        return this.#end(taker, 'selfTrade');
      }
      seen = maker.limit;
      if (this.#isSpent(taker, seen)) break;
      const stop = this.#meet(taker, maker, agreed);
      if (stop !== undefined) return this.#end(taker, stop);
    }
    this.#finish(taker, seen !== undefined && this.#isSpent(taker, seen));
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
    if (taker.instrument.category === 'SPOT')
      fillSpot(taker.side === 'buy' ? taker : maker, taker.side === 'buy' ? maker : taker, maker.limit, size);
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

  #finish(taker: NaiveOrder, isSpent: boolean): void {
    if (isSpent) return this.#end(taker, taker.filled > 0n ? 'filled' : 'iocNotFull');
    if (taker.quote === undefined && taker.left === 0n) return this.#end(taker, taker.filled < taker.size ? 'nothingToReduce' : 'filled');
    if (taker.market) return this.#end(taker, this.#others(taker.instrument, taker.side).length === 0 ? 'iocNotFull' : 'slippage');
    if (taker.timeInForce === 'ioc') this.#end(taker, 'iocNotFull');
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
