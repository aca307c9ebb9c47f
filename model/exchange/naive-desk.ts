/**
 * Deposits, withdrawals and internal transfers, slow and obvious, in the words of the rules (MNY,
 * WDR). It shares no code with the exchange and receives wallet changes of trading from outside.
 */
import {
  borrowed,
  type DeskChain,
  type DeskCoin,
  type DeskOrder,
  type DeskUser,
  dailyLimit,
  decimalsOf,
  isLive,
  MOST,
  total,
  walletOf,
} from './naive-desk-state.ts';
import { type Account, mayLeave } from './naive-leaving.ts';
import { ceiling, max, UNIT, units } from './whole-units.ts';

const DAY = 86_400_000;
/** For internal transfers. */
const TRANSFER_DECIMALS = 8;
const MONEY_DECIMALS = 10;

export interface OnChainAsk {
  readonly uid: number;
  readonly coin: string;
  readonly chain: string | undefined;
  readonly address: string;
  /** Kind of address rules. */
  readonly kind: string | undefined;
  readonly size: string;
  readonly tag: string | undefined;
  readonly clientOid: string | undefined;
  readonly recipient: number | undefined;
  readonly invoice:
    | {
        readonly paymentHash: string;
        readonly amount: string | undefined;
        readonly expiresAt: number;
      }
    | undefined;
}

export interface TransferAsk {
  readonly uid: number;
  readonly coin: string;
  readonly size: string;
  readonly kind: 'uid' | 'email' | 'mobile';
  readonly to: string;
  readonly areaCode: string | undefined;
  readonly clientOid: string | undefined;
}

export interface DeskDeposit {
  id: number;
  clientOid: string;
  readonly uid: number;
  readonly content: string;
}

/** A refusal, or the order: a new one without an id, or the earlier one of a repeated request. */
export type Answer = string | DeskOrder | DeskDeposit;

const digits = (text: string): string => text.replace(/\D/g, '').replace(/^00/, '');

export class NaiveDesk {
  readonly users: DeskUser[] = [];
  readonly coins: Record<string, DeskCoin> = {};
  readonly indexes: Record<string, bigint> = {};
  /** Time of the last update of each index. */
  readonly known: Record<string, number> = {};
  readonly orders: DeskOrder[] = [];
  readonly deposits: DeskDeposit[] = [];
  readonly halted = new Set<string>();
  readonly reserves: Record<string, bigint> = {};
  /** Deposits less withdrawals, and withdrawal fees earned. */
  readonly inside: Record<string, bigint> = {};
  readonly earned: Record<string, bigint> = {};
  now: number;
  readonly #accountOf: (user: DeskUser) => Account;

  constructor(now: number, accountOf: (user: DeskUser) => Account) {
    this.now = now;
    this.#accountOf = accountOf;
  }

  userOf(uid: number): DeskUser | undefined {
    return this.users.find((user) => user.uid === uid);
  }

  deposit(uid: number, coin: string, size: string, clientOid: string | undefined): Answer {
    const user = this.userOf(uid);
    if (user === undefined) return 'unknownUser';
    if (this.coins[coin] === undefined) return 'unknownCoin';
    if (decimalsOf(size) > MONEY_DECIMALS) return 'tooFine';
    const amount = units(size);
    if (amount === 0n) return 'sizeNotPositive';
    const content = `${coin} ${amount}`;
    const before = this.deposits.find((each) => each.uid === uid && each.clientOid === clientOid);
    if (before !== undefined) return before.content === content ? before : 'duplicateClientOid';
    if (total(user, coin) + amount > MOST) return 'balanceLimitExceeded';
    const reserve = this.reserves[coin];
    if (reserve !== undefined && max(this.owed(coin), this.inside[coin] ?? 0n) + amount > reserve)
      return 'reserveTooSmall';
    const deposit = { id: 0, clientOid: clientOid ?? '', uid, content };
    this.deposits.push(deposit);
    this.comesIn(uid, coin, amount);
    return deposit;
  }

  /** Coins without an index update for ten seconds. */
  stale(): string[] {
    return Object.keys(this.known).filter((coin) => this.now - this.known[coin]! >= 10_000);
  }

  comesIn(uid: number, coin: string, amount: bigint): void {
    walletOf(this.userOf(uid)!, coin).available += amount;
    this.inside[coin] = (this.inside[coin] ?? 0n) + amount;
  }

  /** User balances of a coin less user debts. */
  owed(coin: string): bigint {
    return this.users.reduce((sum, user) => sum + total(user, coin) - borrowed(user, coin), 0n);
  }

  request(asked: OnChainAsk): Answer {
    const user = this.userOf(asked.uid);
    if (user === undefined) return 'unknownUser';
    const content = [
      'chain',
      asked.coin,
      asked.chain?.toUpperCase(),
      asked.address,
      units(asked.size),
      asked.tag,
    ].join(' ');
    const before = this.#named(asked.uid, asked.clientOid);
    if (before !== undefined) return before.content === content ? before : 'duplicateClientOid';
    const coin = this.coins[asked.coin];
    if (coin === undefined) return 'coinNotWithdrawn';
    if (asked.chain === undefined) return 'fieldMissing';
    const chain = this.chainOf(coin, asked.chain);
    if (chain === undefined) return 'unknownChain';
    if (this.halted.has(coin.name)) return 'withdrawalsHalted';
    if (!chain.open) return 'chainClosed';
    const refusal =
      this.#addressRefusal(chain, asked) ?? this.#sizeRefusal(user, coin, chain, asked.size);
    return refusal ?? this.#begin(user, coin, chain, asked, content);
  }

  chainOf({ chains }: DeskCoin, name: string): DeskChain | undefined {
    return chains.find((chain) => chain.name.toUpperCase() === name.toUpperCase());
  }

  #named(uid: number, clientOid: string | undefined): DeskOrder | undefined {
    return clientOid === undefined
      ? undefined
      : this.orders.find((order) => order.uid === uid && order.clientOid === clientOid);
  }

  #addressRefusal(
    chain: DeskChain,
    { uid, kind, recipient, invoice, size, tag }: OnChainAsk,
  ): string | undefined {
    if (kind !== chain.kind || recipient === uid) return 'addressInvalid';
    if (chain.kind === 'lightning') {
      if (invoice === undefined || invoice.paymentHash === '' || invoice.amount === undefined)
        return 'addressInvalid';
      const used = this.orders.some(({ paymentHash }) => paymentHash === invoice.paymentHash);
      if (used || invoice.expiresAt <= this.now || units(invoice.amount) !== units(size))
        return 'addressInvalid';
    }
    if (chain.needsTag && tag === undefined) return 'tagNeeded';
    return chain.kind === 'xrp' && tag !== undefined && !isXrpTag(tag) ? 'tagNeeded' : undefined;
  }

  #sizeRefusal(
    user: DeskUser,
    coin: DeskCoin,
    chain: DeskChain,
    input: string,
  ): string | undefined {
    if (decimalsOf(input) > Math.min(chain.decimals, MONEY_DECIMALS)) return 'withdrawalTooFine';
    const size = units(input);
    if (size % chain.step !== 0n) return 'withdrawalOffStep';
    if (size < chain.min) return 'withdrawalTooSmall';
    if (chain.kind !== 'lightning' && size <= chain.fee) return 'withdrawalNotAboveFee';
    const usd = this.usdOf(coin.name, size);
    if (usd !== undefined && usd > coin.single) return 'withdrawalTooLarge';
    if (usd !== undefined && this.usedToday(user.uid) + usd > dailyLimit(coin, user.level))
      return 'dailyLimitExceeded';
    const held = chain.kind === 'lightning' ? size + chain.fee : size;
    return mayLeave(this.#accountOf(user), coin.name, held) ? undefined : 'insufficientBalance';
  }

  /** Rounded up, so that no fraction passes a limit. */
  usdOf(coin: string, size: bigint): bigint | undefined {
    const index = coin === 'USDT' || coin === 'USDC' ? UNIT : this.indexes[coin];
    return index === undefined ? undefined : ceiling(size * index, UNIT);
  }

  /** Withdrawals requested since midnight UTC that have not failed. */
  usedToday(uid: number): bigint {
    return this.#today((order) => order.uid === uid);
  }

  #today(counts: (order: DeskOrder) => boolean): bigint {
    const since = this.now - (this.now % DAY);
    return this.orders
      .filter(
        (order) =>
          order.at >= since && order.chain !== '' && order.stage !== 'failed' && counts(order),
      )
      .reduce((sum, { usd }) => sum + (usd ?? 0n), 0n);
  }

  #begin(
    user: DeskUser,
    coin: DeskCoin,
    chain: DeskChain,
    asked: OnChainAsk,
    content: string,
  ): DeskOrder {
    const size = units(asked.size);
    const onTop = chain.kind === 'lightning';
    const [held, sent] = onTop ? [size + chain.fee, size] : [size, size - chain.fee];
    const usd = this.usdOf(coin.name, size);
    const automatic =
      usd !== undefined &&
      usd <= coin.automatic &&
      this.#houseLetsOut(coin, usd) &&
      this.covers(coin.name, sent);
    const order: DeskOrder = {
      id: 0,
      clientOid: asked.clientOid ?? '',
      uid: user.uid,
      content,
      coin: coin.name,
      chain: chain.name,
      size,
      fee: chain.fee,
      sent,
      held,
      usd,
      at: this.now,
      automatic,
      approvalsNeeded: automatic ? 0 : usd !== undefined && usd > coin.second ? 2 : 1,
      confirmationsNeeded: chain.confirmations,
      recipient: asked.recipient,
      paymentHash: asked.invoice?.paymentHash,
      stage: automatic ? 'released' : 'approval',
      approvals: [],
      confirmations: 0,
      hash: undefined,
      failure: undefined,
    };
    const wallet = walletOf(user, coin.name);
    wallet.available -= held;
    wallet.locked += held;
    this.orders.push(order);
    return order;
  }

  /** Whether the automatic daily limit of all users covers the value. */
  #houseLetsOut(coin: DeskCoin, usd: bigint): boolean {
    return coin.house === undefined || usd <= coin.house - this.wentOut(coin.name);
  }

  wentOut(coin: string): bigint {
    return this.#today((order) => order.automatic && order.coin === coin);
  }

  /** Released withdrawals that have not arrived. */
  outgoing(coin: string): bigint {
    const out = this.orders.filter(
      (order) => order.coin === coin && ['released', 'asked', 'confirming'].includes(order.stage),
    );
    return out.reduce((sum, { sent }) => sum + sent, 0n);
  }

  /** Deposits less withdrawals, or the operator's reserve if that is lower. */
  holds(coin: string): bigint {
    const [inside, reserve] = [this.inside[coin] ?? 0n, this.reserves[coin]];
    return reserve === undefined || reserve > inside ? inside : reserve;
  }

  /** Whether the house can send this in addition to what is released. */
  covers(coin: string, sent: bigint): boolean {
    return this.outgoing(coin) + sent <= this.holds(coin);
  }

  transfer(asked: TransferAsk): Answer {
    const user = this.userOf(asked.uid);
    if (user === undefined) return 'unknownUser';
    const content = ['user', asked.coin, asked.kind, normal(asked), units(asked.size)].join(' ');
    const before = this.#named(asked.uid, asked.clientOid);
    if (before !== undefined) return before.content === content ? before : 'duplicateClientOid';
    if (this.coins[asked.coin] === undefined) return 'coinNotWithdrawn';
    if (this.halted.has(asked.coin)) return 'withdrawalsHalted';
    const recipient = this.users.find((each) => namedBy(each, asked));
    if (recipient === undefined) return 'unknownRecipient';
    if (recipient === user) return 'transferToSelf';
    if (decimalsOf(asked.size) > TRANSFER_DECIMALS) return 'withdrawalTooFine';
    const size = units(asked.size);
    if (size === 0n) return 'withdrawalTooSmall';
    if (!mayLeave(this.#accountOf(user), asked.coin, size)) return 'insufficientBalance';
    if (total(recipient, asked.coin) + size > MOST) return 'unknownRecipient';
    walletOf(user, asked.coin).available -= size;
    walletOf(recipient, asked.coin).available += size;
    const order: DeskOrder = {
      id: 0,
      clientOid: asked.clientOid ?? '',
      uid: user.uid,
      content,
      coin: asked.coin,
      chain: '',
      size,
      fee: 0n,
      sent: size,
      held: 0n,
      usd: undefined,
      at: this.now,
      automatic: false,
      approvalsNeeded: 0,
      confirmationsNeeded: 0,
      recipient: recipient.uid,
      paymentHash: undefined,
      stage: 'completed',
      approvals: [],
      confirmations: 0,
      hash: undefined,
      failure: undefined,
    };
    this.orders.push(order);
    return order;
  }

  cancel(uid: number, id: number | undefined, clientOid: string | undefined): string {
    const own = this.orders.filter((order) => order.uid === uid);
    const order =
      id === undefined
        ? own.find((each) => each.clientOid === clientOid)
        : own.find((each) => each.id === id);
    if (order === undefined || !isLive(order)) return 'unknownWithdrawal';
    if (order.stage !== 'approval' && order.stage !== 'released') return 'withdrawalOutOfTurn';
    return this.fails(order, 'cancelled');
  }

  fails(order: DeskOrder, failure: string): string {
    const wallet = walletOf(this.userOf(order.uid)!, order.coin);
    wallet.locked -= order.held;
    wallet.available += order.held;
    order.stage = 'failed';
    order.failure = failure;
    return 'accepted';
  }

  /** The fee goes to the house; the rest goes outside, or to another user. */
  succeeds(order: DeskOrder): string {
    const { uid, coin, held, sent, recipient } = order;
    walletOf(this.userOf(uid)!, coin).locked -= held;
    this.inside[coin]! -= sent;
    this.earned[coin] = (this.earned[coin] ?? 0n) + held - sent;
    order.stage = 'completed';
    if (recipient !== undefined) this.comesIn(recipient, coin, sent);
    else if (this.reserves[coin] !== undefined)
      this.reserves[coin] = max(0n, this.reserves[coin] - sent);
    return 'accepted';
  }

  live(): DeskOrder[] {
    return this.orders.filter(isLive);
  }
}

const isXrpTag = (tag: string): boolean => /^\d+$/.test(tag) && BigInt(tag) < 2n ** 32n;

/** Normalizes a recipient to one spelling. */
function normal({ kind, to, areaCode = '' }: TransferAsk): string {
  if (kind === 'email') return to.trim().toLowerCase();
  return kind === 'mobile' ? digits(areaCode) + digits(to) : to;
}

function namedBy(user: DeskUser, asked: TransferAsk): boolean {
  if (asked.kind === 'uid') return `${user.uid}` === asked.to;
  return (asked.kind === 'email' ? user.email : user.mobile) === normal(asked);
}
