/** Open positions as both API versions show them. */
import type { Random } from '../../src/kernel/random.ts';
import type { PositionRow } from '../../src/messages/orders.ts';
import type { Asked, EndpointName } from '../lists/program.ts';
import { decimals, modeText, paid, wireId } from '../lists/row.ts';
import {
  costOf,
  has,
  isInverse,
  Margin,
  maintenanceOf,
  marginRatio,
  needs,
  profitOf,
  sizeOf,
  tierRate,
  tierValue,
  worthAt,
} from './accounts-margin.ts';
import type { Folio, Folios } from './folio.ts';
import {
  ceiling,
  type Fraction,
  floor,
  input,
  isPositive,
  less,
  minus,
  ONE,
  ofUnits,
  over,
  roundNearest,
  sum,
  times,
} from './fractions.ts';
import { isMet } from './positions-liquidation.ts';

/** Size held by open closing orders; in one-way mode by reduce-only orders (ORD-53). */
export function lockedOf({ orders }: Folio, { category, symbol, side, size }: PositionRow): bigint {
  let locked = 0n;
  for (const { order, left } of orders.values()) {
    if (order.category !== category || order.symbol !== symbol) continue;
    const closes =
      order.positionMode === 'hedge'
        ? order.intent === 'close' && order.positionSide === side
        : order.reduceOnly;
    if (closes && order.side === (side === 'long' ? 'sell' : 'buy')) locked += left;
  }
  return locked < size ? locked : size;
}

/** POS-09. */
export function increasing({ orders }: Folio, { category, symbol, side }: PositionRow): bigint {
  let size = 0n;
  for (const { order, left } of orders.values()) {
    if (order.category !== category || order.symbol !== symbol) continue;
    const opens =
      order.positionMode === 'hedge'
        ? order.intent === 'open' && order.positionSide === side
        : !order.reduceOnly;
    if (opens && order.side === (side === 'long' ? 'buy' : 'sell')) size += left;
  }
  return size;
}

/** POS-151. Undefined if no positive price breaks even. */
function exactBreakEven(position: PositionRow, fee: Fraction): Fraction | undefined {
  const spent = less(ofUnits(position.openFees), ofUnits(position.funding ?? 0n));
  const isLong = position.side === 'long';
  const directed = isLong ? spent : minus(spent);
  const rest = isLong ? less(ONE, fee) : sum(ONE, fee);
  if (!isInverse(position))
    return over(sum(costOf(position), directed), times(sizeOf(position), rest));
  const inverse = isLong ? sum(ONE, fee) : less(ONE, fee);
  const coins = less(sizeOf(position), directed);
  return isPositive(coins) ? over(times(costOf(position), inverse), coins) : undefined;
}

/** Rounded against the account; shown as zero if it is not positive. */
function breakEven(position: PositionRow, fee: Fraction): bigint {
  const price = exactBreakEven(position, fee);
  if (price === undefined || !isPositive(price)) return 0n;
  return position.side === 'long' ? ceiling(price) : floor(price);
}

export interface Figures {
  readonly margin: Fraction;
  readonly profit: Fraction;
  readonly ratio: Fraction;
  readonly rate: string;
  readonly breakEven: bigint;
}

export function figuresOf(
  folios: Folios,
  folio: Folio,
  position: PositionRow,
  account: Margin,
): Figures {
  const mark = ofUnits(folios.mark(position));
  const instrument = folios.instrumentOf(position);
  const fee = folios.takerFee(folio);
  const isCrossed = position.marginMode === 'crossed';
  const profit = has(profitOf(position, mark));
  const margin = isCrossed
    ? needs(over(worthAt(position, mark), input(position.leverage)))
    : ofUnits(position.margin);
  const ratio = isCrossed
    ? marginRatio(account.maintenance, account.equity)
    : marginRatio(maintenanceOf(instrument, position, mark, fee), sum(margin, profit));
  return {
    margin,
    profit,
    ratio,
    rate: tierRate(instrument, tierValue(position, mark)),
    breakEven: breakEven(position, fee),
  };
}

/** TRG-75. */
function exitOf(
  { triggers }: Folio,
  { category, symbol, side }: PositionRow,
  whole: string,
  part: string,
) {
  const own = [...triggers.values()]
    .filter(
      (trigger) =>
        trigger.category === category && trigger.symbol === symbol && trigger.positionSide === side,
    )
    .toSorted((one, other) => one.triggerId - other.triggerId);
  const found = own.find(({ kind }) => kind === whole) ?? own.find(({ kind }) => kind === part);
  return found === undefined ? ['', ''] : [decimals(found.triggerPrice), wireId(found.triggerId)];
}

export const averageEntry = ({ entry }: PositionRow): string =>
  decimals(roundNearest({ above: entry.cost, below: entry.size * 10n ** 10n }));

export type Shown = Readonly<Record<string, unknown>>;

export function classicPosition(
  folios: Folios,
  folio: Folio,
  position: PositionRow,
  account: Margin,
): Shown {
  const locked = lockedOf(folio, position);
  const {
    margin,
    profit,
    ratio,
    rate,
    breakEven: even,
  } = figuresOf(folios, folio, position, account);
  return {
    symbol: position.symbol,
    marginCoin: position.marginCoin,
    holdSide: position.side,
    openDelegateSize: decimals(increasing(folio, position)),
    marginSize: decimals(floor(margin)),
    available: decimals(position.size - locked),
    locked: decimals(locked),
    total: decimals(position.size),
    leverage: position.leverage,
    achievedProfits: decimals(position.realisedProfit),
    openPriceAvg: averageEntry(position),
    marginMode: position.marginMode,
    posMode: modeText(folio.positionMode),
    unrealizedPL: decimals(floor(profit)),
    keepMarginRate: rate,
    markPrice: decimals(folios.mark(position)),
    marginRatio: decimals(ceiling(ratio)),
    breakEvenPrice: decimals(even),
    totalFee: position.funding === undefined ? '' : decimals(position.funding),
    deductedFee: paid(position.openFees + position.closeFees),
    assetMode: 'union',
    cTime: String(position.createdAt),
    uTime: String(position.updatedAt),
  };
}

export function tpslOf(folio: Folio, position: PositionRow): Shown {
  const [takeProfit, takeProfitId] = exitOf(folio, position, 'positionTakeProfit', 'takeProfit');
  const [stopLoss, stopLossId] = exitOf(folio, position, 'positionStopLoss', 'stopLoss');
  return { takeProfit, takeProfitId, stopLoss, stopLossId };
}

export function unifiedPosition(
  folios: Folios,
  folio: Folio,
  position: PositionRow,
  account: Margin,
): Shown {
  const locked = lockedOf(folio, position);
  const { margin, profit, rate, breakEven: even } = figuresOf(folios, folio, position, account);
  return {
    category: position.category,
    symbol: position.symbol,
    marginCoin: position.marginCoin,
    holdMode: modeText(folio.positionMode),
    posSide: position.side,
    marginMode: position.marginMode,
    positionBalance: decimals(floor(margin)),
    available: decimals(position.size - locked),
    frozen: decimals(locked),
    total: decimals(position.size),
    leverage: position.leverage,
    curRealisedPnl: decimals(position.realisedProfit),
    avgPrice: averageEntry(position),
    positionStatus: 'normal',
    unrealisedPnl: decimals(floor(profit)),
    mmr: rate,
    profitRate: isPositive(margin) ? decimals(floor(over(profit, margin))) : '0',
    markPrice: decimals(folios.mark(position)),
    breakEvenPrice: decimals(even),
    totalFunding: decimals(position.funding ?? 0n),
    openFeeTotal: paid(position.openFees),
    closeFeeTotal: paid(position.closeFees),
    createdTime: String(position.createdAt),
    updatedTime: String(position.updatedAt),
  };
}

/** Latest created first (POS-01). */
export const positionsOf = (folio: Folio, category: string): readonly PositionRow[] =>
  [...folio.positions.values()]
    .filter((position) => position.category === category)
    .toSorted((one, other) => other.positionId - one.positionId);

/** A question and its expected answer. */
export interface Question {
  readonly name: EndpointName;
  readonly asked: Asked;
  /** Undefined if it is refused. */
  readonly right: unknown;
  /** The compared part of the answer, if not all of it. */
  readonly seen?: (data: unknown) => unknown;
}

/** Shown in place of a price that is right within rounding. */
const MET = 'met';

export function positionQuestions(
  random: Random,
  folios: Folios,
  folio: Folio,
  category: string,
): readonly Question[] {
  const open = positionsOf(folio, category);
  const account = new Margin(folios, folio);
  const known = open.map((position) => ({
    position,
    classic: { ...classicPosition(folios, folio, position, account), liquidationPrice: MET },
    unified: { ...unifiedPosition(folios, folio, position, account), liquidationPrice: MET },
  }));
  /** Requested rows, in both API versions. */
  const ask = (is: (position: PositionRow) => boolean) => {
    const wanted = known.filter(({ position }) => is(position));
    const met = (rows: unknown): unknown =>
      !Array.isArray(rows)
        ? rows
        : rows.map((row: Shown, at) => {
            const position = wanted[at]?.position;
            const isRight =
              position !== undefined &&
              isMet(folios, folio, position, input(row.liquidationPrice as string));
            return isRight ? { ...row, liquidationPrice: MET } : row;
          });
    return { wanted, met };
  };
  const all = ask(() => true);
  const coin = random.pick(['USDT', 'usdc', 'Btc', 'ETH']);
  const ofCoin = ask(({ marginCoin }) => marginCoin === coin.toUpperCase());
  const rows = ({ wanted }: typeof all): readonly Shown[] =>
    wanted.map(({ position, classic }) => ({ ...classic, ...tpslOf(folio, position) }));
  const listed = (data: unknown, { met }: typeof all): unknown => ({
    list: met((data as { readonly list: unknown }).list),
  });
  const unified = (narrowed: Asked): Question => {
    const found = ask(
      ({ symbol, side }) =>
        (narrowed.symbol ?? symbol) === symbol && (narrowed.posSide ?? side) === side,
    );
    const right = { list: found.wanted.map((row) => row.unified) };
    return {
      name: 'getCurrentPositions',
      asked: { category, ...narrowed },
      right,
      seen: (data) => listed(data, found),
    };
  };
  const classic: readonly Question[] = [
    { name: 'getAllPositions', asked: { productType: category }, right: rows(all), seen: all.met },
    {
      name: 'getAllPositions',
      asked: { productType: category, marginCoin: coin },
      right: rows(ofCoin),
      seen: ofCoin.met,
    },
  ];
  if (open.length === 0) return [...classic, unified({})];
  const { symbol, side, marginCoin } = random.pick(open);
  const single = ask((position) => position.symbol === symbol);
  const right = single.wanted.map((row) => ({ ...row.classic, autoMargin: 'off' }));
  return [
    ...classic,
    {
      name: 'getSinglePosition',
      asked: { productType: category, symbol, marginCoin },
      right,
      seen: single.met,
    },
    unified(random.pick<Asked>([{}, { symbol }, { posSide: side }, { symbol, posSide: side }])),
  ];
}
