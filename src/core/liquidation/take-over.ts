/**
 * Takes a position over at its bankruptcy price and closes it in the same moment, so that the house never holds one: in the book, and what
 * the book does not want against opposite positions. The holder ends where the bankruptcy price would have left him; the insurance fund
 * gains what was better and pays what was worse (POS-55 to POS-58).
 */
import { splitEntry } from '../../formulas/entry.ts';
import { inverseFee, quoteFee } from '../../formulas/fees.ts';
import { profit as profitAt } from '../../formulas/profit.ts';
import { countOf } from '../../kernel/count.ts';
import type { Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { type Amount, minus, negate, type Price, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import { feeRateFor } from '../accounts/fee-level.ts';
import type { Lots, Tick } from '../book/order-book.ts';
import { bearTakeOver, trackedIn } from '../copy/taken-over.ts';
import { bookOf } from '../derived.ts';
import { priceOf, sizeOf, type Terms } from '../instruments/terms.ts';
import { post, walletOf } from '../ledger/ledger.ts';
import { debtOf, ensureAvailable, repay } from '../margin/debts.ts';
import { tellPosition } from '../positions/fill-position.ts';
import { otherPositionSide, type Position, positionOf } from '../positions/position.ts';
import type { State } from '../state.ts';
import type { Step } from '../step.ts';
import { lockedByOrders } from '../withdrawals/withdrawal.ts';
import { bandTick, fundTick, takeOverPrice, tickNoWorse, worseTick, worstPaid } from './backing.ts';
import { deleverage } from './deleverage.ts';
import { closeInBook, closingSide } from './engine-orders.ts';
import { houseLines, insuranceOf } from './house-money.ts';

/** What an account has of a coin, less what it owes of it. Margin of isolated positions aside. */
function netOf(state: State, uid: Uid, coin: string): Amount {
  const wallet = walletOf(state.ledger, uid, coin);
  const { principal, interest } = debtOf(state, uid, coin);
  return minus(plus(wallet.available, lockedByOrders(state, uid, coin, wallet)), plus(principal, interest));
}

export function takeOver(step: Step, position: Position, terms: Terms, backing: Amount): void {
  const { uid, lots } = position;
  const { marginCoin: coin } = terms.instrument;
  const tracked = trackedIn(step, position, terms);
  const bankruptcy = takeOverPrice(step, position, terms, backing);
  const net = netOf(step.state, uid, coin);
  // The margin of an isolated position is its backing, and leaves nothing to the wallet.
  const owed = position.marginMode === 'isolated' ? net : minus(net, backing);

  const made = closeWanted(step, position, terms, backing, bankruptcy);
  const own = deleverage(step, position, terms, bankruptcy);
  invariant(position.lots === 0, 'a position that was taken over is closed');
  const gained = minus(netOf(step.state, uid, coin), plus(owed, plus(made, own)));
  evenOut(step, uid, coin, gained);
  // He ends with what stood behind it gone, and nothing else.
  bearTakeOver(step, tracked, lots, negate(backing));
  position.realisedProfit = minus(position.realisedProfit, gained);
  tellPosition(step, position, terms);
}

/**
 * Closes in the book what it takes. An order by which the holder closes his opposite position may be what it meets; answers what that brought
 * him, which is his to keep (POS-83).
 */
function closeWanted(step: Step, position: Position, terms: Terms, backing: Amount, bankruptcy: Price | undefined): Amount {
  const opposite = positionOf(step.state, position.uid, position.key, otherPositionSide(position.side));
  const before = opposite === undefined ? ZERO_AMOUNT : broughtBy(opposite);
  const wanted = wantedInBook(step, position, terms, backing, bankruptcy);
  if (wanted.lots > 0) closeInBook(step, position, terms, { ...wanted, executionKind: 'liquidation' });
  // An account may have so many positions, and each of them meet so many orders, that together they are more than one cause tells of.
  step.endPart();
  return opposite === undefined ? ZERO_AMOUNT : minus(broughtBy(opposite), before);
}

/** What a position has brought the wallet by being closed: it grows as profit is realised and margin set free. */
const broughtBy = ({ realisedProfit, closeFees, margin }: Position): Amount => minus(realisedProfit, plus(closeFees, margin));

function evenOut(step: Step, uid: Uid, coin: string, surplus: Amount): void {
  if (surplus > 0n) ensureAvailable(step, uid, coin, surplus);
  post(step, 'takeOver', [{ uid, coin, account: 'available', amount: negate(surplus) }, ...houseLines(step.state, coin, surplus)]);
  if (surplus < 0n) repay(step, uid, coin, negate(surplus));
}

/** What closing so many lots at a price brings in, the fee paid. */
function proceeds(step: Step, position: Position, terms: Terms, lots: Lots, price: Price): Amount {
  const size = sizeOf(terms, lots);
  const { closed } = splitEntry(position.entry, size);
  const feeRate = feeRateFor(step.state, position.uid, terms.category, 'taker');
  const fee = terms.inverse ? inverseFee(closed, price, feeRate) : quoteFee(price, size, feeRate);
  return minus(profitAt(terms.kind, position.side, closed, price), fee);
}

interface Wanted {
  readonly lots: Lots;
  readonly limit: Tick;
}

/** As much of the book as is no worse than bankruptcy, and beyond that, where the mark has gone there too, as much as the insurance fund can pay for (POS-56). */
function wantedInBook(step: Step, position: Position, terms: Terms, backing: Amount, bankruptcy: Price | undefined): Wanted {
  const side = closingSide(position);
  const paid = bankruptcy === undefined ? undefined : worstPaid(step, position, terms, bankruptcy);
  const limit = paid === undefined ? bandTick(step.state, terms, position) : tickNoWorse(terms, position, paid);
  const lots = bookOf(step.derived, terms).fillableLots(side, limit, position.lots);
  const worst = fundTick(step.state, terms, position, backing);
  if (bankruptcy === undefined || paid !== bankruptcy || lots === position.lots || worseTick(position, worst, limit) === limit)
    return { lots, limit };
  return beyondBankruptcy(step, position, terms, { lots, limit }, bankruptcy, worst);
}

function beyondBankruptcy(step: Step, position: Position, terms: Terms, before: Wanted, bankruptcy: Price, worst: Tick): Wanted {
  let { lots, limit }: Wanted = before;
  let fund = insuranceOf(step.state, terms.instrument.marginCoin);
  if (fund === 0n) return before;
  bookOf(step.derived, terms).look(closingSide(position), worst, (_id, _owner, tick, available) => {
    if (worseTick(position, tick, before.limit) === before.limit) return true;
    const most = Math.min(available, position.lots - lots) as Lots;
    const better = proceeds(step, position, terms, most, bankruptcy);
    const missing = minus(better, proceeds(step, position, terms, most, priceOf(terms, tick)));
    const paid = missing <= fund ? most : (countOf((BigInt(most) * fund) / missing) as Lots);
    if (paid === 0) return false;
    lots = (lots + paid) as Lots;
    limit = tick;
    fund = minus(fund, missing);
    return paid === most && lots < position.lots;
  });
  return { lots, limit };
}
