/** Counters of account states that the comparison reached. */

import { maxWithdrawal } from './accounts.ts';
import {
  isHeldBack,
  Margin,
  mayLeave,
  sharesDue,
  spendable,
  tierValue,
  usesMargin,
} from './accounts-margin.ts';
import type { Folio, Folios } from './folio.ts';
import { input, isAbove, isNegative, isPositive, ofUnits } from './fractions.ts';
import { increasing, lockedOf, tpslOf } from './positions.ts';
import { meetings } from './positions-liquidation.ts';

function* positionsReached(folios: Folios, folio: Folio): Generator<string> {
  for (const position of folio.positions.values()) {
    const { marginMode, category, side, symbol, funding } = position;
    yield `${marginMode} ${side} of ${category}`;
    yield `${marginMode} in ${folio.positionMode} mode`;
    if (
      [...folio.positions.values()].some(
        (other) => other.side !== side && other.category === category && other.symbol === symbol,
      )
    )
      yield `${marginMode} hedged`;
    if (increasing(folio, position) > 0n) yield 'orders that increase a position';
    if (lockedOf(folio, position) > 0n) yield `orders that close it in ${folio.positionMode} mode`;
    if (funding !== undefined) yield 'funding';
    if (position.closeFees > 0n) yield 'closed in part';
    const { takeProfit, stopLoss } = tpslOf(folio, position);
    if (takeProfit !== '') yield 'a take-profit';
    if (stopLoss !== '') yield 'a stop-loss';
    const { length } = meetings(folios, folio, position);
    yield `${marginMode} and ${length === 0 ? 'never' : 'somewhere'} liquidated`;
    if (length > 1) yield 'liquidated by a falling price and by a rising one';
    const status = folios.statusOf(position);
    if (status !== 'normal') yield `a position where it is ${status}`;
    if (folios.isFrozen(position)) yield `${marginMode} at a frozen mark`;
    const { tiers } = folios.instrumentOf(position);
    if (isAbove(tierValue(position, ofUnits(folios.mark(position))), input(tiers[0]!.toValue)))
      yield 'beyond the first tier';
  }
}

function* moneyReached(folios: Folios, folio: Folio): Generator<string> {
  for (const [coin, { available, locked, withdrawing }] of folio.wallets) {
    if (available > 0n && folios.worth(coin) === undefined) yield 'a coin without a price';
    if (locked > withdrawing) yield 'locked by orders';
    if (withdrawing > 0n) yield 'withdrawing';
    if (available > 0n && folios.isStale(coin)) yield 'a coin whose index is stale';
    const rate = folios.coins.get(coin)!.collateralRate;
    if (available > 0n && isPositive(input(rate)) && rate !== '1' && usesMargin(folio))
      yield 'a coin with a partial collateral rate';
    if (available > 0n && !isPositive(input(rate))) yield 'a coin with collateral rate zero';
  }
  for (const [coin, { borrowed, interest }] of folio.debts) {
    if (borrowed > 0n) yield 'a loan';
    if (interest > 0n) yield 'interest';
    if (borrowed > 0n && folios.isStale(coin)) yield 'a loan whose index is stale';
  }
  for (const { marginHold } of folio.orders.values())
    if (marginHold > 0n) yield 'margin held by orders';
  if (sharesDue(folio).size > 0) yield 'shares due';
}

function* leavingReached(folios: Folios, folio: Folio): Generator<string> {
  for (const [coin, { available }] of folio.wallets) {
    const free = spendable(folios, folio, coin);
    const out = mayLeave(folios, folio, coin);
    if (free > 0n && free < available) yield 'free in part';
    if (available > 0n && free === 0n) yield 'nothing free';
    if (out < free)
      yield out > 0n ? 'withheld in part for a stale price' : 'withheld for a stale price';
    if (maxWithdrawal(folios, folio, coin) < out) yield 'bounded by a withdrawal limit';
  }
  const account = new Margin(folios, folio);
  if (isNegative(account.equity)) yield 'equity below zero';
  if (isHeldBack(folios, folio)) yield 'held back';
}

function* settingsReached(folios: Folios, folio: Folio): Generator<string> {
  for (const { marginMode, leverage, long, short } of folio.settings.values()) {
    if (leverage !== '10') yield 'own leverage';
    if ((long ?? short) !== undefined)
      yield `leverage of a side, ${marginMode} in ${folio.positionMode} mode`;
  }
  if (folio.coinLeverages.size > 0) yield 'a loan leverage';
  if (folio.selfTradeMode !== 'none') yield 'a self-trade mode';
  if (folio.profile.parentUid !== undefined) yield 'a sub-account';
  if (folios.invited(folio.profile.uid) !== undefined) yield 'a customer of an agent';
}

export const reachedBy = (folios: Folios, folio: Folio): readonly string[] => [
  ...new Set([
    ...positionsReached(folios, folio),
    ...moneyReached(folios, folio),
    ...leavingReached(folios, folio),
    ...settingsReached(folios, folio),
  ]),
];
