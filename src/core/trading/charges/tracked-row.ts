/** How a tracked order is shown, and the profit share that is kept for it. */
import type { TrackedOrder } from '../../state/copy-state.ts';
import { type InstrumentSpec, futuresCategoryOf } from '../../derived/instrument-spec.ts';
import type { TrackedOrderRow } from '../../../messages/copy-trading.ts';
import type { Writable } from '../../../kernel/writable.ts';
import { entryPrice } from '../../../formulas/entry.ts';
import { shareDue } from '../../derived/shares-due.ts';
import type { Step } from '../../transaction/step.ts';
import type { Amount } from '../../../kernel/money.ts';
import { specOf } from '../../derived/derived.ts';

export function trackedRow(order: TrackedOrder, spec: InstrumentSpec): TrackedOrderRow {
  const { opened, closed } = order;
  const row: Writable<TrackedOrderRow> = {
    trackingId: order.id,
    uid: order.uid,
    leader: order.leader,
    category: futuresCategoryOf(spec),
    symbol: spec.instrument.symbol,
    marginCoin: spec.instrument.marginCoin,
    side: order.side,
    marginMode: order.marginMode,
    leverage: order.leverage,
    margin: order.margin,
    openOrderId: order.openOrderId,
    openSize: opened.size,
    openPrice: entryPrice(opened),
    openFee: order.openFee,
    openedAt: order.openedAt,
    closedSize: closed.size,
    closedPrice: entryPrice(closed),
    closeFee: order.closeFee,
    profit: order.profit,
  };
  if (order.kind === 'copy') row.originalId = order.originalId;
  const due = shareDue(order);
  if (due > 0n) row.shareDue = due;
  if (order.closeOrderId !== undefined) row.closeOrderId = order.closeOrderId;
  if (order.closer !== undefined) row.closer = order.closer;
  if (order.takeProfit !== undefined) row.takeProfit = order.takeProfit;
  if (order.stopLoss !== undefined) row.stopLoss = order.stopLoss;
  return row;
}

/** Its holder needs so much more for his leader, or less. */
export function keepShare({ derived }: Step, { id, uid, key }: TrackedOrder, more: Amount): void {
  const { marginCoin } = specOf(derived, key).instrument;
  derived.tracked.sharesDue.add(uid, marginCoin, more);
  if (derived.tracked.ended.of(uid).has(id))
    derived.tracked.sharesOfEnded.add(uid, marginCoin, more);
  derived.headroom.needs(uid, marginCoin, more);
}
