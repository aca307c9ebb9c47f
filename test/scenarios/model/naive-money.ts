/** The money rules of the naive exchange, each said once, in the words of the rules: what an account has, what it needs, what it may spend. */
import type { NaiveInstrument, NaiveOrder, NaivePosition, NaiveUser, NaiveWallet, Side } from './naive-state.ts';
import { ceiling, floor, UNIT, units } from './whole-units.ts';

export const SPOT_FEE = units('0.001');
export const TAKER_FEE = units('0.0006');
export const MAKER_FEE = units('0.0002');
const COLLATERAL: Readonly<Record<string, bigint>> = { USDT: units('1'), BTC: units('0.95'), ETH: units('0.95') };
const COIN_LEVERAGE = units('3');
const LOAN_UPKEEP = 20n * UNIT;

export interface NaiveBooks {
  readonly users: readonly NaiveUser[];
  orders: NaiveOrder[];
  positions: NaivePosition[];
  readonly marks: Record<string, bigint>;
  readonly indexes: Record<string, bigint>;
}

export const walletOf = (user: NaiveUser, coin: string): NaiveWallet => {
  user.wallets[coin] ??= { available: 0n, locked: 0n, margin: 0n, debt: 0n };
  return user.wallets[coin];
};

/** Price × size / leverage, and the fee of it, both rounded up. */
export const marginFor = (price: bigint, size: bigint, leverage: bigint): bigint => ceiling(price * size, leverage);
export const feeFor = (price: bigint, size: bigint, rate: bigint): bigint => ceiling(price * size * rate, UNIT * UNIT);
export const needFor = (price: bigint, size: bigint, leverage: bigint): bigint =>
  marginFor(price, size, leverage) + feeFor(price, size, TAKER_FEE);

export const profitOf = (side: 'long' | 'short', size: bigint, cost: bigint, price: bigint): bigint =>
  floor((side === 'long' ? 1n : -1n) * (size * price - cost), UNIT);

/** Part by part through the tiers. */
export function maintenanceOf({ tiers }: NaiveInstrument, value: bigint): bigint {
  let sum = 0n;
  tiers.forEach((tier, at) => {
    if (value <= tier.from) return;
    const end = at === tiers.length - 1 || value < tier.to ? value : tier.to;
    sum += (end - tier.from) * (tier.rate + TAKER_FEE);
  });
  return ceiling(sum, UNIT);
}

export const valueAtMark = (books: NaiveBooks, instrument: NaiveInstrument, size: bigint): bigint =>
  ceiling(size * books.marks[instrument.symbol]!, UNIT);

export const maintenanceAtMark = (books: NaiveBooks, instrument: NaiveInstrument, size: bigint): bigint =>
  maintenanceOf(instrument, valueAtMark(books, instrument, size));

const crossed = (books: NaiveBooks, user: NaiveUser): NaivePosition[] =>
  books.positions.filter((position) => position.user === user && !position.isolated);

/** Changes to an account that one asks about: so much more of a coin, so much more needed, another leverage of a symbol. */
export interface Supposed {
  readonly more?: Readonly<Record<string, bigint>>;
  readonly needed?: bigint;
  readonly locked?: boolean;
}

/** Equity less initial margin, in USD. Locked money counts only when one says so. */
export function headroom(books: NaiveBooks, user: NaiveUser, supposed: Supposed = {}): bigint {
  return equity(books, user, supposed) - initial(books, user, supposed);
}

export function equity(books: NaiveBooks, user: NaiveUser, { more = {}, locked = false }: Supposed = {}): bigint {
  const nets: Record<string, bigint> = { ...more };
  const add = (coin: string, amount: bigint): void => {
    nets[coin] = (nets[coin] ?? 0n) + amount;
  };
  for (const [coin, wallet] of Object.entries(user.wallets)) add(coin, wallet.available - wallet.debt + (locked ? wallet.locked : 0n));
  for (const { side, size, cost, instrument } of crossed(books, user))
    add('USDT', profitOf(side, size, cost, books.marks[instrument.symbol]!));
  let sum = 0n;
  for (const [coin, net] of Object.entries(nets)) sum += net * indexOf(books, coin) * (net > 0n ? COLLATERAL[coin]! : UNIT);
  return floor(sum, UNIT * UNIT);
}

const indexOf = (books: NaiveBooks, coin: string): bigint => (coin === 'USDT' ? UNIT : books.indexes[coin]!);

function initial(books: NaiveBooks, user: NaiveUser, { needed = 0n }: Supposed): bigint {
  let sum = needed;
  for (const { instrument, size } of crossed(books, user))
    sum += ceiling(valueAtMark(books, instrument, size) * UNIT, user.settings[instrument.symbol]!.leverage);
  for (const { user: holder, hold } of books.orders) if (holder === user && hold.kind === 'margin') sum += hold.amount;
  for (const [coin, { debt }] of Object.entries(user.wallets))
    if (debt > 0n) sum += ceiling(ceiling(debt * UNIT, COIN_LEVERAGE) * indexOf(books, coin), UNIT);
  return sum;
}

export function maintenance(books: NaiveBooks, user: NaiveUser): bigint {
  let sum = 0n;
  for (const { instrument, size } of crossed(books, user)) sum += maintenanceAtMark(books, instrument, size);
  for (const [coin, { debt }] of Object.entries(user.wallets))
    if (debt > 0n) sum += ceiling(ceiling(debt * UNIT, LOAN_UPKEEP) * indexOf(books, coin), UNIT);
  return sum;
}

const leans = (books: NaiveBooks, user: NaiveUser): boolean =>
  crossed(books, user).length > 0 ||
  books.orders.some(({ user: holder, hold }) => holder === user && hold.kind === 'margin' && hold.amount > 0n) ||
  Object.values(user.wallets).some(({ debt }) => debt > 0n);

/** All of a free wallet, unless something leans on the account: then what can leave while the initial margin stays covered. */
export function canSpend(books: NaiveBooks, user: NaiveUser, coin: string, amount: bigint): boolean {
  if (walletOf(user, coin).available < amount) return false;
  return !leans(books, user) || headroom(books, user, { more: { [coin]: -amount } }) >= 0n;
}

/** What is missing is borrowed. */
export function pay(user: NaiveUser, coin: string, amount: bigint): void {
  const wallet = walletOf(user, coin);
  if (wallet.available < amount) {
    wallet.debt += amount - wallet.available;
    wallet.available = amount;
  }
  wallet.available -= amount;
}

/** What comes in pays back first. */
export function repay(user: NaiveUser, coin: string): void {
  const wallet = walletOf(user, coin);
  const back = wallet.debt < wallet.available ? wallet.debt : wallet.available;
  wallet.debt -= back;
  wallet.available -= back;
}

/** The position that an order adds to, and the one it takes from. */
export const grownBy = (books: NaiveBooks, { user, instrument, side, positionSide }: Sided): NaivePosition | undefined =>
  find(books, user, instrument, positionSide ?? (side === 'buy' ? 'long' : 'short'));
export const reducedBy = (books: NaiveBooks, { user, instrument, side, positionSide }: Sided): NaivePosition | undefined =>
  find(books, user, instrument, positionSide ?? (side === 'buy' ? 'short' : 'long'));

interface Sided {
  readonly user: NaiveUser;
  readonly instrument: NaiveInstrument;
  readonly side: Side;
  readonly positionSide: 'long' | 'short' | undefined;
}

const find = (books: NaiveBooks, user: NaiveUser, instrument: NaiveInstrument, side: 'long' | 'short'): NaivePosition | undefined =>
  books.positions.find((position) => position.user === user && position.instrument === instrument && position.side === side);
