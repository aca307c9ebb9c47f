/**
 * Takes a position over and closes it in the same command, so that the house never holds a position
 * (POS-55 to POS-58). The takeover trades in the book, beyond the bankruptcy price as far as the
 * fund can pay. The rest closes against opposite positions. The account gets the result of a close
 * at the bankruptcy price.
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
  mustAvoidLevy,
  takeoverPrice,
  tickNoWorse,
  worstWithoutHouse,
} from '../trading/risk/backing.ts';
import type { Step } from '../transaction/step.ts';
import { closeBeyondBankruptcy } from './beyond-bankruptcy.ts';
import { deleverage } from './deleverage.ts';
import { applyTakeover, trackedIn } from './takeovers.ts';

/** Balance of a coin less debt in it; the margin of isolated positions does not count. */
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
  const before = walletGain(position);
  const released = releasedBy(step.state, position, NO_ENTRY, spec);
  // The backing of an isolated position is its margin, so its takeover does not change the wallet.
  const ownResult = isIsolated(position.marginMode) ? ZERO_AMOUNT : negate(backing);

  const fromBook = tradeInBook(step, position, spec, backing, bankruptcy);
  const fromOwn = deleverage(step, position, spec, bankruptcy);
  invariant(position.lots === 0, 'a position that was taken over is closed');
  const fundGain = minus(minus(walletGain(position), before), ownResult);
  const excess = minus(
    netOf(step.state, uid, coin),
    plus(plus(net, ownResult), plus(fromBook, fromOwn)),
  );
  settleWithHouse(step, uid, coin, { excess, fundGain, released });
  if (ownResult > 0n) repay(step, uid, coin, ownResult);
  // The account loses exactly the backing.
  applyTakeover(step, tracked, lots, negate(backing));
  position.realisedProfit = minus(position.realisedProfit, fundGain);
  emitPosition(step, position, spec);
}

/**
 * Closes as much as the book takes. The takeover may trade with an order that closes the opposite
 * position of the same account. Returns the result of that position, which the account keeps
 * (POS-83).
 */
function tradeInBook(
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
  const before = opposite === undefined ? ZERO_AMOUNT : walletGain(opposite);
  // Computed before the first close, because the backing covers the whole position.
  const worst = fundTick(step.state, spec, position, backing);
  const paid =
    bankruptcy === undefined ? undefined : worstWithoutHouse(step, position, spec, bankruptcy);
  closeDownTo(step, position, spec, paid, mustAvoidLevy(step, position, spec, bankruptcy));
  if (bankruptcy !== undefined && paid === bankruptcy)
    closeBeyondBankruptcy(step, position, spec, { bankruptcy, worst });
  return opposite === undefined ? ZERO_AMOUNT : minus(walletGain(opposite), before);
}

/** Trades in the book at `worst` or better; without `worst`, within the price band. */
function closeDownTo(
  step: Step,
  position: Position,
  spec: InstrumentSpec,
  worst: Price | undefined,
  avoidsLevy: boolean,
): void {
  const limit =
    worst === undefined ? bandTick(step.state, spec, position) : tickNoWorse(spec, position, worst);
  const lots = bookOf(step.derived, spec).fillableLots(closingSide(position), limit, position.lots);
  if (lots > 0)
    closeInBook(step, position, spec, { lots, limit, executionKind: 'liquidation', avoidsLevy });
  // The positions of an account, and the orders that each of them meets, may emit more events than
  // one transaction may.
  step.endPart();
}

/** Grows as closes realise profit and release margin. Only differences of it are used. */
const walletGain = ({ realisedProfit, closeFees, margin }: Position): Amount =>
  minus(realisedProfit, plus(closeFees, margin));

/**
 * Settles the difference with the house. The wallet pays back what exceeds the account's own
 * result, or receives what it was overcharged. The fund gets the rest.
 */
function settleWithHouse(
  step: Step,
  uid: Uid,
  coin: string,
  { excess, fundGain, released }: Readonly<Record<'excess' | 'fundGain' | 'released', Amount>>,
): void {
  if (excess > 0n) ensureCost(step, uid, coin, excess, () => released);
  post(step, 'takeover', [
    { uid, coin, account: 'available', amount: negate(excess) },
    { coin, account: 'clearing', amount: minus(excess, fundGain) },
    ...houseLines(step.state, coin, fundGain),
  ]);
}
