/** Money rules of the naive exchange, each once: balances, requirements, and free money. */

import { forcedCloseRate, type Held, inCoin, inverse, profitOf } from './naive-contracts.ts';
import type { NaiveFreshness } from './naive-freshness.ts';
import type { NaiveDay } from './naive-limits.ts';
import type { NaiveName } from './naive-names.ts';
import type {
  NaiveHouse,
  NaiveInstrument,
  NaiveOrder,
  NaivePosition,
  NaivePremium,
  NaiveReport,
  NaiveStatus,
  NaiveTimer,
  NaiveTracking,
  NaiveUser,
  NaiveWallet,
  Side,
} from './naive-state.ts';
import { askForTimer } from './naive-timers.ts';
import type { NaiveTrigger } from './naive-triggers.ts';
import { ceiling, floor, max, min, nearest, UNIT, units } from './whole-units.ts';

/** The streams list USDC with this rate, because all other quote coins count in full. */
export const COLLATERAL: Readonly<Record<string, bigint>> = {
  USDT: units('1'),
  USDC: units('0.9'),
  BTC: units('0.95'),
  ETH: units('0.95'),
};

export const LOAN_MAINTENANCE = 20n * UNIT;

export interface NaiveBooks {
  readonly futures: readonly NaiveInstrument[];
  readonly users: readonly NaiveUser[];
  orders: NaiveOrder[];
  positions: NaivePosition[];
  readonly marks: Record<string, bigint>;
  readonly indexes: Record<string, bigint>;
  readonly house: Record<string, NaiveHouse>;
  /** Clearing payments for trades and funding that do not balance, by coin. */
  readonly drawn: Record<string, bigint>;
  readonly report: NaiveReport;
  /** Number of accepted orders. */
  accepted: number;
  /** Number of times an order went to the end of a queue. */
  places: number;
  now: number;
  timers: NaiveTimer[];
  readonly premiums: Record<string, NaivePremium>;
  readonly freshness: NaiveFreshness;
  /** By category and symbol; `normal` if not set. */
  readonly statuses: Record<string, NaiveStatus>;
  /** Last prices of futures by symbol; missing before the first trade. */
  readonly lasts: Record<string, bigint>;
  readonly names: NaiveName[];
  readonly day: NaiveDay;
  triggers: NaiveTrigger[];
  /** Number of triggers placed. */
  triggersPlaced: number;
  /** Triggers whose price was reached, in firing order. */
  line: NaiveTrigger[];
  /** Only in runs with copy trading. */
  readonly copying?: NaiveTracking;
}

export const walletOf = (user: NaiveUser, coin: string): NaiveWallet => {
  user.wallets[coin] ??= {
    available: 0n,
    locked: 0n,
    margin: 0n,
    debt: 0n,
    interest: 0n,
    exemptPrincipal: 0n,
    takeoverLoan: 0n,
  };
  return user.wallets[coin];
};

export const houseOf = ({ house }: NaiveBooks, coin: string): NaiveHouse => {
  house[coin] ??= { fees: 0n, interest: 0n, insurance: 0n };
  return house[coin];
};

/** Clearing covers at most a million dollars of each coin. */
export const clearingAllowance = (books: NaiveBooks, { symbol, coin }: NaiveInstrument): bigint =>
  max(0n, floor(1_000_000n * UNIT * UNIT, books.marks[symbol]!) - (books.drawn[coin] ?? 0n));

export const draw = (books: NaiveBooks, { coin }: NaiveInstrument, amount: bigint): void => {
  books.drawn[coin] = (books.drawn[coin] ?? 0n) + amount;
};

/**
 * Least profit of a close: in coins, clearing pays no more for a gain and takes no less for a loss
 * than its value at mark.
 */
export function leastProfitOf(
  books: NaiveBooks,
  instrument: NaiveInstrument,
  side: 'long' | 'short',
  size: bigint,
  cost: bigint,
  price: bigint,
): bigint {
  const whole = profitOf(instrument, side, size, cost, price);
  if (!inverse(instrument)) return whole;
  const gained = side === 'long' ? size * price - cost : cost - size * price;
  return min(whole, floor(gained, books.marks[instrument.symbol]!));
}

/** In dollars. */
export const valueAtMark = (books: NaiveBooks, { instrument, size, cost }: Held): bigint =>
  inverse(instrument) ? ceiling(cost, UNIT) : ceiling(size * books.marks[instrument.symbol]!, UNIT);

/** Summed tier by tier, in the margin coin. */
export function maintenanceAtMark(books: NaiveBooks, held: Held): bigint {
  const { instrument } = held;
  const { tiers } = instrument;
  const value = valueAtMark(books, held);
  let sum = 0n;
  tiers.forEach((tier, at) => {
    if (value <= tier.from) return;
    const end = at === tiers.length - 1 || value < tier.to ? value : tier.to;
    sum += (end - tier.from) * (tier.rate + forcedCloseRate(instrument));
  });
  return ceiling(...inCoin(instrument, sum, books.marks[instrument.symbol]!));
}

/** Value / leverage at mark, in the margin coin. */
export function marginAtMark(books: NaiveBooks, held: Held, leverage: bigint): bigint {
  const value = ceiling(
    ...inCoin(
      held.instrument,
      valueAtMark(books, held) * UNIT,
      books.marks[held.instrument.symbol]!,
    ),
  );
  return ceiling(value * UNIT, leverage);
}

/** In dollars, rounded up. */
export const inDollars = (books: NaiveBooks, coin: string, amount: bigint): bigint =>
  ceiling(amount * indexOf(books, coin), UNIT);

const crossed = (books: NaiveBooks, user: NaiveUser): NaivePosition[] =>
  books.positions.filter((position) => position.user === user && !position.isolated);

/** Hypothetical changes of an account: more of a coin, and more dollars of requirement. */
export interface Supposed {
  readonly more?: Readonly<Record<string, bigint>>;
  readonly needed?: bigint;
  readonly locked?: boolean;
  /** Coins that do not count as collateral; their debts count. */
  readonly without?: readonly string[];
}

/** Equity less initial margin, in USD. Locked money counts only if `locked` is set. */
export function headroom(books: NaiveBooks, user: NaiveUser, supposed: Supposed = {}): bigint {
  return equity(books, user, supposed) - initial(books, user, supposed);
}

export function equity(
  books: NaiveBooks,
  user: NaiveUser,
  { more = {}, locked = false, without = [] }: Supposed = {},
): bigint {
  const nets: Record<string, bigint> = { ...more };
  const add = (coin: string, amount: bigint): void => {
    nets[coin] = (nets[coin] ?? 0n) + amount;
  };
  for (const [coin, wallet] of Object.entries(user.wallets))
    add(coin, wallet.available - wallet.debt - wallet.interest + (locked ? wallet.locked : 0n));
  for (const { side, size, cost, instrument } of crossed(books, user))
    add(instrument.coin, profitOf(instrument, side, size, cost, books.marks[instrument.symbol]!));
  let sum = 0n;
  for (const [coin, net] of Object.entries(nets))
    if (net < 0n || !without.includes(coin))
      sum += net * indexOf(books, coin) * (net > 0n ? COLLATERAL[coin]! : UNIT);
  return floor(sum, UNIT * UNIT);
}

export const indexOf = (books: NaiveBooks, coin: string): bigint =>
  coin === 'USDT' || coin === 'USDC' ? UNIT : books.indexes[coin]!;

/** Index of a pair, in its quote coin. */
export const pairIndex = (books: NaiveBooks, { base, coin }: NaiveInstrument): bigint =>
  nearest(indexOf(books, base) * UNIT, indexOf(books, coin));

function initial(books: NaiveBooks, user: NaiveUser, { needed = 0n }: Supposed): bigint {
  let sum = needed;
  for (const held of crossed(books, user))
    sum += inDollars(
      books,
      held.instrument.coin,
      marginAtMark(books, held, user.settings[held.instrument.symbol]!.leverage),
    );
  const holds = books.orders
    .filter((order) => order.user === user && order.hold.kind === 'margin')
    .map(({ hold }) => hold);
  for (const coin of new Set(holds.map((hold) => hold.coin))) {
    const own = holds.filter((hold) => hold.coin === coin);
    sum += inDollars(
      books,
      coin,
      own.reduce((held, { amount }) => held + amount, 0n),
    );
  }
  for (const [coin, { debt }] of Object.entries(user.wallets))
    if (debt > 0n) sum += inDollars(books, coin, ceiling(debt * UNIT, user.loans[coin]!));
  return sum + (books.copying?.sharesReserved(user) ?? 0n);
}

/** `left` replaces positions by what would remain of them. */
export function maintenance(
  books: NaiveBooks,
  user: NaiveUser,
  left: ReadonlyMap<Held | undefined, Held> = new Map(),
): bigint {
  let sum = 0n;
  for (const held of crossed(books, user))
    sum += inDollars(books, held.instrument.coin, maintenanceAtMark(books, left.get(held) ?? held));
  for (const [coin, { debt, exemptPrincipal }] of Object.entries(user.wallets))
    if (debt > 0n) sum += loanMaintenance(books, coin, debt - exemptPrincipal);
  return sum;
}

/** In dollars. */
export const loanMaintenance = (books: NaiveBooks, coin: string, loan: bigint): bigint =>
  inDollars(books, coin, ceiling(loan * UNIT, LOAN_MAINTENANCE));

/** Maintenance that the close of a part of a crossed position releases, in its coin. */
export const releasedBy = (books: NaiveBooks, position: NaivePosition, left: Held): bigint =>
  position.isolated
    ? 0n
    : maintenanceAtMark(books, position) - (left.size === 0n ? 0n : maintenanceAtMark(books, left));

/**
 * The requirement of a loan for a position's loss is at most the released maintenance, and at least
 * one unit.
 */
const marginedPrincipalOfCost = (loan: bigint, released: bigint): bigint =>
  min(loan, max(1n, 20n * released));

/** Maintenance in dollars of the loan that a loss would need. */
export function costMaintenance(
  books: NaiveBooks,
  user: NaiveUser,
  coin: string,
  lost: bigint,
  released: bigint,
): bigint {
  const loan = max(0n, lost - walletOf(user, coin).available);
  return loan === 0n ? 0n : loanMaintenance(books, coin, marginedPrincipalOfCost(loan, released));
}

/** Pays a position's loss and borrows what is missing. */
export function payCost(
  books: NaiveBooks,
  user: NaiveUser,
  coin: string,
  amount: bigint,
  released: bigint,
): void {
  const wallet = walletOf(user, coin);
  const loan = max(0n, amount - wallet.available);
  pay(books, user, coin, amount);
  wallet.exemptPrincipal += loan - marginedPrincipalOfCost(loan, released);
}

const usesMargin = (books: NaiveBooks, user: NaiveUser): boolean =>
  (books.copying?.sharesReserved(user) ?? 0n) > 0n ||
  crossed(books, user).length > 0 ||
  books.orders.some(
    ({ user: context, hold }) => context === user && hold.kind === 'margin' && hold.amount > 0n,
  ) ||
  Object.values(user.wallets).some(({ debt, interest }) => debt > 0n || interest > 0n);

/**
 * Free money of an account without crossed margin in use. Otherwise the payment must leave the
 * initial margin covered and the account above maintenance.
 */
export function canSpend(
  books: NaiveBooks,
  user: NaiveUser,
  coin: string,
  amount: bigint,
): boolean {
  if (walletOf(user, coin).available < amount) return false;
  if (!usesMargin(books, user)) return true;
  const [more, required] = [{ [coin]: -amount }, maintenance(books, user)];
  return (
    headroom(books, user, { more }) >= 0n &&
    (required === 0n || equity(books, user, { more, locked: true }) > required)
  );
}

/** Borrows what is missing. */
export function pay(books: NaiveBooks, user: NaiveUser, coin: string, amount: bigint): void {
  const wallet = walletOf(user, coin);
  if (wallet.available < amount) {
    wallet.debt += amount - wallet.available;
    wallet.available = amount;
    askForTimer(books, undefined);
  }
  wallet.available -= amount;
}

/**
 * Proceeds of a position in takeover repay nothing, and its costs are not borrowed. The wallet gets
 * a temporary loan until the takeover is settled.
 */
export function passThrough(wallet: NaiveWallet, amount: bigint): void {
  const after = wallet.available + amount;
  wallet.available = max(0n, after);
  wallet.takeoverLoan += max(0n, -after);
}

/** Repays up to `upTo` or all free money, interest first. */
export function repay(books: NaiveBooks, user: NaiveUser, coin: string, upTo?: bigint): void {
  const wallet = walletOf(user, coin);
  const most = upTo ?? wallet.available;
  const interest = min(wallet.interest, most);
  const debt = min(wallet.debt, most - interest);
  wallet.interest -= interest;
  wallet.debt -= debt;
  wallet.exemptPrincipal = max(0n, wallet.exemptPrincipal - debt);
  wallet.available -= interest + debt;
  houseOf(books, coin).interest += interest;
}

/** The position that an order increases, and the one it reduces. */
export const grownBy = (
  books: NaiveBooks,
  { user, instrument, side, positionSide }: Sided,
): NaivePosition | undefined =>
  find(books, user, instrument, positionSide ?? (side === 'buy' ? 'long' : 'short'));

export const reducedBy = (
  books: NaiveBooks,
  { user, instrument, side, positionSide }: Sided,
): NaivePosition | undefined =>
  find(books, user, instrument, positionSide ?? (side === 'buy' ? 'short' : 'long'));

interface Sided {
  readonly user: NaiveUser;
  readonly instrument: NaiveInstrument;
  readonly side: Side;
  readonly positionSide: 'long' | 'short' | undefined;
}

const find = (
  books: NaiveBooks,
  user: NaiveUser,
  instrument: NaiveInstrument,
  side: 'long' | 'short',
): NaivePosition | undefined =>
  books.positions.find(
    (position) =>
      position.user === user && position.instrument === instrument && position.side === side,
  );
