/** Reads of one thing, and of positions: drawn, answered from the events, and compared. */
import type { Random } from '../../src/kernel/random.ts';
import type { PositionRow } from '../../src/messages/orders.ts';
import type { Known } from './known.ts';
import { futuresDetail, type OrderState, orderTexts } from './order-rows.ts';
import type { Asked, EndpointName } from './program.ts';
import { average, decimals, eventsOf, having, modeText, paid, wireId } from './row.ts';
import { positionTpsl, type TriggerState } from './trigger-rows.ts';

type Shown = Readonly<Record<string, unknown>>;

/** A question and its expected answer; only the named fields of rows are compared. */
export interface SingleRead {
  readonly name: EndpointName;
  readonly uid: number;
  readonly asked: Asked;
  /** Undefined if it is refused. */
  readonly right: Shown | readonly Shown[] | undefined;
}

const ANONYMOUS = { orderId: '1000000000009999999', clientOid: 'none' } as const;

/** By its id, by its client id, by both, or by an unknown one; the id wins. */
function drawName(random: Random, { order }: OrderState): Asked {
  const byId = { orderId: random.below(8) === 0 ? ANONYMOUS.orderId : wireId(order.orderId) };
  const byName = {
    clientOid: random.below(8) === 0 ? ANONYMOUS.clientOid : (order.clientOid as string),
  };
  return random.pick([byId, byName, { ...byName, ...byId }]);
}

/** A client id that was used again names the newest order. */
function orderNamed(
  known: Known,
  uid: number,
  { orderId, clientOid }: Asked,
): OrderState | undefined {
  const own = having(known.allOrders, ({ order }) => order.uid as number, uid);
  if (orderId !== undefined) return own.find(({ order }) => wireId(order.orderId) === orderId);
  return own.findLast(({ order }) => order.clientOid === clientOid);
}

function orderReads(random: Random, known: Known): readonly SingleRead[] {
  const all = known.allOrders;
  const meant = random.pick(all);
  // Sometimes a user asks for data of another user.
  const { uid } = random.below(10) === 0 ? random.pick(all).order : meant.order;
  const asked = drawName(random, meant);
  const found = orderNamed(known, uid, asked);
  const { category, symbol } = random.below(5) === 0 ? random.pick(all).order : meant.order;
  const unified: SingleRead = {
    name: 'getOrder',
    uid,
    asked,
    right: found && orderTexts.unified(found),
  };
  const spot: SingleRead = {
    name: 'getSpotOrder',
    uid,
    asked,
    right: found?.order.category === 'SPOT' ? [orderTexts.spot(found)] : [],
  };
  if (!category.endsWith('FUTURES')) return [unified, spot];
  const isThere = found?.order.category === category && found.order.symbol === symbol;
  const futures = {
    name: 'getFuturesOrder',
    uid,
    asked: { ...asked, symbol, productType: category },
  } as const;
  return [unified, spot, { ...futures, right: isThere ? futuresDetail(found) : undefined }];
}

/** TRG-73. */
function subOrders({ status, order, trigger }: TriggerState): readonly Shown[] {
  const type = trigger.price === undefined ? 'market' : 'limit';
  if (status === 'failed') return [{ orderId: '', price: '', type, status: 'fail' }];
  if (order === undefined) return [];
  const limit = order.order.price === undefined ? '' : decimals(order.order.price);
  const price = order.size === 0n ? limit : decimals(average(order.value, order.size));
  const became = order.ended
    ? order.status === 'filled'
      ? 'success'
      : 'cancelled'
    : 'in_progress';
  return [{ orderId: wireId(order.order.orderId), price, type, status: became }];
}

function subOrderRead(random: Random, known: Known): readonly SingleRead[] {
  const all = [...known.triggers.values()];
  if (all.length === 0) return [];
  const run = random.pick(all);
  const { uid, triggerId, category } = run.trigger;
  const productType = random.pick([category, category, category, 'USDC-FUTURES']);
  const right = productType === category ? subOrders(run) : [];
  return [
    {
      name: 'listTriggerSubOrders',
      uid,
      asked: { planOrderId: wireId(triggerId), productType },
      right,
    },
  ];
}

function openPositions(known: Known, uid: number): readonly PositionRow[] {
  const open = new Map<number, PositionRow>();
  for (const { event } of eventsOf(known.emitted, 'positionChanged')) {
    const { position } = event;
    if (position.uid !== uid) continue;
    if (position.size > 0n) open.set(position.positionId, position);
    else open.delete(position.positionId);
  }
  return [...open.values()].toSorted((one, other) => other.positionId - one.positionId);
}

/** Size held by open closing orders; in one-way mode by reduce-only orders (ORD-53). */
function lockedOf(known: Known, { uid, category, symbol, side, size }: PositionRow): bigint {
  let locked = 0n;
  for (const { order, ended, size: filled } of having(
    known.allOrders,
    ({ order: each }) => each.uid as number,
    uid,
  )) {
    const isOwn =
      !ended && order.uid === uid && order.category === category && order.symbol === symbol;
    const closes =
      order.positionMode === 'hedge'
        ? order.intent === 'close' && order.positionSide === side
        : order.reduceOnly;
    if (isOwn && closes && order.side === (side === 'long' ? 'sell' : 'buy'))
      locked += order.size - filled;
  }
  return locked < size ? locked : size;
}

/** Fields of a position that depend on no price. */
const positionTexts = (known: Known, position: PositionRow, locked: 'locked' | 'frozen') => ({
  symbol: position.symbol,
  marginCoin: position.marginCoin,
  total: decimals(position.size),
  available: decimals(position.size - lockedOf(known, position)),
  [locked]: decimals(lockedOf(known, position)),
  leverage: position.leverage,
  marginMode: position.marginMode,
});
const entryOf = ({ entry }: PositionRow): string =>
  decimals((2n * entry.cost + entry.size) / (2n * entry.size));
const priceOr = (price: bigint | undefined): string => (price === undefined ? '' : decimals(price));

function positionReads(random: Random, known: Known): readonly SingleRead[] {
  const emitted = eventsOf(known.emitted, 'positionChanged');
  if (emitted.length === 0) return [];
  const { uid, category, symbol, side } = random.pick(emitted).event.position;
  const open = openPositions(known, uid).filter((position) => position.category === category);
  const classic = open.map((position) => {
    const tpsl = positionTpsl(known.triggers.values(), position);
    return {
      ...positionTexts(known, position, 'locked'),
      holdSide: position.side,
      openPriceAvg: entryOf(position),
      posMode: modeText(position.positionMode),
      achievedProfits: decimals(position.realisedProfit),
      totalFee: position.funding === undefined ? '' : decimals(position.funding),
      cTime: String(position.createdAt),
      uTime: String(position.updatedAt),
      takeProfit: priceOr(tpsl.takeProfit),
      stopLoss: priceOr(tpsl.stopLoss),
    };
  });
  const narrowed = random.pick<Asked>([
    {},
    { symbol },
    { posSide: side },
    { symbol, posSide: side },
  ]);
  const unified = open
    .filter(
      (position) =>
        (narrowed.symbol ?? position.symbol) === position.symbol &&
        (narrowed.posSide ?? position.side) === position.side,
    )
    .map((position) => ({
      ...positionTexts(known, position, 'frozen'),
      category,
      posSide: position.side,
      avgPrice: entryOf(position),
      holdMode: modeText(position.positionMode),
      totalFunding: decimals(position.funding ?? 0n),
      openFeeTotal: paid(position.openFees),
      closeFeeTotal: paid(position.closeFees),
      createdTime: String(position.createdAt),
      updatedTime: String(position.updatedAt),
    }));
  return [
    { name: 'getAllPositions', uid, asked: { productType: category }, right: classic },
    { name: 'getCurrentPositions', uid, asked: { category, ...narrowed }, right: unified },
  ];
}

export const drawSingleReads = (random: Random, known: Known): readonly SingleRead[] => [
  ...orderReads(random, known),
  ...subOrderRead(random, known),
  ...positionReads(random, known),
];
