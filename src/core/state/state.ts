/**
 * The whole state of the exchange, in plain values, so that it has one byte form. Only the state is
 * mutable.
 */

import { type FeeTables, firstFees } from '../../formulas/fees.ts';
import { type Digest, newDigest } from '../../kernel/digest.ts';
import { IdTable } from '../../kernel/id-table.ts';
import { type Id, type Sequence, UID_FIRST, type Uid } from '../../kernel/ids.ts';
import type { Amount, Price } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { ApiKey, ClockSetting } from '../../messages/events.ts';
import type { Coin, Instrument } from '../../messages/listings.ts';
import type { Past } from '../../messages/past.ts';
import type { KnownRecording, RecordedPast, RecordedRange } from '../../messages/recordings.ts';
import type { Making, Scene } from '../../messages/scenes.ts';
import type { HouseAccount, InstrumentStatus, UserAccount } from '../../messages/vocabulary.ts';
import type { Account } from './account.ts';
import { type AgentBooks, emptyAgentBooks } from './agent-books.ts';
import type { PendingCharges } from './charges.ts';
import { type CopyState, emptyCopyState } from './copy-state.ts';
import type { Debt } from './debt.ts';
import { emptyLevels, type Levels } from './levels.ts';
import type { Funding, Premium } from './market.ts';
import type { ClientOidGeneration, Order } from './order.ts';
import type { PairDebts, PairWallets } from './pair.ts';
import type { Positions } from './position.ts';
import type { Countdown, Timer } from './timer.ts';
import type { PendingTpsl, Trigger } from './trigger.ts';
import { noWithdrawals, type Withdrawals } from './withdrawal.ts';

/** The balances of a user in one coin. */
export type Wallet = Record<UserAccount, Amount>;

/**
 * The balances of the house in one coin. `outside` is the counter-account of deposits and
 * withdrawals, so it is negative.
 */
export type HouseWallet = Record<HouseAccount, Amount>;

export interface Ledger {
  wallets: Map<Uid, Map<string, Wallet>>;
  house: Map<string, HouseWallet>;
}

export interface ListedInstrument {
  instrument: Instrument;
  status: InstrumentStatus;
  /** True if a scene of the simulated market halted it and no operator has set its status since. */
  haltedByScene?: boolean | undefined;
}

/** Changed in place, because other code caches the reference. */
export interface SymbolPrices {
  mark?: Price | undefined;
  pinned?: Price | undefined;
  /** True if a scene of the simulated market pinned the mark, and no operator has since. */
  pinnedByScene?: boolean | undefined;
  /** Undefined before the first trade. */
  last?: Price | undefined;
}

export interface Credentials {
  keys: Map<string, ApiKey>;
  /** The number of live keys by user. */
  counts: Map<Uid, number>;
}

export interface State {
  /** The last command, and its exchange time. */
  sequence: Sequence;
  at: Timestamp;
  nextId: Id;
  nextUid: Uid;
  /** Covers every outcome and event, except those that differ between two runs of one world. */
  digest: Digest;
  clock: ClockSetting;
  marketOn: boolean;
  /** Current and future scenes of the simulated market, in the order of their requests. */
  scenes: Map<Id, Scene>;
  /** Settings of simulated market makers that differ from the default, by instrument key. */
  makings: Map<string, Making>;
  /** Imported recordings, by the hash of their file. */
  recordings: Map<string, KnownRecording>;
  /** The part of a recording that is a market's past, by instrument key. */
  recordedPasts: Map<string, RecordedPast>;
  /** The part of a recording that a coin's price follows, by coin. */
  recordedPaths: Map<string, RecordedRange>;
  /** The name of the first world; absent until it is complete. */
  world?: string;
  /** The seed of candles and trades from before the first start. */
  past?: Past;
  timers: Timer[];
  coins: Map<string, Coin>;
  /** By instrument key, `CATEGORY:SYMBOL`. */
  instruments: Map<string, ListedInstrument>;
  /** USD index by base coin, with the time of its last update. */
  indexPrices: Map<string, { price: Price; updatedAt: Timestamp }>;
  symbolPrices: Map<string, SymbolPrices>;
  /** By instrument key, for futures that have had a mid price. */
  premiums: Map<string, Premium>;
  /** By instrument key, for futures that have had an open position. */
  funding: Map<string, Funding>;
  /**
   * The net amount by coin that inverse contracts took from clearing through trades, closes outside
   * the book and funding, fees deducted (POS-94).
   */
  drawnOnClearing: Map<string, Amount>;
  accounts: Map<Uid, Account>;
  /** From a normalised e-mail address or mobile number to its user. */
  contacts: Map<string, Uid>;
  ledger: Ledger;
  /** By `uid:clientOid`: deposits, so that a repeated request does not credit again. */
  depositIds: Map<string, { orderId: Id; content: string }>;
  /** Open orders only. */
  orders: IdTable<Order>;
  /** Client order ids of the last six hours, oldest first. */
  clientOids: ClientOidGeneration[];
  /** By account: its open orders are cancelled unless it renews the countdown. */
  countdowns: Map<Uid, Countdown>;
  /** Initial margin of the open orders of crossed accounts, by user and coin. */
  orderMargins: Map<Uid, Map<string, Amount>>;
  positions: Map<Uid, Positions>;
  /** Live triggers only, oldest first. */
  triggers: Map<Id, Trigger>;
  /** Triggers whose price was reached but that have not fired, in firing order. */
  reachedTriggers: Set<Id>;
  /** By order: attached take-profit and stop-loss, which become triggers when the order ends. */
  pendingTpsl: Map<Id, PendingTpsl>;
  debts: Map<Uid, Map<string, Debt>>;
  /** The full hour at which interest is next charged; absent without loans. */
  interestDue?: Timestamp;
  /** Balances of isolated spot margin pairs, by user and symbol. */
  isolatedPairs: Map<Uid, Map<string, PairWallets>>;
  /** Debts of isolated pairs by symbol and user, in the order of the first loan. */
  isolatedDebts: Map<string, Map<Uid, PairDebts>>;
  /** The full hour at which interest of pairs is next charged; absent without loans. */
  isolatedInterestDue?: Timestamp;
  /** Absent if empty. */
  pendingCharges?: PendingCharges;
  copy: CopyState;
  withdrawals: Withdrawals;
  dailyOrders: { warn?: number; restrict?: number };
  agentBooks: AgentBooks;
  levels: Levels;
  /** Changed in place, because other code caches the reference. */
  readonly fees: FeeTables;
  /** Not part of the state hash, because two runs of one world have different keys. */
  credentials: Credentials;
}

export const emptyState = (): State => ({
  sequence: 0 as Sequence,
  at: 0 as Timestamp,
  nextId: 1 as Id,
  nextUid: UID_FIRST,
  digest: newDigest(),
  clock: { offsetMs: 0 },
  marketOn: false,
  scenes: new Map(),
  makings: new Map(),
  recordings: new Map(),
  recordedPasts: new Map(),
  recordedPaths: new Map(),
  timers: [],
  coins: new Map(),
  instruments: new Map(),
  indexPrices: new Map(),
  symbolPrices: new Map(),
  premiums: new Map(),
  funding: new Map(),
  drawnOnClearing: new Map(),
  accounts: new Map(),
  contacts: new Map(),
  ledger: { wallets: new Map(), house: new Map() },
  depositIds: new Map(),
  orders: new IdTable(),
  clientOids: [],
  countdowns: new Map(),
  orderMargins: new Map(),
  positions: new Map(),
  triggers: new Map(),
  reachedTriggers: new Set(),
  pendingTpsl: new Map(),
  debts: new Map(),
  isolatedPairs: new Map(),
  isolatedDebts: new Map(),
  copy: emptyCopyState(),
  withdrawals: noWithdrawals(),
  dailyOrders: {},
  agentBooks: emptyAgentBooks(),
  levels: emptyLevels(),
  fees: firstFees(),
  credentials: { keys: new Map(), counts: new Map() },
});
