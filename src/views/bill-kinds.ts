/** Determines the kind of bill for an entry from its reason and its fill. */
import type { Amount } from '../kernel/money.ts';
import type { BillKind } from '../messages/bills.ts';
import type { FillRow } from '../messages/orders.ts';
import type { EntryReason, ExecutionKind, PositionMode, Side } from '../messages/vocabulary.ts';

/** Reasons that move money within one book and leave its total unchanged. */
export const NEUTRAL_REASONS: ReadonlySet<EntryReason> = new Set([
  'hold',
  'release',
  'addMargin',
  'removeMargin',
  'withdrawalHold',
  'withdrawalReturn',
]);

/** The kind for reasons that define it alone; undefined if a later event defines it. */
export function plainKind(
  reason: EntryReason,
  change: Amount,
  ofPair: boolean,
): BillKind | undefined {
  const isOut = change < 0n;
  switch (reason) {
    case 'deposit':
      return 'deposit';
    case 'withdrawalSent':
      return 'withdrawal';
    case 'internalTransfer':
      return isOut ? 'transferOut' : 'transferIn';
    case 'borrow':
      return 'borrow';
    case 'rebate':
      return 'rebate';
    case 'feeRefund':
      return 'feeRefund';
    case 'insurance':
      return isOut ? 'liquidationOut' : 'liquidationIn';
    case 'takeover':
      // For a pair, the coins taken for its debts. For a position, a later event names the symbol.
      return ofPair ? 'liquidationOut' : undefined;
    default:
      return undefined;
  }
}

/** For one coin of a spot trade. */
export function fillKind(side: Side, amount: Amount): BillKind {
  if (side === 'buy') return amount < 0n ? 'buyOut' : 'buyIn';
  return amount < 0n ? 'sellOut' : 'sellIn';
}

interface FuturesKinds {
  readonly buy: BillKind;
  readonly sell: BillKind;
  readonly closeLong: BillKind;
  readonly closeShort: BillKind;
}

const ownKinds: FuturesKinds = {
  buy: 'buy',
  sell: 'sell',
  closeLong: 'closeLong',
  closeShort: 'closeShort',
};
const forcedKinds: FuturesKinds = {
  buy: 'forcedBuy',
  sell: 'forcedSell',
  closeLong: 'forcedCloseLong',
  closeShort: 'forcedCloseShort',
};
const burstKinds: FuturesKinds = {
  buy: 'burstBuy',
  sell: 'burstSell',
  closeLong: 'burstCloseLong',
  closeShort: 'burstCloseShort',
};

const futuresKinds: { readonly [Kind in ExecutionKind]: FuturesKinds } = {
  normal: ownKinds,
  delivery: ownKinds,
  offset: forcedKinds,
  reduce: forcedKinds,
  autoDeleverage: forcedKinds,
  liquidation: burstKinds,
};

/**
 * For a futures fill: by the order's side in one-way mode, by the effect on the position in hedge
 * mode.
 */
export function futuresKind(
  { side, positionSide, executionKind }: FillRow,
  isOpening: boolean,
  mode: PositionMode,
): BillKind {
  const kinds = futuresKinds[executionKind];
  if (mode === 'oneWay' || positionSide === undefined) return kinds[side];
  if (isOpening) return positionSide === 'long' ? 'openLong' : 'openShort';
  return positionSide === 'long' ? kinds.closeLong : kinds.closeShort;
}
