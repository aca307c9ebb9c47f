/**
 * Caches the records of an account and of its symbols, which the state keeps in many maps. Code
 * that adds or removes such a record also updates the cache.
 */

import type { FeeRates, FeeTable, FeeTables } from '../../formulas/fees.ts';
import { defaultLeverage } from '../../formulas/margin.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Uid } from '../../kernel/ids.ts';
import type { Amount, Rate } from '../../kernel/money.ts';
import { UidTable } from '../../kernel/uid-table.ts';
import type { Instrument } from '../../messages/listings.ts';
import {
  isIsolated,
  type Level,
  type MarginMode,
  type PositionSide,
  type Side,
} from '../../messages/vocabulary.ts';
import type { Account, SymbolSetting } from '../state/account.ts';
import type { Accrual, Accruals } from '../state/agent-books.ts';
import type { DayVolume } from '../state/levels.ts';
import type { Order } from '../state/order.ts';
import type { Position, Positions } from '../state/position.ts';
import type { State, Wallet } from '../state/state.ts';
import { rateFromText } from './instrument-spec.ts';
import type { MarketContext } from './market-context.ts';
import { positionOf } from './position.ts';
import type { OpenOrders, SideSums } from './side-sums.ts';

/**
 * Crossed margin at a default leverage. The objects are shared, because the audit compares
 * identity.
 */
const DEFAULT_SETTINGS = new Map<DecimalText, Readonly<SymbolSetting>>();

function defaultSetting(instrument: Instrument): Readonly<SymbolSetting> {
  const leverage = defaultLeverage(instrument);
  const known = DEFAULT_SETTINGS.get(leverage);
  if (known !== undefined) return known;
  const setting: SymbolSetting = { marginMode: 'crossed', leverage };
  DEFAULT_SETTINGS.set(leverage, setting);
  return setting;
}

type Listed = Pick<State, 'instruments'>;

/** The caller knows that the symbol is listed. */
export const settingOf = (
  { instruments }: Listed,
  account: Account,
  key: string,
): Readonly<SymbolSetting> =>
  account.symbolSettings.get(key) ?? defaultSetting(instruments.get(key)!.instrument);

/** Only an isolated position in hedge mode has a leverage for each side. */
export const hasSides = (account: Account, marginMode: MarginMode): boolean =>
  account.positionMode === 'hedge' && isIsolated(marginMode);

/** The leverage of a side. Settings by side apply only to isolated margin in hedge mode. */
export function leverageIn(
  account: Account,
  setting: Readonly<SymbolSetting>,
  marginMode: MarginMode,
  side: PositionSide,
): DecimalText {
  if (!hasSides(account, marginMode)) return setting.leverage;
  return (side === 'long' ? setting.longLeverage : setting.shortLeverage) ?? setting.leverage;
}

export function leverageOf(
  listed: Listed,
  account: Account,
  key: string,
  side: PositionSide,
): DecimalText {
  const setting = settingOf(listed, account, key);
  return leverageIn(account, setting, setting.marginMode, side);
}

export class AccountContext {
  readonly uid: Uid;
  readonly account: Account;
  wallets: Map<string, Wallet> | undefined;
  /** Margin used by open orders, by coin. */
  orderMargins: Map<string, Amount> | undefined;
  positions: Positions | undefined;
  /** For a master: its volume on the last day on which it traded. */
  volume: DayVolume | undefined;
  readonly #symbolAccounts = new Map<number, SymbolAccount>();
  /** The last one returned, because a fill needs it several times. */
  #last: SymbolAccount | undefined;
  /** The map of an account that has no order margins now; most accounts need it again soon. */
  #spareMargins: Map<string, Amount> | undefined;
  /** The map of an account that has no positions now. */
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

  /** The state has no zero amounts and no empty maps. */
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

  /** The state has no empty maps. */
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

  /** Undefined if the account has never traded the symbol. */
  symbolAccountIn(market: MarketContext): SymbolAccount | undefined {
    const last = this.#last;
    return last?.market === market ? last : this.#symbolAccounts.get(market.number);
  }

  openSymbolAccount(state: State, market: MarketContext): SymbolAccount {
    const last = this.#last;
    if (last !== undefined && last.market === market) return last;
    const symbolAccount =
      this.#symbolAccounts.get(market.number) ?? this.#newSymbolAccount(state, market);
    this.#last = symbolAccount;
    return symbolAccount;
  }

  #newSymbolAccount(state: State, market: MarketContext): SymbolAccount {
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

/** A context is created when it is first needed. */
export type AccountContexts = UidTable<AccountContext>;

export const noAccountContexts = (): AccountContexts => new UidTable<AccountContext>();

const noSums = (): SideSums => ({ left: 0, opening: 0, inexact: false });

export class SymbolAccount implements OpenOrders {
  readonly context: AccountContext;
  readonly market: MarketContext;
  long: Position | undefined;
  short: Position | undefined;
  /** The fees paid in this symbol, and the accruals of the day that contain them. */
  accrual: Accrual | undefined;
  accruedIn: Accruals | undefined;
  #setting: Readonly<SymbolSetting>;
  #leverage: Rate;
  readonly all: Order[] = [];
  reduceOnly = 0;
  readonly buy: SideSums = noSums();
  readonly sell: SideSums = noSums();

  constructor(state: State, context: AccountContext, market: MarketContext) {
    this.context = context;
    this.market = market;
    this.long = positionOf(state, context.uid, market.key, 'long');
    this.short = positionOf(state, context.uid, market.key, 'short');
    this.#setting = settingOf(state, context.account, market.key);
    this.#leverage = rateFromText(this.#setting.leverage);
  }

  get setting(): Readonly<SymbolSetting> {
    return this.#setting;
  }

  set setting(setting: Readonly<SymbolSetting>) {
    this.#setting = setting;
    this.#leverage = rateFromText(setting.leverage);
  }

  /** The leverage of crossed positions. */
  get crossedLeverage(): Rate {
    return this.#leverage;
  }

  position(side: PositionSide): Position | undefined {
    return side === 'long' ? this.long : this.short;
  }

  setPosition(side: PositionSide, position: Position | undefined): void {
    if (side === 'long') this.long = position;
    else this.short = position;
  }

  sums(side: Side): SideSums {
    return side === 'buy' ? this.buy : this.sell;
  }
}
