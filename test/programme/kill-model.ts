/**
 * What is known about a server that is killed again and again: what was asked of it, what it
 * acknowledged, and what must therefore be true.
 */
import type { Random } from '../../src/kernel/random.ts';
import type { UserCredentials } from './server.ts';

export class KillFailure extends Error {
  override readonly name = 'KillFailure';
}

/**
 * A deposit that was asked for. Its size is its own, so that its ledger line can be told from all
 * others.
 */
export interface Deposit {
  readonly uid: string;
  readonly coin: string;
  readonly size: string;
  readonly clientOid: string | undefined;
  /** `unknown` until an answer, or a look at the ledger after a crash, settles it. */
  state: 'unknown' | 'present' | 'absent';
  orderId: string | undefined;
}

export interface Customer {
  readonly uid: string;
  readonly email: string;
  readonly deposits: Deposit[];
  readonly keys: Keys[];
  /** The leverage that was acknowledged, and the ones asked for since without an answer. */
  leverage: string;
  leveragesAsked: string[];
  leverageBusy: boolean;
}

export type Keys = Pick<UserCredentials, 'apiKey' | 'secretKey' | 'passphrase'>;

/** The default of an account that has set none. */
const DEFAULT_LEVERAGE = '10';
const COINS = ['USDT', 'BTC', 'SOL'];
/** Decimals that money can have. */
const DECIMALS = 10;

/**
 * Customers that deposits and keys are asked for at a time; older ones rest and must stay as they
 * are.
 */
const ACTIVE_MAX = 6;

export class KillModel {
  readonly random: Random;
  readonly customers: Customer[] = [];
  /** E-mail addresses of users whose creation was asked for and never answered. */
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

  /** Ends in a digit other than zero, so that it is written back as it was sent. */
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

  /** A deposit with a client id that was asked for before, whatever became of it. */
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

  /** An answer with an order id has arrived for a deposit. */
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
