/**
 * The whole state of the exchange: plain values only, so that it has one byte form. Everything but
 * this interface is read-only.
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

/** What a user holds in one coin. */
export type Wallet = Record<UserAccount, Amount>;

/**
 * What the house holds in one coin. `outside` mirrors the world: it owes what users brought in, so
 * it is negative.
 */
export type HouseWallet = Record<HouseAccount, Amount>;

export interface Ledger {
  wallets: Map<Uid, Map<string, Wallet>>;
  house: Map<string, HouseWallet>;
}

export interface ListedInstrument {
  instrument: Instrument;
  status: InstrumentStatus;
  /**
   * A scene of the simulated market has halted it, and nobody else has said anything of its status
   * since.
   */
  haltedByScene?: boolean | undefined;
}

/** Changed in place: whoever has found them keeps them at hand. */
export interface SymbolPrices {
  mark?: Price | undefined;
  pinned?: Price | undefined;
  /** A scene of the simulated market has pinned it, and nobody else since. */
  pinnedByScene?: boolean | undefined;
  /** Of the last trade; undefined while there was none. */
  last?: Price | undefined;
}

export interface Credentials {
  keys: Map<string, ApiKey>;
  /** How many live keys each user has. */
  counts: Map<Uid, number>;
}

export interface State {
  /** The last command executed, and the exchange time it was executed at. */
  sequence: Sequence;
  at: Timestamp;
  nextId: Id;
  nextUid: Uid;
  /**
   * Runs over every outcome and event ever, save those in which two runs of one world differ; two
   * lives that differ have different digests.
   */
  digest: Digest;
  clock: ClockSetting;
  marketOn: boolean;
  /** Scenes that the simulated market plays or will play, in the order they were asked for. */
  scenes: Map<Id, Scene>;
  /** How books are made that are not made as usual, by instrument key. */
  makings: Map<string, Making>;
  /** Recordings that commands have named, by the hash of their file. */
  recordings: Map<string, KnownRecording>;
  /** Which stretch of a recording is the past of a market, by instrument key. */
  recordedPasts: Map<string, RecordedPast>;
  /** Which stretch of a recording the price of a coin follows. */
  recordedPaths: Map<string, RecordedRange>;
  /** The first world's name once it is complete. */
  world?: string;
  /** What candles and trades of before the first start are computed from. */
  past?: Past;
  timers: Timer[];
  coins: Map<string, Coin>;
  /** By instrument key, `CATEGORY:SYMBOL`. */
  instruments: Map<string, ListedInstrument>;
  /** USD index by base coin, with the time it was last heard. */
  indexPrices: Map<string, { price: Price; updatedAt: Timestamp }>;
  symbolPrices: Map<string, SymbolPrices>;
  /** Of futures that have had a book with a middle, by instrument key. */
  premiums: Map<string, Premium>;
  /** Of futures that were ever held, by instrument key. */
  funding: Map<string, Funding>;
  /**
   * What trades, closings outside the book and funding of inverse contracts have drawn on clearing
   * beyond their fees, less what they have left there, by coin (POS-94).
   */
  drawnOnClearing: Map<string, Amount>;
  accounts: Map<Uid, Account>;
  /** E-mail and mobile, normalised, to the one user who has it. */
  contacts: Map<string, Uid>;
  ledger: Ledger;
  /** `uid:clientOid` of deposits, which credit once however often they are asked for. */
  depositIds: Map<string, { orderId: Id; content: string }>;
  /** Open orders only. */
  orders: IdTable<Order>;
  /** `uid:clientOid` of every order placed in the last six hours, oldest first. */
  clientOids: ClientOidGeneration[];
  /** Of whoever has set one: without another word from him his open orders are cancelled. */
  countdowns: Map<Uid, Countdown>;
  /** What the open orders of crossed accounts use of their margin, by user and coin. */
  orderMargins: Map<Uid, Map<string, Amount>>;
  positions: Map<Uid, Positions>;
  /** Live triggers only, oldest first. */
  triggers: Map<Id, Trigger>;
  /**
   * Triggers whose price was reached and that have not fired yet, in the order in which they will.
   */
  reachedTriggers: Set<Id>;
  /**
   * Take-profit and stop-loss that will be armed when the order they came with is done, by that
   * order.
   */
  pendingTpsl: Map<Id, PendingTpsl>;
  debts: Map<Uid, Map<string, Debt>>;
  /** The full hour at which loans cost interest next; absent while nobody owes. */
  interestDue?: Timestamp;
  /**
   * How the money that users have set apart is divided over the pairs of isolated spot margin, by
   * user and symbol.
   */
  isolatedPairs: Map<Uid, Map<string, PairWallets>>;
  /** Whoever owes something in a pair, by symbol, in the order they began to. */
  isolatedDebts: Map<string, Map<Uid, PairDebts>>;
  /** The full hour at which loans of pairs cost interest next; absent while none is owed. */
  isolatedInterestDue?: Timestamp;
  /** Whoever is still to be charged what fell due for everybody; absent while nobody is. */
  pendingCharges?: PendingCharges;
  copy: CopyState;
  withdrawals: Withdrawals;
  dailyOrders: { warn?: number; restrict?: number };
  agentBooks: AgentBooks;
  levels: Levels;
  /** Changed in place: whoever has found them keeps them at hand. */
  readonly fees: FeeTables;
  /** Left out of the state hash: two runs of one world have different keys. */
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
