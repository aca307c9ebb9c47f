/** What kind of bill an entry makes, by why it was posted and by the fill it belongs to. */
import type { Amount } from '../kernel/money.ts';
import type { BillKind } from '../messages/bills.ts';
import type { FillRow } from '../messages/orders.ts';
import type { EntryReason, ExecutionKind, PositionMode, Side } from '../messages/vocabulary.ts';

/** They move money between places of one book, and change what it holds by nothing. */
export const NEUTRAL_REASONS: ReadonlySet<EntryReason> = new Set([
  'hold',
  'release',
  'addMargin',
  'removeMargin',
  'withdrawalHold',
  'withdrawalReturn',
]);

/** Of a reason that says all; undefined where what it was about is told later. */
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
      // What a pair is taken for its debts; of a position it is told whose symbol it had.
      return ofPair ? 'liquidationOut' : undefined;
    default:
      return undefined;
  }
}

/** Of one coin of a spot trade. */
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
 * Of a fill of futures: by the side of the order in one-way mode, by what became of the position in
 * hedge mode.
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
