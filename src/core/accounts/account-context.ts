/**
 * Whoever has orders and positions, as trading sees him: what the state keeps about him in many maps, found at once. It follows from the
 * state; whoever puts one of these records into the state, or takes it out, says so here.
 */
import type { FeeRates, FeeTable, FeeTables } from '../../formulas/fees.ts';
import type { Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Amount } from '../../kernel/money.ts';
import { UidTable } from '../../kernel/uid-table.ts';
import type { Level } from '../../messages/vocabulary.ts';
import type { MarketContext } from '../instruments/market-context.ts';
import type { DayVolume } from '../levels/levels.ts';
import type { Position, Positions } from '../positions/position.ts';
import type { Account, State, Wallet } from '../state.ts';
import type { CoreState } from '../step.ts';
import { SymbolAccount } from './symbol-account.ts';

export class AccountContext {
  readonly uid: Uid;
  readonly account: Account;
  wallets: Map<string, Wallet> | undefined;
  /** What his open orders use of his margin, by coin. */
  orderMargins: Map<string, Amount> | undefined;
  positions: Positions | undefined;
  /** What a master has traded on the day it last traded. */
  volume: DayVolume | undefined;
  readonly #symbolAccounts = new Map<number, SymbolAccount>();
  /** The last one asked for: a fill asks several times. */
  #last: SymbolAccount | undefined;
  /** The order margins of an account that has none now, with the one coin it had last: most come back with that coin. */
  #spareMargins: Map<string, Amount> | undefined;
  /** The same of positions. */
  #sparePositions: Positions | undefined;
  #lastCoin = '';
  #lastWallet: Wallet | undefined;
  readonly #fees: Readonly<FeeTables>;
  #feeTable: FeeTable;
  #level: Level;
  #futuresFees: FeeRates;

  constructor(state: State, uid: Uid, account: Account) {
    this.uid = uid;
    this.account = account;
    this.wallets = state.ledger.wallets.get(uid);
    this.orderMargins = state.orderMargins.get(uid);
    this.positions = state.positions.get(uid);
    this.#level = account.profile.level;
    this.#fees = state.fees;
    this.#feeTable = state.fees.futures;
    this.#futuresFees = this.#feeTable[this.#level];
  }

  wallet(coin: string): Wallet | undefined {
    if (coin === this.#lastCoin && this.#lastWallet !== undefined) return this.#lastWallet;
    this.#lastCoin = coin;
    this.#lastWallet = this.wallets?.get(coin);
    return this.#lastWallet;
  }

  useMargin(state: State, coin: string, amount: Amount): void {
    if (this.orderMargins === undefined) {
      const spare = this.#spareMargins;
      this.orderMargins = spare?.has(coin) === true ? spare : new Map();
      state.orderMargins.set(this.uid, this.orderMargins);
    }
    this.orderMargins.set(coin, amount);
  }

  /** Nothing is kept of a coin that no order uses, nor of an account without any. */
  freeMargin(state: State, coin: string): void {
    const own = this.orderMargins!;
    if (own.size > 1) {
      own.delete(coin);
      return;
    }
    state.orderMargins.delete(this.uid);
    this.orderMargins = undefined;
    this.#spareMargins = own;
  }

  putPosition(state: State, key: string, position: Position): void {
    if (this.positions === undefined) {
      const spare = this.#sparePositions;
      this.positions = spare?.has(key) === true ? spare : new Map();
      state.positions.set(this.uid, this.positions);
    }
    this.positions.set(key, position);
  }

  /** Nothing is kept of an account without any. */
  removePosition(state: State, key: string): void {
    const own = this.positions!;
    if (own.size > 1) {
      own.delete(key);
      return;
    }
    state.positions.delete(this.uid);
    this.positions = undefined;
    this.#sparePositions = own;
  }

  /** His place in a future, when he has ever had one. */
  symbolAccountIn(market: MarketContext): SymbolAccount | undefined {
    const last = this.#last;
    return last?.market === market ? last : this.#symbolAccounts.get(market.number);
  }

  openSymbolAccount(state: State, market: MarketContext): SymbolAccount {
    const last = this.#last;
    if (last !== undefined && last.market === market) return last;
    const symbolAccount = this.#symbolAccounts.get(market.number) ?? this.#newSeat(state, market);
    this.#last = symbolAccount;
    return symbolAccount;
  }

  #newSeat(state: State, market: MarketContext): SymbolAccount {
    const symbolAccount = new SymbolAccount(state, this, market);
    this.#symbolAccounts.set(market.number, symbolAccount);
    return symbolAccount;
  }

  symbolAccounts(): Iterable<SymbolAccount> {
    return this.#symbolAccounts.values();
  }

  get futuresFees(): FeeRates {
    const { level } = this.account.profile;
    const table = this.#fees.futures;
    if (level === this.#level && table === this.#feeTable) return this.#futuresFees;
    this.#level = level;
    this.#feeTable = table;
    this.#futuresFees = table[level];
    return this.#futuresFees;
  }
}

/** Holders are made when they are first asked for. */
export type AccountContexts = UidTable<AccountContext>;
export const noAccountContexts = (): AccountContexts => new UidTable<AccountContext>();

/** Undefined for a uid that nobody has. */
export function findAccountContext({ state, derived }: CoreState, uid: Uid): AccountContext | undefined {
  const known = derived.accountContexts.get(uid);
  if (known !== undefined) return known;
  const account = state.accounts.get(uid);
  if (account === undefined) return undefined;
  const context = new AccountContext(state, uid, account);
  derived.accountContexts.set(uid, context);
  return context;
}

export function accountOf(core: CoreState, uid: Uid): AccountContext {
  const context = findAccountContext(core, uid);
  invariant(context !== undefined, 'whoever trades has an account');
  return context;
}

/** The place of an order of futures, or of a position: its holder's, in its instrument. */
export function symbolAccountOf(core: CoreState, { uid, key }: { readonly uid: Uid; readonly key: string }): SymbolAccount {
  const market = core.derived.marketContexts.at(key);
  invariant(market !== undefined, 'what is traded is listed');
  return accountOf(core, uid).openSymbolAccount(core.state, market);
}
