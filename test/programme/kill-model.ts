/**
 * The model of a server that is killed repeatedly: what was requested, what was acknowledged, and
 * what must therefore be true.
 */
import type { Random } from '../../src/kernel/random.ts';
import type { UserCredentials } from './server.ts';

export class KillFailure extends Error {
  override readonly name = 'KillFailure';
}

/** A requested deposit. Its size is unique, so that its ledger line can be identified. */
export interface Deposit {
  readonly uid: string;
  readonly coin: string;
  readonly size: string;
  readonly clientOid: string | undefined;
  /** `unknown` until an answer, or the ledger after a crash, settles it. */
  state: 'unknown' | 'present' | 'absent';
  orderId: string | undefined;
}

export interface Customer {
  readonly uid: string;
  readonly email: string;
  readonly deposits: Deposit[];
  readonly keys: Keys[];
  /** The acknowledged leverage, and later requests without an answer. */
  leverage: string;
  leveragesAsked: string[];
  leverageBusy: boolean;
}

export type Keys = Pick<UserCredentials, 'apiKey' | 'secretKey' | 'passphrase'>;

/** The default leverage of an account. */
const DEFAULT_LEVERAGE = '10';
const COINS = ['USDT', 'BTC', 'SOL'];
/** Decimals of money. */
const DECIMALS = 10;

/**
 * Customers that receive deposits and keys at a time; older ones are inactive and must not change.
 */
const ACTIVE_MAX = 6;

export class KillModel {
  readonly random: Random;
  readonly customers: Customer[] = [];
  /** E-mail addresses of users whose creation got no answer. */
  readonly usersUnknown = new Set<string>();
  readonly bySize = new Map<string, Deposit>();
  acknowledged = 0;
  unanswered = 0;
  #count = 0;

  constructor(random: Random) {
    this.random = random;
  }

  get activeFrom(): number {
    return Math.max(0, this.customers.length - ACTIVE_MAX);
  }

  get active(): readonly Customer[] {
    return this.customers.slice(this.activeFrom);
  }

  /** Ends in a digit other than zero, so that the ledger shows the same text. */
  #nextSize(): string {
    this.#count++;
    return `0.${String(this.#count).padStart(DECIMALS - 1, '0')}1`;
  }

  newDeposit(customer: Customer, named: boolean): Deposit {
    const size = this.#nextSize();
    const clientOid = named ? `kill-${this.#count}` : undefined;
    const deposit: Deposit = {
      uid: customer.uid,
      coin: this.random.pick(COINS),
      size,
      clientOid,
      state: 'unknown',
      orderId: undefined,
    };
    this.bySize.set(size, deposit);
    customer.deposits.push(deposit);
    return deposit;
  }

  /** An earlier deposit with a client id, in any state. */
  namedDeposit(customer: Customer): Deposit | undefined {
    const named = customer.deposits.filter(({ clientOid }) => clientOid !== undefined);
    return named.length === 0 ? undefined : this.random.pick(named);
  }

  newEmail(): string {
    return `customer-${++this.#count}@rialto.example`;
  }

  addCustomer(uid: string, email: string): Customer {
    const twin = this.customers.find((customer) => customer.uid === uid);
    if (twin !== undefined)
      throw new KillFailure(`uid ${uid} was given to ${twin.email} and to ${email}`);
    const customer: Customer = {
      uid,
      email,
      deposits: [],
      keys: [],
      leverage: DEFAULT_LEVERAGE,
      leveragesAsked: [],
      leverageBusy: false,
    };
    this.customers.push(customer);
    return customer;
  }

  /** Takes an answer with an order id for a deposit. */
  acknowledgeDeposit(deposit: Deposit, orderId: string): void {
    if (deposit.orderId !== undefined && deposit.orderId !== orderId)
      throw new KillFailure(
        `the deposit ${deposit.clientOid} of ${deposit.uid} was ${deposit.orderId} and is now ${orderId}`,
      );
    if (deposit.state === 'absent' && deposit.clientOid === undefined)
      throw new KillFailure(`the deposit of ${deposit.size} was answered twice`);
    deposit.state = 'present';
    deposit.orderId = orderId;
  }
}
