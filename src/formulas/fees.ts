/** Fees: the rates of each level, and the fee of a fill (POS-26 to POS-30). */
import {
  type Amount,
  money,
  type Price,
  type Rate,
  type Size,
  ZERO_RATE,
} from '../kernel/money.ts';
import type { FillRow } from '../messages/orders.ts';
import {
  type Category,
  type ExecutionKind,
  isFutures,
  type Level,
} from '../messages/vocabulary.ts';
import type { Entry } from './entry.ts';
import { ceilingDivide, UNIT, UNIT_SQUARED } from './exact.ts';

export interface FeeRates {
  readonly maker: Rate;
  readonly taker: Rate;
}
export type FeeTable = { readonly [Name in Level]: FeeRates };

/** The fee tables in force: an operator may replace one. */
export interface FeeTables {
  spot: FeeTable;
  futures: FeeTable;
}

const rates = (maker: string, taker: string): FeeRates => ({
  maker: money<Rate>(maker),
  taker: money<Rate>(taker),
});

/** The default table. From VIP0 up, and on through PRO, each level costs less. */
export const SPOT_FEES: FeeTable = {
  VIP0: rates('0.001', '0.001'),
  VIP1: rates('0.0008', '0.0008'),
  VIP2: rates('0.00065', '0.0007'),
  VIP3: rates('0.0005', '0.0006'),
  VIP4: rates('0.0004', '0.0005'),
  VIP5: rates('0.0003', '0.0004'),
  VIP6: rates('0.0002', '0.00035'),
  VIP7: rates('0', '0.0003'),
  PRO1: rates('0', '0.00028'),
  PRO2: rates('0', '0.00026'),
  PRO3: rates('0', '0.00024'),
  PRO4: rates('0', '0.00022'),
  PRO5: rates('0', '0.0002'),
  PRO6: rates('0', '0.00018'),
};

export const FUTURES_FEES: FeeTable = {
  VIP0: rates('0.0002', '0.0006'),
  VIP1: rates('0.00019', '0.00055'),
  VIP2: rates('0.00016', '0.0005'),
  VIP3: rates('0.00014', '0.00045'),
  VIP4: rates('0.00012', '0.0004'),
  VIP5: rates('0.0001', '0.00037'),
  VIP6: rates('0.00008', '0.00034'),
  VIP7: rates('0.00006', '0.00031'),
  PRO1: rates('0.00005', '0.00029'),
  PRO2: rates('0.00004', '0.00028'),
  PRO3: rates('0.00003', '0.00027'),
  PRO4: rates('0.00002', '0.00026'),
  PRO5: rates('0.00001', '0.00025'),
  PRO6: rates('0', '0.00024'),
};

export const firstFees = (): FeeTables => ({ spot: SPOT_FEES, futures: FUTURES_FEES });

export const feeRatesOf = (
  { spot, futures }: Readonly<FeeTables>,
  category: Category,
  level: Level,
): FeeRates => (isFutures(category) ? futures : spot)[level];

declare const forcedClose: unique symbol;
/**
 * The fee rate of a forced close. Maintenance margin, bankruptcy and liquidation prices take no
 * other rate, so that they agree with what the close then pays.
 */
export type ForcedCloseRate = Rate & { readonly [forcedClose]: true };

/** A forced close takes from the book. A rate of its own would replace the taker rate here. */
export const forcedCloseRate = ({ taker }: FeeRates): ForcedCloseRate => taker as ForcedCloseRate;

/** For figures that leave the fee of the close aside. */
export const NO_FORCED_CLOSE_FEE = ZERO_RATE as ForcedCloseRate;

type FillRate = (rates: FeeRates, role: FillRow['role']) => Rate;

const byRole: FillRate = (rates, role) => rates[role];

/** Which rate a fill in the book pays, by why its order was sent. */
const FILL_RATES: Readonly<Record<ExecutionKind, FillRate>> = {
  normal: byRole,
  offset: byRole,
  reduce: forcedCloseRate,
  liquidation: forcedCloseRate,
  delivery: byRole,
  autoDeleverage: byRole,
};

export const fillRate = (
  rates: FeeRates,
  executionKind: ExecutionKind,
  role: FillRow['role'],
): Rate => FILL_RATES[executionKind](rates, role);

/**
 * Fee of a linear contract: price × size × rate in the quote coin. Rounded up: the exchange gains
 * the dust.
 */
export const quoteFee = (price: Price, size: Size, rate: Rate): Amount =>
  ceilingDivide(price * size * rate, UNIT_SQUARED) as Amount;

/**
 * A remainder below one coin times a rate up to this fits 64 bits, where bigint arithmetic is fast.
 * Every fill pays a fee, so this matters.
 */
const RATE_IN_REGISTER_MAX = money<Rate>('0.09');

/** Fee of an exact value: computed for the whole coins, which leave no dust, and for the rest. */
export function valueFee(value: Amount, rate: Rate): Amount {
  if (value < 0n || rate < 0n || rate > RATE_IN_REGISTER_MAX)
    return ceilingDivide(value * rate, UNIT) as Amount;
  const coins = value / UNIT;
  const rest = value - coins * UNIT;
  return (coins * rate + (rest * rate + UNIT - 1n) / UNIT) as Amount;
}

/**
 * Fee of an inverse contract: V / price × rate in the coin, where V is the filled value in USD.
 * Rounded up: the exchange gains the dust.
 */
export const inverseFee = (filled: Entry, price: Price, rate: Rate): Amount =>
  ceilingDivide(filled.cost * rate, UNIT * price) as Amount;
