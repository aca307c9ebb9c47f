/** Short helpers for withdrawals: users, operators who decide, and a chain that reports. */
import { expect } from 'vitest';
import { walletOf } from '../../src/core/ledger/ledger.ts';
import { isAddressOf } from '../../src/gateway/chains/address-rules.ts';
import { readInvoice } from '../../src/gateway/chains/invoices.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { given } from '../../src/kernel/given.ts';
import type { ClientOid, Id, Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { Coin } from '../../src/messages/listings.ts';
import type {
  ChainSighting,
  RecipientKind,
  WithdrawalDecision,
} from '../../src/messages/vocabulary.ts';
import type { Beneficiary } from '../../src/messages/withdrawals.ts';
import { Market } from './market.test-support.ts';

export const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

export interface OnChain {
  readonly coin?: string;
  readonly chain?: string | undefined;
  readonly address?: string;
  readonly size?: string;
  readonly tag?: string;
  readonly clientOid?: string;
  readonly remark?: string;
  readonly beneficiary?: Beneficiary;
  /** The owner of the deposit address. */
  readonly recipient?: Uid;
}

export interface Transfer {
  readonly to: string;
  readonly size: string;
  readonly kind?: RecipientKind;
  readonly areaCode?: string;
  readonly coin?: string;
  readonly clientOid?: string;
}

const decimal = (text: string): DecimalText => text as DecimalText;

export class Desk extends Market {
  /**
   * True if money is audited after each command. A test with thousands of commands audits at its
   * end.
   */
  isWatched = true;

  /** `accepted`, or the reason of the refusal. */
  says(command: Command): string {
    const { outcome } = this.submit(command);
    if (this.isWatched) this.checkMoney();
    return outcome.ok ? 'accepted' : outcome.refusal.reason;
  }

  checkMoney(): void {
    const { coins, violations } = this.engine.audit();
    expect(violations).toEqual([]);
    expect(coins.filter(({ difference }) => difference !== 0n)).toEqual([]);
  }

  /** Defaults to a hundred USDT on Tron, with what the gateway finds out about the address. */
  withdraws(uid: Uid, asked: OnChain = {}): string {
    const {
      coin = 'USDT',
      address = TRON,
      size = '100',
      tag,
      clientOid,
      remark,
      beneficiary,
      recipient,
    } = asked;
    const chain = 'chain' in asked ? asked.chain : 'TRC20';
    const kind = this.state.coins
      .get(coin)
      ?.chains.find((each) => each.chain.toUpperCase() === chain?.toUpperCase())?.addressKind;
    const addressKind = kind !== undefined && isAddressOf(kind, address) ? kind : undefined;
    const invoice = addressKind === 'lightning' ? readInvoice(address) : undefined;
    const found = { chain, tag, addressKind, invoice, remark, beneficiary, recipient };
    const optional = given({ ...found, clientOid: clientOid as ClientOid | undefined });
    return this.says({
      type: 'requestWithdrawal',
      uid,
      coin,
      address,
      size: decimal(size),
      ...optional,
    });
  }

  transfers(
    uid: Uid,
    { to, size, kind = 'uid', areaCode, coin = 'USDT', clientOid }: Transfer,
  ): string {
    const optional = given({ areaCode, clientOid: clientOid as ClientOid | undefined });
    return this.says({
      type: 'transferToUser',
      uid,
      coin,
      size: decimal(size),
      recipientKind: kind,
      recipient: to,
      ...optional,
    });
  }

  /** The order id of the last accepted request. */
  get orderId(): Id {
    return (this.last!.outcome as { value: { orderId: Id } }).value.orderId;
  }

  /** Requests a withdrawal and returns its order id. */
  requests(uid: Uid, asked: OnChain = {}): Id {
    expect(this.withdraws(uid, asked)).toBe('accepted');
    return this.orderId;
  }

  decides(orderId: Id, decision: WithdrawalDecision, operator = 'ann', hash?: string): string {
    return this.says({ type: 'decideWithdrawal', orderId, decision, operator, ...given({ hash }) });
  }

  asks(orderId: Id): string {
    return this.says({ type: 'askChain', orderId });
  }

  reports(orderId: Id, sighting: ChainSighting, confirmations = 0, hash?: string): string {
    const emitted =
      sighting === 'sent' || sighting === 'confirmed' ? (hash ?? `hash-${orderId}`) : undefined;
    return this.says({
      type: 'reportChain',
      orderId,
      sighting,
      confirmations,
      ...given({ hash: emitted }),
    });
  }

  cancels(uid: Uid, orderId: Id): string {
    return this.says({ type: 'cancelWithdrawal', uid, orderId });
  }

  /** Changes the listing of a coin. */
  lists(coin: string, change: Partial<Coin>): void {
    this.accepted({ type: 'listCoin', coin: { ...this.state.coins.get(coin)!, ...change } });
  }

  /** Free and locked balance of a coin: `1000`, or `400 + 600 locked`. */
  has(uid: Uid, coin = 'USDT'): string {
    const { available, locked } = walletOf(this.state.ledger, uid, coin);
    return locked === 0n
      ? moneyText(available)
      : `${moneyText(available)} + ${moneyText(locked)} locked`;
  }

  stage(orderId: Id): string | undefined {
    return this.state.withdrawals.live.get(orderId)?.progress.stage;
  }
}
