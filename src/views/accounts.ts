/** Users: profile, settings and balances. */
import { defaultLeverage } from '../formulas/margin.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { Uid } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import { type Amount, minus, plus, ZERO_AMOUNT } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { EventOf, LedgerLine, UserProfile } from '../messages/events.ts';
import type {
  EntryReason,
  FuturesCategory,
  LedgerAccount,
  MarginMode,
  PositionMode,
  SelfTradeMode,
  UserAccount,
} from '../messages/vocabulary.ts';
import type { ListedInstrument, ListingQueries } from './listings.ts';
import type { Listeners, View } from './view.ts';

export interface SymbolSetting {
  readonly marginMode: MarginMode;
  readonly leverage: DecimalText;
  /** Only in isolated hedge mode, and only if set for that side. */
  readonly longLeverage?: DecimalText;
  readonly shortLeverage?: DecimalText;
}

/** Default of a symbol: crossed, at the listing's default leverage (ACC-13, ACC-24). */
const defaultSetting = (listed: ListedInstrument | undefined): SymbolSetting => ({
  marginMode: 'crossed',
  leverage: defaultLeverage(listed?.instrument ?? NOT_LISTED),
});
const NOT_LISTED = { tiers: [] };

export interface NamedSymbolSetting extends SymbolSetting {
  readonly category: FuturesCategory;
  readonly symbol: string;
}

export interface AccountSettings {
  readonly positionMode: PositionMode;
  readonly selfTradeMode: SelfTradeMode;
  /** Only symbols whose setting was ever changed. */
  readonly symbols: readonly NamedSymbolSetting[];
  /** Only coins whose leverage was ever changed. */
  readonly coinLeverages: readonly { readonly coin: string; readonly leverage: DecimalText }[];
}

/** A user's balance in one coin, without isolated pairs. Equity is the total minus debts. */
export interface Balance {
  readonly coin: string;
  readonly available: Amount;
  readonly locked: Amount;
  readonly margin: Amount;
  readonly borrowed: Amount;
  readonly interest: Amount;
  /** The part of `borrowed` with a maintenance requirement (POS-173). */
  readonly marginedPrincipal: Amount;
  readonly equity: Amount;
  /** The part of `locked` that is being withdrawn and is no longer collateral. */
  readonly withdrawing: Amount;
}

export interface UserQuery {
  readonly name?: string | undefined;
  readonly uidLessThan?: Uid | undefined;
  readonly limit: number;
}

export interface AccountQueries {
  count(): number;
  uids(): readonly Uid[];
  has(uid: Uid): boolean;
  profile(uid: Uid): UserProfile | undefined;
  createdAt(uid: Uid): Timestamp | undefined;
  /** Newest first, before a uid, and only of one name if given. */
  page(query: UserQuery): readonly UserProfile[];
  /** The first user created under a name. */
  findByName(name: string): UserProfile | undefined;
  settings(uid: Uid): AccountSettings | undefined;
  /** One-way for an unknown user. */
  positionMode(uid: Uid): PositionMode;
  /** Returns the default for a symbol without a setting. */
  symbolSetting(uid: Uid, category: FuturesCategory, symbol: string): SymbolSetting;
  /** Every coin that the wallet ever held, in order of first use; empty for an unknown user. */
  balances(uid: Uid): readonly Balance[];
  /** Zero in a coin the user never had. */
  balance(uid: Uid, coin: string): Balance;
  /** The total of a coin, including held amounts and isolated positions. */
  holds(uid: Uid, coin: string): Amount;
  /** When the balance in a coin last changed; undefined if it never did. */
  balanceChangedAt(uid: Uid, coin: string): Timestamp | undefined;
}

/** Money of isolated spot margin pairs is not part of the wallet. */
const WALLET_ACCOUNTS = ['available', 'locked', 'margin'] as const satisfies readonly UserAccount[];
type WalletAccount = (typeof WALLET_ACCOUNTS)[number];
const isOfWallet = (account: LedgerAccount): account is WalletAccount =>
  (WALLET_ACCOUNTS as readonly LedgerAccount[]).includes(account);
type Wallet = Record<WalletAccount, Amount>;

interface Account {
  profile: UserProfile;
  readonly createdAt: Timestamp;
  positionMode: PositionMode;
  selfTradeMode: SelfTradeMode;
  readonly symbols: Map<string, NamedSymbolSetting>;
  readonly coinLeverages: Map<string, DecimalText>;
  readonly wallets: Map<string, Wallet>;
  /** Only coins with a debt. */
  readonly debts: Map<string, Debt>;
  readonly changedAt: Map<string, Timestamp>;
  /** Only coins with an open withdrawal. */
  readonly withdrawing: Map<string, Amount>;
}

interface Debt {
  readonly borrowed: Amount;
  readonly interest: Amount;
  readonly exemptPrincipal: Amount;
}
const NO_DEBT: Debt = {
  borrowed: ZERO_AMOUNT,
  interest: ZERO_AMOUNT,
  exemptPrincipal: ZERO_AMOUNT,
};

/** Entries that change how much of `locked` is being withdrawn. */
const WITHDRAWAL_REASONS: ReadonlySet<EntryReason> = new Set([
  'withdrawalHold',
  'withdrawalSent',
  'withdrawalReturn',
]);

const settingKey = (category: FuturesCategory, symbol: string): string => `${category}:${symbol}`;

const EMPTY_WALLET: Readonly<Wallet> = {
  available: ZERO_AMOUNT,
  locked: ZERO_AMOUNT,
  margin: ZERO_AMOUNT,
};

function balanceOf(
  coin: string,
  wallet: Readonly<Wallet>,
  account?: Pick<Account, 'debts' | 'withdrawing'>,
): Balance {
  const { borrowed, interest, exemptPrincipal } = account?.debts.get(coin) ?? NO_DEBT;
  const withdrawing = account?.withdrawing.get(coin) ?? ZERO_AMOUNT;
  const { available, locked, margin } = wallet;
  const owned = plus(plus(available, locked), margin);
  const equity = minus(owned, plus(borrowed, interest));
  return {
    coin,
    available,
    locked,
    margin,
    borrowed,
    interest,
    marginedPrincipal: minus(borrowed, exemptPrincipal),
    equity,
    withdrawing,
  };
}

const newAccount = (
  { user, positionMode }: EventOf<'userCreated'>,
  createdAt: Timestamp,
): Account => ({
  profile: user,
  createdAt,
  positionMode,
  selfTradeMode: 'none',
  symbols: new Map(),
  coinLeverages: new Map(),
  wallets: new Map(),
  debts: new Map(),
  changedAt: new Map(),
  withdrawing: new Map(),
});

function withLeverage(
  before: NamedSymbolSetting,
  event: EventOf<'leverageChanged'>,
): NamedSymbolSetting {
  const { category, symbol, marginMode } = before;
  if (event.side === 'long') return { ...before, longLeverage: event.leverage };
  if (event.side === 'short') return { ...before, shortLeverage: event.leverage };
  return { category, symbol, marginMode, leverage: event.leverage };
}

export class AccountsView implements View<'accounts'>, AccountQueries {
  readonly name = 'accounts';
  readonly #listings: Pick<ListingQueries, 'instrument'>;
  #accounts = new Map<Uid, Account>();
  /** Names are not unique. */
  #byName = new Map<string, Uid[]>();

  readonly on: Listeners<'accounts'> = {
    userCreated: (event, at) => this.#add(newAccount(event, at)),
    levelChanged: (event) => this.#setLevel(event),
    positionModeChanged: ({ uid, positionMode }) => {
      this.#known(uid).positionMode = positionMode;
    },
    leverageChanged: (event) => this.#setSymbol(event, (before) => withLeverage(before, event)),
    marginModeChanged: (event) =>
      this.#setSymbol(event, (before) => ({ ...before, marginMode: event.marginMode })),
    coinLeverageChanged: ({ uid, coin, leverage }) =>
      void this.#known(uid).coinLeverages.set(coin, leverage),
    selfTradeModeChanged: ({ uid, selfTradeMode }) => {
      this.#known(uid).selfTradeMode = selfTradeMode;
    },
    debtChanged: (event) => this.#setDebt(event),
    entryPosted: ({ reason, lines }, at) => {
      for (const line of lines) this.#setBalance(line, at);
      if (WITHDRAWAL_REASONS.has(reason)) for (const line of lines) this.#setWithdrawing(line);
    },
  };

  constructor(listings: Pick<ListingQueries, 'instrument'>) {
    this.#listings = listings;
  }

  save(): unknown {
    return structuredClone(this.#accounts);
  }

  restore(saved: unknown): void {
    this.#accounts = new Map();
    this.#byName = new Map();
    for (const account of structuredClone(saved as Map<Uid, Account>).values()) this.#add(account);
  }

  count(): number {
    return this.#accounts.size;
  }

  uids(): readonly Uid[] {
    return [...this.#accounts.keys()];
  }

  has(uid: Uid): boolean {
    return this.#accounts.has(uid);
  }

  profile(uid: Uid): UserProfile | undefined {
    return this.#accounts.get(uid)?.profile;
  }

  createdAt(uid: Uid): Timestamp | undefined {
    return this.#accounts.get(uid)?.createdAt;
  }

  findByName(name: string): UserProfile | undefined {
    const uid = this.#byName.get(name)?.[0];
    return uid === undefined ? undefined : this.profile(uid);
  }

  page({
    name,
    uidLessThan = Number.POSITIVE_INFINITY as Uid,
    limit,
  }: UserQuery): readonly UserProfile[] {
    const uids = name === undefined ? this.uids() : (this.#byName.get(name) ?? []);
    const found: UserProfile[] = [];
    for (let at = uids.length - 1; at >= 0 && found.length < limit; at--)
      if (uids[at]! < uidLessThan) found.push(this.#known(uids[at]!).profile);
    return found;
  }

  settings(uid: Uid): AccountSettings | undefined {
    const account = this.#accounts.get(uid);
    if (account === undefined) return undefined;
    const { positionMode, selfTradeMode, symbols, coinLeverages } = account;
    const leverages = [...coinLeverages].map(([coin, leverage]) => ({ coin, leverage }));
    return {
      positionMode,
      selfTradeMode,
      symbols: [...symbols.values()],
      coinLeverages: leverages,
    };
  }

  positionMode(uid: Uid): PositionMode {
    return this.#accounts.get(uid)?.positionMode ?? 'oneWay';
  }

  symbolSetting(uid: Uid, category: FuturesCategory, symbol: string): SymbolSetting {
    return (
      this.#accounts.get(uid)?.symbols.get(settingKey(category, symbol)) ??
      defaultSetting(this.#listings.instrument(category, symbol))
    );
  }

  balances(uid: Uid): readonly Balance[] {
    const account = this.#accounts.get(uid);
    return [...(account?.wallets ?? [])].map(([coin, wallet]) => balanceOf(coin, wallet, account));
  }

  balance(uid: Uid, coin: string): Balance {
    const account = this.#accounts.get(uid);
    return balanceOf(coin, account?.wallets.get(coin) ?? EMPTY_WALLET, account);
  }

  holds(uid: Uid, coin: string): Amount {
    const { available, locked, margin } =
      this.#accounts.get(uid)?.wallets.get(coin) ?? EMPTY_WALLET;
    return plus(plus(available, locked), margin);
  }

  balanceChangedAt(uid: Uid, coin: string): Timestamp | undefined {
    return this.#accounts.get(uid)?.changedAt.get(coin);
  }

  #known(uid: Uid): Account {
    const account = this.#accounts.get(uid);
    invariant(account !== undefined, "an event's user was created before");
    return account;
  }

  #add(account: Account): void {
    const { uid, name } = account.profile;
    this.#accounts.set(uid, account);
    if (name === undefined) return;
    const namesakes = this.#byName.get(name);
    if (namesakes === undefined) this.#byName.set(name, [uid]);
    else namesakes.push(uid);
  }

  #setSymbol(
    event: EventOf<'leverageChanged' | 'marginModeChanged'>,
    change: (before: NamedSymbolSetting) => NamedSymbolSetting,
  ): void {
    const { uid, category, symbol } = event;
    this.#known(uid).symbols.set(
      settingKey(category, symbol),
      change({ category, symbol, ...this.symbolSetting(uid, category, symbol) }),
    );
  }

  #setLevel({ uid, level }: EventOf<'levelChanged'>): void {
    const account = this.#known(uid);
    account.profile = { ...account.profile, level };
  }

  #setDebt({
    uid,
    coin,
    borrowed,
    interest,
    exemptPrincipal = ZERO_AMOUNT,
  }: EventOf<'debtChanged'>): void {
    const { debts, wallets } = this.#known(uid);
    if (borrowed === 0n && interest === 0n) debts.delete(coin);
    else debts.set(coin, { borrowed, interest, exemptPrincipal });
    if (!wallets.has(coin)) wallets.set(coin, { ...EMPTY_WALLET });
  }

  #setWithdrawing({ uid, coin, account, amount }: LedgerLine): void {
    if (uid === undefined || account !== 'locked') return;
    const { withdrawing } = this.#known(uid);
    const sum = plus(withdrawing.get(coin) ?? ZERO_AMOUNT, amount);
    if (sum === 0n) withdrawing.delete(coin);
    else withdrawing.set(coin, sum);
  }

  #setBalance({ uid, coin, account, balance }: LedgerLine, at: Timestamp): void {
    if (uid === undefined || !isOfWallet(account)) return;
    const { wallets, changedAt } = this.#known(uid);
    changedAt.set(coin, at);
    const known = wallets.get(coin);
    const wallet = known ?? { ...EMPTY_WALLET };
    wallet[account] = balance;
    if (known === undefined) wallets.set(coin, wallet);
  }
}
