/** Users with pairs of isolated margin. */
import { expect } from 'vitest';
import { pairWalletOf } from '../../src/core/ledger/ledger.ts';
import { pairDebtOf } from '../../src/core/margin/pair-debts.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import type { Result } from '../../src/kernel/result.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { OrderDraft } from '../../src/messages/orders.ts';
import type { PlacedOrder } from '../../src/messages/outcomes.ts';
import type { Rejection } from '../../src/messages/rejections.ts';
import type { Category, LoanType } from '../../src/messages/vocabulary.ts';
import { Market } from './market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

export interface PairOrder {
  readonly side: 'buy' | 'sell';
  /** Quote coin for a market buy. */
  readonly size: string;
  /** A market order without it. */
  readonly price?: string;
  readonly loanType?: LoanType;
  readonly symbol?: string;
  readonly category?: Category;
  readonly clientOid?: string;
  readonly timeInForce?: OrderDraft['timeInForce'];
}

export class IsolatedMarket extends Market {
  /** `accepted`, or the reason of the refusal. */
  says(command: Command): string {
    const { outcome } = this.submit(command);
    this.checkMoney();
    return outcome.ok ? 'accepted' : outcome.refusal.reason;
  }

  transfer(
    uid: Uid,
    direction: 'in' | 'out',
    amount: string,
    coin = 'USDT',
    symbol = 'BTCUSDT',
    clientOid?: string,
  ): string {
    return this.says({
      type: 'transferIsolated',
      uid,
      symbol,
      coin,
      amount: decimal(amount),
      direction,
      clientOid: clientOid as ClientOid | undefined,
    });
  }

  borrow(uid: Uid, amount: string, coin = 'USDT', symbol = 'BTCUSDT'): string {
    return this.says({ type: 'borrowIsolated', uid, symbol, coin, amount: decimal(amount) });
  }

  repay(uid: Uid, amount: string, coin = 'USDT', symbol = 'BTCUSDT'): string {
    return this.says({ type: 'repayIsolated', uid, symbol, coin, amount: decimal(amount) });
  }

  /** On isolated margin with a loan type; otherwise in the category, SPOT by default. */
  places(uid: Uid, asked: PairOrder): string {
    const placed = this.#place(uid, asked);
    this.checkMoney();
    return placed.ok ? 'accepted' : placed.refusal.reason;
  }

  /** The id of an accepted order. */
  rests(uid: Uid, asked: PairOrder): Id {
    const placed = this.#place(uid, asked);
    expect(placed).toMatchObject({ ok: true });
    this.checkMoney();
    return (placed as { value: PlacedOrder }).value.orderId!;
  }

  cancels(uid: Uid, orderId: Id): void {
    this.accepted({ type: 'cancelOrders', uid, orders: [{ orderId, clientOid: undefined }] });
    this.checkMoney();
  }

  /** Free and locked of a coin in a pair: `1000`, or `400 + 600 locked`. */
  pair(uid: Uid, coin = 'USDT', symbol = 'BTCUSDT'): string {
    const { isolated, isolatedLocked } = pairWalletOf(this.state, uid, symbol, coin);
    return isolatedLocked === 0n
      ? moneyText(isolated)
      : `${moneyText(isolated)} + ${moneyText(isolatedLocked)} locked`;
  }

  /** `5000`, or with interest `5000 + 0.01`. */
  owes(uid: Uid, coin = 'USDT', symbol = 'BTCUSDT'): string {
    const { principal, interest } = pairDebtOf(this.state, { uid, symbol }, coin);
    return interest === 0n
      ? moneyText(principal)
      : `${moneyText(principal)} + ${moneyText(interest)}`;
  }

  ends(uid: Uid): string[] {
    return this.emitted('orderEnded')
      .filter(({ end }) => end.uid === uid)
      .map(({ end }) => end.cancelReason ?? end.status);
  }

  /** Recomputes all sums: money is conserved, no balance is negative, and parts add up. */
  checkMoney(): void {
    const { coins, violations } = this.engine.audit();
    expect(violations).toEqual([]);
    expect(coins.filter(({ difference }) => difference !== 0n)).toEqual([]);
  }

  #place(
    uid: Uid,
    {
      side,
      size,
      price,
      loanType,
      symbol = 'BTCUSDT',
      category,
      clientOid,
      timeInForce = 'gtc',
    }: PairOrder,
  ): Result<PlacedOrder, Rejection> {
    const draft: OrderDraft = {
      symbol,
      side,
      size: decimal(size),
      orderType: price === undefined ? 'market' : 'limit',
      price: price === undefined ? undefined : decimal(price),
      timeInForce,
      reduceOnly: false,
      loanType,
      clientOid: clientOid as ClientOid | undefined,
    };
    const { outcome } = this.submit({
      type: 'placeOrders',
      uid,
      category: category ?? (loanType === undefined ? 'SPOT' : 'MARGIN'),
      orders: [draft],
    });
    expect(outcome.ok).toBe(true);
    return (outcome as { value: readonly Result<PlacedOrder, Rejection>[] }).value[0]!;
  }
}

/**
 * Bitcoin at 60000, ten times at most; alice has 1000 in the pair and 1000 in the wallet, bob
 * plenty of both coins.
 */
export function pairOfAlice(): {
  readonly market: IsolatedMarket;
  readonly alice: Uid;
  readonly bob: Uid;
} {
  const market = new IsolatedMarket();
  market.index('BTC', '60000');
  const alice = market.joins({ USDT: '2000' });
  const bob = market.joins({ USDT: '1000000', BTC: '100' });
  expect(market.transfer(alice, 'in', '1000')).toBe('accepted');
  return { market, alice, bob };
}

/** Alice buys 0.15 for 9000, 8000 of them borrowed, and gets 0.15 less a thousandth. */
export function goLong(market: IsolatedMarket, alice: Uid, bob: Uid): void {
  market.places(bob, { side: 'sell', size: '0.15', price: '60000' });
  expect(
    market.places(alice, { side: 'buy', size: '0.15', price: '60000', loanType: 'autoLoan' }),
  ).toBe('accepted');
  expect([market.pair(alice), market.pair(alice, 'BTC'), market.owes(alice)]).toEqual([
    '0',
    '0.14985',
    '8000',
  ]);
}

/** Alice sells a borrowed 0.15; 9000 less a thousandth add to her 1000. */
export function goShort(market: IsolatedMarket, alice: Uid, bob: Uid): void {
  market.places(bob, { side: 'buy', size: '0.15', price: '60000' });
  expect(
    market.places(alice, { side: 'sell', size: '0.15', price: '60000', loanType: 'autoLoan' }),
  ).toBe('accepted');
  expect([market.pair(alice), market.pair(alice, 'BTC'), market.owes(alice, 'BTC')]).toEqual([
    '9991',
    '0',
    '0.15',
  ]);
}
