/**
 * Actions of traders: place, batch, modify, cancel, close, change settings. Each act reads the
 * current state and draws one command.
 */
import { ORDERS_PER_BATCH_MAX } from '../../contract/orders.ts';
import { coinPriceOf, indexPriceOf } from '../../core/derived/market-context.ts';
import type { State } from '../../core/state/state.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import { money, moneyText, type Price, type Size } from '../../kernel/money.ts';
import type { Random } from '../../kernel/random.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Command } from '../../messages/commands.ts';
import type { Instrument } from '../../messages/listings.ts';
import type { OrderDraft } from '../../messages/orders.ts';
import {
  isFutures,
  LOAN_TYPES,
  MARGIN_MODES,
  POSITION_MODES,
  POSITION_SIDES,
  SELF_TRADE_MODES,
  SIDES,
  TIMES_IN_FORCE,
} from '../../messages/vocabulary.ts';
import { type Crowd, type Role, tradable } from './crowd.ts';

export interface Scene {
  readonly random: Random;
  readonly state: State;
  readonly at: Timestamp;
  readonly wall: Timestamp;
  readonly crowd: Crowd;
}
export type Act = (scene: Scene) => Command;
/** Acts by name, with their weight before the seed changes the mix. */
export type Acts = Readonly<Record<string, readonly [weight: number, act: Act]>>;

const decimal = (text: string): DecimalText => text as DecimalText;

/** One act in this many is performed by another role. */
const OUT_OF_ROLE = 6;

/** A user in one of these roles; sometimes any user, so that every user meets every act. */
export const someone = ({ random, crowd }: Scene, ...roles: Role[]): Uid =>
  random.pick(random.below(OUT_OF_ROLE) === 0 ? crowd.everyone : crowd.members[random.pick(roles)]);

const ONE = money<Price>('1');

/** Around the index by this many hundredths of a percent, on the price step. */
export function priceNear({ state }: Scene, instrument: Instrument, parts: number): DecimalText {
  const step = money<Price>(instrument.priceStep);
  const price = ((indexPriceOf(state, instrument) ?? ONE) * BigInt(10_000 + parts)) / 10_000n;
  const onStep = price - (price % step);
  return decimal(moneyText((onStep > 0n ? onStep : step) as Price));
}

/** Size worth this many dollars, on the size step and at least the minimum. */
export function sizeWorth({ state }: Scene, instrument: Instrument, dollars: number): DecimalText {
  const step = money<Size>(instrument.sizeStep);
  const least = money<Size>(instrument.sizeMin);
  const size = (BigInt(dollars) * ONE * ONE) / (coinPriceOf(state, instrument.baseCoin) ?? ONE);
  const onStep = size - (size % step);
  return decimal(moneyText((onStep < least ? least : onStep) as Size));
}

/** In hedge mode an order names the position; a closing order is on its other side. */
function withPosition(
  { random, state }: Scene,
  uid: Uid,
  draft: OrderDraft,
  closing: boolean,
): OrderDraft {
  if (state.accounts.get(uid)?.positionMode !== 'hedge')
    return closing ? { ...draft, reduceOnly: true } : draft;
  const positionSide = random.pick(POSITION_SIDES);
  const opening = positionSide === 'long' ? 'buy' : 'sell';
  const side = closing ? (opening === 'buy' ? 'sell' : 'buy') : opening;
  return { ...draft, positionSide, side };
}

/** A drawn order before it is a command. */
export interface Request {
  readonly uid: Uid;
  readonly instrument: Instrument;
  readonly dollars: number;
  /** Distance from the index, in hundredths of a percent; a market order if omitted. */
  readonly away?: number;
  readonly closing?: boolean;
}

export function draftOf(
  scene: Scene,
  { uid, instrument, dollars, away, closing = false }: Request,
): OrderDraft {
  const { random } = scene;
  const side = random.pick(SIDES);
  const futures = isFutures(instrument.category);
  const market = away === undefined;
  const inQuote = market && !futures && side === 'buy';
  const passive = away !== undefined && away >= 0;
  const distance = away === undefined ? 0 : side === 'buy' ? -away : away;
  const draft: OrderDraft = {
    symbol: instrument.symbol,
    side,
    orderType: market ? 'market' : 'limit',
    size: inQuote ? decimal(String(dollars)) : sizeWorth(scene, instrument, dollars),
    timeInForce: market
      ? 'gtc'
      : passive
        ? random.pick(['gtc', 'gtc', 'postOnly'])
        : random.pick(TIMES_IN_FORCE),
    reduceOnly: false,
    ...(market ? {} : { price: priceNear(scene, instrument, distance) }),
    ...(random.below(4) === 0 ? { clientOid: `c-${uid}-${random.below(200)}` as ClientOid } : {}),
    ...(random.below(5) === 0 ? { selfTradeMode: random.pick(SELF_TRADE_MODES) } : {}),
    ...(futures && random.below(10) === 0 ? { marginMode: random.pick(MARGIN_MODES) } : {}),
    ...(instrument.category === 'MARGIN' && random.below(3) === 0
      ? { loanType: random.pick(LOAN_TYPES) }
      : {}),
  };
  return futures ? withPosition(scene, uid, draft, closing) : draft;
}

export const place = (scene: Scene, requests: readonly Request[]): Command => ({
  type: 'placeOrders',
  uid: requests[0]!.uid,
  category: requests[0]!.instrument.category,
  orders: requests.map((request) => draftOf(scene, request)),
});

const quote: Act = (scene) => {
  const { random, crowd } = scene;
  const [uid, instrument] = [someone(scene, 'maker'), random.pick(crowd.instruments)];
  const request = (): Request => ({
    uid,
    instrument,
    dollars: 500 + random.below(20_000),
    away: random.below(120),
  });
  const orders =
    random.below(30) === 0 ? 1 + random.below(ORDERS_PER_BATCH_MAX) : 1 + random.below(2);
  return place(scene, Array.from({ length: orders }, request));
};

/** Rests far from the price, until the limit of open orders is reached. */
const hoard: Act = (scene) => {
  const { random, crowd } = scene;
  const [uid, instrument] = [someone(scene, 'whale'), crowd.futures[0]!];
  const request = (): Request => ({
    uid,
    instrument,
    dollars: 20 + random.below(200),
    away: 300 + random.below(150),
  });
  return place(scene, Array.from({ length: ORDERS_PER_BATCH_MAX }, request));
};

const take: Act = (scene) => {
  const { random, crowd } = scene;
  const uid = someone(scene, 'taker', 'hedger', 'borrower');
  const request: Request = {
    uid,
    instrument: random.pick(crowd.instruments),
    dollars: 20 + random.below(5_000),
    closing: random.below(3) === 0,
  };
  return place(scene, [
    random.below(2) === 0 ? request : { ...request, away: random.below(60) - 50 },
  ]);
};

const sweep: Act = (scene) => {
  const { random, crowd } = scene;
  const request: Request = {
    uid: someone(scene, 'whale'),
    instrument: random.pick(crowd.instruments),
    dollars: 100_000 + random.below(2_000_000),
  };
  return place(scene, [
    random.below(2) === 0 ? request : { ...request, away: -300, closing: random.below(2) === 0 },
  ]);
};

/** Uses nearly all available money, at the current leverage. */
const gamble: Act = (scene) => {
  const { random, crowd } = scene;
  return place(scene, [
    {
      uid: someone(scene, 'gambler'),
      instrument: random.pick(tradable(crowd, true)),
      dollars: 2_000 + random.below(60_000),
    },
  ]);
};

const borrow: Act = (scene) => {
  const { random, crowd } = scene;
  const pairs = crowd.instruments.filter(({ category }) => category === 'MARGIN');
  const { symbol, baseCoin, quoteCoin } = random.pick(pairs);
  const coin = random.pick([baseCoin, quoteCoin]);
  const amount = decimal(random.pick(['0.1', '5', '250', '2000']));
  const uid = someone(scene, 'borrower');
  if (random.below(2) === 0)
    return {
      type: 'transferIsolated',
      uid,
      symbol,
      coin,
      amount,
      direction: random.pick(['in', 'in', 'out']),
    };
  if (random.below(3) === 0) return { type: 'repayIsolated', uid, symbol, coin, amount };
  return { type: 'borrowIsolated', uid, symbol, coin, amount };
};

const cancel: Act = (scene) => {
  const { random, state } = scene;
  const uid = someone(scene, 'maker', 'maker', 'taker', 'hedger', 'borrower');
  const open = [...(state.accounts.get(uid)?.openOrders ?? [])];
  if (open.length === 0) return { type: 'cancelOrders', uid, orders: [{ orderId: 1 as Id }] };
  const count = Math.min(open.length, 1 + random.below(8));
  return {
    type: 'cancelOrders',
    uid,
    orders: Array.from({ length: count }, () => ({ orderId: random.pick(open) })),
  };
};

/**
 * Changes price, size or both, as a trader following the market; sometimes neither, or with a new
 * order.
 */
const modify: Act = (scene) => {
  const { random, state } = scene;
  const uid = someone(scene, 'maker', 'maker', 'maker', 'taker', 'hedger', 'borrower');
  const open = state.accounts.get(uid)?.openOrders ?? [];
  const order = open.length === 0 ? undefined : state.orders.get(random.pick(open));
  const listed = order === undefined ? undefined : state.instruments.get(order.key);
  if (order === undefined || listed === undefined)
    return {
      type: 'modifyOrder',
      uid,
      orderId: 1 as Id,
      price: decimal('1'),
      replace: false,
      autoCancel: false,
    };
  const { instrument } = listed;
  const away = random.below(120) - 10;
  const what = random.below(8);
  const replace = random.below(3) === 0;
  return {
    type: 'modifyOrder',
    uid,
    orderId: order.id,
    ...(what < 5
      ? { price: priceNear(scene, instrument, order.side === 'buy' ? -away : away) }
      : {}),
    ...(what > 2 && what < 7
      ? { size: sizeWorth(scene, instrument, 20 + random.below(20_000)) }
      : {}),
    replace,
    ...(replace && random.below(2) === 0
      ? { newClientOid: `c-${uid}-${random.below(200)}` as ClientOid }
      : {}),
    autoCancel: random.below(10) === 0,
    ...(isFutures(order.category) && random.below(6) === 0
      ? {
          tpsl: {
            takeProfit: {
              triggerPrice: priceNear(scene, instrument, order.side === 'buy' ? 300 : -300),
            },
          },
        }
      : {}),
  };
};

const cancelAll: Act = (scene) => {
  const { random, crowd } = scene;
  const { category, symbol } = random.pick(crowd.instruments);
  return {
    type: 'cancelAllOrders',
    uid: random.pick(crowd.everyone),
    category,
    ...(random.below(2) === 0 ? { symbol } : {}),
  };
};

const close: Act = (scene) => {
  const { random, crowd } = scene;
  const { category, symbol } = random.pick(tradable(crowd, true));
  if (!isFutures(category)) throw new Error('futures only');
  return {
    type: 'closePositions',
    uid: random.pick(crowd.everyone),
    category,
    ...(random.below(2) === 0 ? { symbol } : {}),
    ...(random.below(3) === 0 ? { side: random.pick(POSITION_SIDES) } : {}),
  };
};

const setUp: Act = (scene) => {
  const { random, crowd } = scene;
  const { category, symbol } = random.pick(tradable(crowd, true));
  if (!isFutures(category)) throw new Error('futures only');
  const uid = someone(scene, 'gambler', 'gambler', 'hedger', 'taker', 'whale');
  const side = random.below(3) === 0 ? { side: random.pick(POSITION_SIDES) } : {};
  switch (random.below(7)) {
    case 0:
    case 1:
      return {
        type: 'setLeverage',
        uid,
        category,
        symbol,
        leverage: decimal(random.pick(['1', '5', '20', '50', '75', '125'])),
        ...side,
      };
    case 2:
      return {
        type: 'setMarginMode',
        uid,
        category,
        symbol,
        marginMode: random.pick(MARGIN_MODES),
      };
    case 3:
      return { type: 'setPositionMode', uid, positionMode: random.pick(POSITION_MODES) };
    case 4:
      return {
        type: 'adjustMargin',
        uid,
        category,
        symbol,
        amount: decimal(random.pick(['0.001', '10', '500'])),
        direction: random.pick(['add', 'remove']),
        ...side,
      };
    case 5:
      return { type: 'setCountdown', uid, ms: random.pick([0, 5_000, 20_000, 60_000, 61_000]) };
    default:
      return { type: 'setSelfTradeMode', uid, selfTradeMode: random.pick(SELF_TRADE_MODES) };
  }
};

export const TRADING: Acts = {
  quote: [30, quote],
  hoard: [1, hoard],
  take: [26, take],
  sweep: [2, sweep],
  gamble: [6, gamble],
  borrow: [4, borrow],
  cancel: [14, cancel],
  modify: [8, modify],
  cancelAll: [1, cancelAll],
  close: [2, close],
  setUp: [4, setUp],
};
