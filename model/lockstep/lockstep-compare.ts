/** Translates results of the engine into the words of the naive exchange, and compares both. */
import { createEngine, type Engine, type Executed } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../../src/kernel/ids.ts';
import type { CommandOf } from '../../src/messages/commands.ts';
import type { OrderDraft } from '../../src/messages/orders.ts';
import type { LoanType, SelfTradeMode, TimeInForce } from '../../src/messages/vocabulary.ts';
import type { NaiveExchange } from '../exchange/naive-exchange.ts';
import type { NaiveDraft } from '../exchange/naive-placing.ts';
import type { NaiveInstrument, NaivePrices } from '../exchange/naive-state.ts';
import { shown } from '../exchange/whole-units.ts';
import { comparePairs, pairLiquidation, pairLoans } from './lockstep-pairs.ts';
import { type Counters, count } from './lockstep-run.ts';
import type { Future } from './lockstep-world.ts';

/** Much faster than a matcher; it is called about a hundred times per command. */
export function same(what: string, engine: readonly unknown[], naive: readonly unknown[]): void {
  const isSame = engine.length === naive.length && engine.every((value, at) => value === naive[at]);
  if (!isSame)
    throw new Error(
      `${what}: the engine says ${engine.join(', ')}; the naive exchange ${naive.join(', ')}`,
    );
}

/** The same engine, restored from its own bytes. */
export function restored(engine: Engine, options: Parameters<typeof createEngine>[0] = {}): Engine {
  const other = createEngine(options);
  other.restore(engine.serialize());
  same('restored', [other.digest(), other.stateHash()], [engine.digest(), engine.stateHash()]);
  return other;
}

/** Numbers orders in order of acceptance, as the naive exchange does. */
export class OrderNumbers {
  readonly ids: Id[] = [];
  readonly #numbers = new Map<Id, number>();

  /** Accepted orders take the next numbers. */
  take(events: Executed['events']): void {
    for (const event of events) {
      if (event.type !== 'orderAccepted') continue;
      this.#numbers.set(event.order.orderId, this.ids.length);
      this.ids.push(event.order.orderId);
    }
  }

  readonly of = (id: Id): number => this.#numbers.get(id)!;
}

/** Names on both sides. */
export interface Names {
  readonly uids: readonly Uid[];
  /** Engine ids by the naive exchange's order numbers. */
  readonly ids: readonly Id[];
}

export function compareMoney({ state }: Engine, naive: NaiveExchange, { uids, ids }: Names): void {
  for (const user of naive.users) {
    const uid = uids[user.name]!;
    for (const [coin, wallet] of Object.entries(user.wallets)) {
      const own = state.ledger.wallets.get(uid)?.get(coin);
      const debt = state.debts.get(uid)?.get(coin);
      const engine = [
        own?.available ?? 0n,
        own?.locked ?? 0n,
        own?.margin ?? 0n,
        debt?.principal ?? 0n,
        debt?.interest ?? 0n,
        debt?.exemptPrincipal ?? 0n,
      ];
      same(`${coin} of ${user.name}`, engine, [
        wallet.available,
        wallet.locked,
        wallet.margin,
        wallet.debt,
        wallet.interest,
        wallet.exemptPrincipal,
      ]);
    }
  }
  for (const [coin, { fees, interest, insurance }] of Object.entries(naive.house)) {
    const own = state.ledger.house.get(coin);
    const loaned = naive.users.reduce(
      (sum, { wallets }) => sum + (wallets[coin]?.debt ?? 0n),
      pairLoans(naive, coin),
    );
    same(
      `${coin} of the house`,
      [own?.fees ?? 0n, own?.interest ?? 0n, own?.insurance ?? 0n, own?.borrowPool ?? 0n],
      [fees, interest, insurance, -loaned],
    );
  }
  comparePairs({ state }, naive, { uids, ids });
  same(
    'positions',
    [[...state.positions.values()].reduce((sum, own) => sum + own.size, 0)],
    [naive.positions.length],
  );
  for (const { user, instrument, side, ...rest } of naive.positions) {
    const own = state.positions
      .get(uids[user.name]!)
      ?.get(`${instrument.category}:${instrument.symbol}:${side}`);
    const engine =
      own === undefined
        ? []
        : [
            own.entry.size,
            own.entry.cost,
            own.margin,
            own.realisedProfit,
            own.openFees,
            own.closeFees,
            own.funding,
          ];
    same(`${instrument.symbol} ${side} of ${user.name}`, engine, [
      rest.size,
      rest.cost,
      rest.margin,
      rest.realised,
      rest.openFees,
      rest.closeFees,
      rest.funding,
    ]);
  }
  same('open orders', [state.orders.size], [naive.orders.length]);
  for (const { number, size, limit, left, filled, instrument, hold, ...rest } of naive.orders) {
    const own = state.orders.get(ids[number]!)!;
    const held =
      own.hold.kind === 'none'
        ? [0n, 0n]
        : [own.hold.amount, BigInt(own.hold.lots) * instrument.lot];
    const [asked, open, done] = [own.lots, own.left, own.filled].map(
      (lots) => BigInt(lots) * instrument.lot,
    );
    const engine = [
      BigInt(own.limit) * instrument.tick,
      asked,
      open,
      done,
      ...held,
      own.waiting,
      own.leverage ?? '',
    ];
    const leverage = instrument.category === 'SPOT' ? '' : shown(rest.leverage);
    same(`order ${number}`, engine, [
      limit,
      size,
      left,
      filled,
      hold.amount,
      hold.size,
      rest.waits,
      leverage,
    ]);
  }
}

/** One answer, or one for each item. */
export function answersOf(outcome: Executed['outcome']): string[] {
  if (!outcome.ok) return [outcome.refusal.reason];
  if (!Array.isArray(outcome.value)) return ['accepted'];
  return (outcome.value as { ok?: boolean; refusal?: { reason: string } }[]).map((item) =>
    item.ok === false ? item.refusal!.reason : 'accepted',
  );
}

/** Each trade, from its two fills. */
function engineTrades(events: Executed['events'], number: (id: Id) => number): string[] {
  const fills = events.flatMap((event) => (event.type === 'fillSettled' ? [event.fill] : []));
  const emitted: string[] = [];
  for (let at = 0; at + 1 < fills.length; at += 2) {
    const [taker, maker] = [fills[at]!, fills[at + 1]!];
    same(
      'fills',
      [taker.role, taker.tradeId, taker.size, taker.price],
      ['taker', maker.tradeId, maker.size, maker.price],
    );
    emitted.push(
      `${number(taker.orderId)} takes ${shown(taker.size)} at ${shown(taker.price)} from ${number(maker.orderId)}`,
    );
  }
  return emitted;
}

const engineEnds = (events: Executed['events'], number: (id: Id) => number): string[] =>
  events
    .flatMap((event) =>
      event.type === 'orderEnded'
        ? [`${number(event.end.orderId)} ${event.end.cancelReason ?? event.end.status}`]
        : [],
    )
    .sort();

export const engineFundings = (events: Executed['events']): string[] =>
  events.flatMap((event) =>
    event.type === 'fundingSettled' ? [`${event.symbol} ${event.rate}`] : [],
  );

/** Compares trades, ends of orders and liquidations. */
export function compareTrading(
  events: Executed['events'],
  { trades, ends, liquidations }: NaiveExchange['report'],
  {
    uids,
    numberOf,
    positions,
  }: { uids: readonly Uid[]; numberOf: (id: Id) => number; positions: Map<Id, string> },
): void {
  const traded = trades.map(
    ({ maker, taker, price, size }) =>
      `${taker} takes ${shown(size)} at ${shown(price)} from ${maker}`,
  );
  same('trades', engineTrades(events, numberOf), traded);
  same('liquidations', engineLiquidations(events, uids, positions), liquidations);
  same('ends', engineEnds(events, numberOf), ends.map(([at, reason]) => `${at} ${reason}`).sort());
}

export function countReport(
  counters: Counters,
  { answers, happened, ends, trades }: NaiveExchange['report'],
): void {
  for (const name of [...answers, ...happened]) count(counters, name);
  for (const [, reason] of ends) count(counters, `ended ${reason}`);
  count(counters, 'trades', trades.length);
}

export function compareAudit(engine: Engine): void {
  const { coins, violations } = engine.audit();
  same('violations', violations, []);
  const wrong = coins.filter(({ difference }) => difference !== 0n);
  same('differences', wrong, []);
}

/** Positions are named by earlier events. */
function engineLiquidations(
  events: Executed['events'],
  uids: readonly Uid[],
  positions: Map<Id, string>,
): string[] {
  const emitted: string[] = [];
  for (const event of events) {
    if (event.type === 'positionChanged')
      positions.set(event.position.positionId, ` ${event.position.symbol} ${event.position.side}`);
    emitted.push(...pairLiquidation(event, uids));
    if (event.type !== 'liquidationBegun') continue;
    const { uid, positionId, equity, maintenance } = event;
    const what = positionId === undefined ? '' : positions.get(positionId);
    emitted.push(`${uids.indexOf(uid)}${what}: ${equity} of ${maintenance}`);
  }
  return emitted;
}

/** An order as a request to the engine. */
export function engineDraft({ symbol }: NaiveInstrument, draft: NaiveDraft): OrderDraft {
  return {
    symbol,
    side: draft.side,
    orderType: draft.market ? 'market' : 'limit',
    size: draft.size as DecimalText,
    ...(draft.price === undefined ? {} : { price: draft.price as DecimalText }),
    timeInForce: draft.timeInForce as TimeInForce,
    ...(draft.positionSide === undefined ? {} : { positionSide: draft.positionSide }),
    ...(draft.stp === undefined ? {} : { selfTradeMode: draft.stp as SelfTradeMode }),
    reduceOnly: draft.reduceOnly,
    ...(draft.loanType === undefined ? {} : { loanType: draft.loanType as LoanType }),
    ...(draft.name === undefined ? {} : { clientOid: draft.name as ClientOid }),
    ...(draft.marginMode === undefined ? {} : { marginMode: draft.marginMode }),
  };
}

/** Prices as a command for the engine. Marks are pinned, so that only the stream moves them. */
export function enginePrices(
  futures: readonly Future[],
  { indexes, marks }: NaivePrices,
): CommandOf<'setPrices'>['prices'] {
  return futures.map(({ category, symbol, base }) => ({
    category,
    symbol,
    index: shown(indexes[base]!) as DecimalText,
    mark: shown(marks[symbol]!) as DecimalText,
    releaseMark: false,
    force: true,
  }));
}
