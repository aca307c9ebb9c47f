/** Operator and chain acts on withdrawals and coins (WDR-15, WDR-34 to WDR-39, WDR-45, WDR-50). */
import type { NaiveDesk } from './naive-desk.ts';
import { type DeskCoin, type DeskOrder, isLive } from './naive-desk-state.ts';

/** An ended order is in history, so the gateway refuses it as too late. */
const liveOrder = (desk: NaiveDesk, id: number): DeskOrder | undefined =>
  desk.orders.find((each) => each.id === id && isLive(each));

const LET_OUT = ['released', 'asked', 'confirming'];

/** Returns `accepted` or the reason of the refusal. */
export function decide(
  desk: NaiveDesk,
  id: number,
  decision: string,
  operator: string,
  hash: string | undefined,
): string {
  const order = liveOrder(desk, id);
  if (order === undefined) return 'unknownWithdrawal';
  if (decision === 'approve') return approve(desk, order, operator);
  if (decision === 'reject')
    return order.stage === 'approval' || order.stage === 'released'
      ? desk.fails(order, 'rejected')
      : 'withdrawalOutOfTurn';
  if (!LET_OUT.includes(order.stage)) return 'withdrawalOutOfTurn';
  if (decision === 'fail') return desk.fails(order, 'failedOnChain');
  const known = hash ?? order.hash;
  if (known === undefined) return 'withdrawalOutOfTurn';
  order.hash = known;
  order.confirmations = order.confirmationsNeeded;
  return desk.succeeds(order);
}

function approve(desk: NaiveDesk, order: DeskOrder, operator: string): string {
  if (order.stage !== 'approval') return 'withdrawalOutOfTurn';
  if (order.approvals.some((name) => name.toLowerCase() === operator.toLowerCase()))
    return 'secondOperatorNeeded';
  const isLast = order.approvals.length + 1 >= order.approvalsNeeded;
  if (isLast && !desk.covers(order.coin, order.sent)) return 'reserveTooSmall';
  order.approvals.push(operator);
  if (isLast) order.stage = 'released';
  return 'accepted';
}

export function ask(desk: NaiveDesk, id: number): string {
  const order = liveOrder(desk, id);
  if (order === undefined) return 'unknownWithdrawal';
  if (order.stage !== 'released') return 'withdrawalOutOfTurn';
  if (desk.halted.has(order.coin)) return 'withdrawalsHalted';
  if (!desk.chainOf(desk.coins[order.coin]!, order.chain)!.open) return 'chainClosed';
  order.stage = 'asked';
  return 'accepted';
}

export function report(
  desk: NaiveDesk,
  id: number,
  sighting: string,
  count: number,
  hash: string | undefined,
): string {
  const order = liveOrder(desk, id);
  if (order === undefined) return 'unknownWithdrawal';
  const isAsked = order.stage === 'asked';
  if (!isAsked && order.stage !== 'confirming') return 'withdrawalOutOfTurn';
  if (sighting === 'failed') return desk.fails(order, 'failedOnChain');
  if (sighting === 'refused' || sighting === 'never')
    return isAsked
      ? desk.fails(order, sighting === 'never' ? 'neverSent' : 'refusedByChain')
      : 'withdrawalOutOfTurn';
  if (sighting === 'sent' ? !isAsked : count <= order.confirmations) return 'withdrawalOutOfTurn';
  order.hash ??= hash;
  order.stage = 'confirming';
  if (sighting === 'confirmed') order.confirmations = count;
  return order.confirmations >= order.confirmationsNeeded ? desk.succeeds(order) : 'accepted';
}

/** If a chain is no longer listed, withdrawals that were not sent to it are returned. */
export function list(desk: NaiveDesk, coin: DeskCoin): void {
  desk.coins[coin.name] = coin;
  for (const order of desk.orders)
    if (order.coin === coin.name && isLive(order) && ['approval', 'released'].includes(order.stage))
      if (desk.chainOf(coin, order.chain) === undefined) desk.fails(order, 'neverSent');
}
