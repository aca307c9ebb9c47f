/**
 * Takes a position over at its bankruptcy price and closes it in the same moment, so that the house
 * never holds one: in the book down to that price, beyond it as far as the fund can pay, and what
 * the book does not want against opposite positions. The holder ends where the bankruptcy price
 * would have left him; the insurance fund gains what was better and pays what was worse (POS-55 to
 * POS-58).
 */

import { NO_ENTRY } from '../../formulas/entry.ts';
import type { Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { type Amount, minus, negate, type Price, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import { isIsolated } from '../../messages/vocabulary.ts';
import { bookOf, lockedByOrders } from '../derived/derived.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';
import { otherPositionSide, positionOf, releasedBy } from '../derived/position.ts';
import { houseLines, post, walletOf } from '../ledger/ledger.ts';
import { debtOf, ensureCost, repay } from '../margin/debts.ts';
import type { Position } from '../state/position.ts';
import type { State } from '../state/state.ts';
import { closeInBook, closingSide } from '../trading/orders/engine-orders.ts';
import { emitPosition } from '../trading/positions/fill-position.ts';
import {
  bandTick,
  fundTick,
  hasNothingLeft,
  takeoverPrice,
  tickNoWorse,
  worstPaid,
} from '../trading/risk/backing.ts';
import type { Step } from '../transaction/step.ts';
import { closeBeyondBankruptcy } from './beyond-bankruptcy.ts';
import { deleverage } from './deleverage.ts';
import { applyTakeover, trackedIn } from './takeovers.ts';

/** What an account has of a coin, less what it owes of it. Margin of isolated positions aside. */
function netOf(state: State, uid: Uid, coin: string): Amount {
  const wallet = walletOf(state.ledger, uid, coin);
  const { principal, interest } = debtOf(state, uid, coin);
  return minus(
    plus(wallet.available, lockedByOrders(state, uid, coin, wallet)),
    plus(principal, interest),
  );
}

export function takeover(
  step: Step,
  position: Position,
  spec: InstrumentSpec,
  backing: Amount,
): void {
  const { uid, lots } = position;
  const { marginCoin: coin } = spec.instrument;
  const tracked = trackedIn(step, position, spec);
  const bankruptcy = takeoverPrice(step, position, spec, backing);
  const net = netOf(step.state, uid, coin);
  const before = broughtBy(position);
  const released = releasedBy(step.state, position, NO_ENTRY, spec);
  // The margin of an isolated position is its backing, and leaves nothing to the wallet.
  const his = isIsolated(position.marginMode) ? ZERO_AMOUNT : negate(backing);

  const made = closeWanted(step, position, spec, backing, bankruptcy);
  const own = deleverage(step, position, spec, bankruptcy);
  invariant(position.lots === 0, 'a position that was taken over is closed');
  const gained = minus(minus(broughtBy(position), before), his);
  const notHis = minus(netOf(step.state, uid, coin), plus(plus(net, his), plus(made, own)));
  evenOut(step, uid, coin, { notHis, gained, released });
  if (his > 0n) repay(step, uid, coin, his);
  // He ends with what stood behind it gone, and nothing else.
  applyTakeover(step, tracked, lots, negate(backing));
  position.realisedProfit = minus(position.realisedProfit, gained);
  emitPosition(step, position, spec);
}

/**
 * Closes in the book what it takes. An order by which the holder closes his opposite position may
 * be what it meets; answers what that brought him, which is his to keep (POS-83).
 */
function closeWanted(
  step: Step,
  position: Position,
  spec: InstrumentSpec,
  backing: Amount,
  bankruptcy: Price | undefined,
): Amount {
  const opposite = positionOf(
    step.state,
    position.uid,
    position.key,
    otherPositionSide(position.side),
  );
  const before = opposite === undefined ? ZERO_AMOUNT : broughtBy(opposite);
  // Reckoned before any of it is closed: what stands behind the position stands behind all of it.
  const worst = fundTick(step.state, spec, position, backing);
  const paid = bankruptcy === undefined ? undefined : worstPaid(step, position, spec, bankruptcy);
  closeDownTo(step, position, spec, paid, hasNothingLeft(step, position, spec, bankruptcy));
  if (bankruptcy !== undefined && paid === bankruptcy)
    closeBeyondBankruptcy(step, position, spec, { bankruptcy, worst });
  return opposite === undefined ? ZERO_AMOUNT : minus(broughtBy(opposite), before);
}

/**
 * Takes what the book has that is no worse than a price, or, where none is bad enough, than the
 * price band.
 */
function closeDownTo(
  step: Step,
  position: Position,
  spec: InstrumentSpec,
  worst: Price | undefined,
  leavesNothing: boolean,
): void {
  const limit =
    worst === undefined ? bandTick(step.state, spec, position) : tickNoWorse(spec, position, worst);
  const lots = bookOf(step.derived, spec).fillableLots(closingSide(position), limit, position.lots);
  if (lots > 0)
    closeInBook(step, position, spec, { lots, limit, executionKind: 'liquidation', leavesNothing });
  // An account may have so many positions, and each of them meet so many orders, that together they
  // are more than one cause tells of.
  step.endPart();
}

/**
 * What a position has brought the wallet by being closed: it grows as profit is realised and margin
 * set free.
 */
const broughtBy = ({ realisedProfit, closeFees, margin }: Position): Amount =>
  minus(realisedProfit, plus(closeFees, margin));

/**
 * Takes out of the wallet what is not its holder's, what clearing has lent with it, or gives back
 * what it was charged too much; the rest is the fund's.
 */
function evenOut(
  step: Step,
  uid: Uid,
  coin: string,
  { notHis, gained, released }: Readonly<Record<'notHis' | 'gained' | 'released', Amount>>,
): void {
  if (notHis > 0n) ensureCost(step, uid, coin, notHis, () => released);
  post(step, 'takeover', [
    { uid, coin, account: 'available', amount: negate(notHis) },
    { coin, account: 'clearing', amount: minus(notHis, gained) },
    ...houseLines(step.state, coin, gained),
  ]);
}
