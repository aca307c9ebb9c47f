/**
 * The double-entry ledger. Each movement of money is an entry in one coin whose lines sum to zero.
 */

import { getOrMake } from '../../kernel/get-or-make.ts';
import type { Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import {
  type Amount,
  least,
  minus,
  negate,
  plus,
  plusLarge,
  ZERO_AMOUNT,
} from '../../kernel/money.ts';
import { HELD_UNITS_MAX } from '../../messages/bounds.ts';
import type { EventOf, LedgerLine } from '../../messages/events.ts';
import {
  type EntryReason,
  type ExecutionKind,
  type HouseAccount,
  type IsolatedAccount,
  type LedgerAccount,
  USER_ACCOUNTS,
  type UserAccount,
} from '../../messages/vocabulary.ts';
import type { AccountContext } from '../derived/account-context.ts';
import type { PairMovement, PairWallet, PairWallets } from '../state/pair.ts';
import type { HouseWallet, Ledger, State, Wallet } from '../state/state.ts';
import { type Step, takeId } from '../transaction/step.ts';

const NO_PAIR_WALLET: Readonly<PairWallet> = Object.freeze({
  isolated: ZERO_AMOUNT,
  isolatedLocked: ZERO_AMOUNT,
});

export const pairWalletOf = (
  { isolatedPairs }: State,
  uid: Uid,
  symbol: string,
  coin: string,
): Readonly<PairWallet> => isolatedPairs.get(uid)?.get(symbol)?.get(coin) ?? NO_PAIR_WALLET;

/** The balance of a pair in a coin, without holds of orders. */
export const pairFree = (
  state: State,
  { uid, symbol }: Pick<PairMovement, 'uid' | 'symbol'>,
  coin: string,
): Amount => pairWalletOf(state, uid, symbol, coin).isolated;

export const pairOwned = (state: State, uid: Uid, symbol: string, coin: string): Amount => {
  const { isolated, isolatedLocked } = pairWalletOf(state, uid, symbol, coin);
  return plus(isolated, isolatedLocked);
};

/** Applies a movement to the balances of a pair. */
function moveInPair(
  { isolatedPairs }: State,
  { uid, symbol, coin, account, amount }: PairMovement,
): void {
  const pairs = isolatedPairs.get(uid) ?? new Map<string, PairWallets>();
  isolatedPairs.set(uid, pairs);
  const wallets = pairs.get(symbol) ?? new Map<string, PairWallet>();
  pairs.set(symbol, wallets);
  const wallet = wallets.get(coin) ?? { ...NO_PAIR_WALLET };
  wallets.set(coin, wallet);
  wallet[account] = plus(wallet[account], amount);
  invariant(wallet[account] >= 0n, `${account} of ${symbol} in ${coin} never falls below zero`);
}

/** A movement on one account of a user or of the house. */
export type Movement =
  | {
      readonly uid: Uid;
      readonly coin: string;
      readonly account: Exclude<UserAccount, IsolatedAccount>;
      readonly amount: Amount;
    }
  | PairMovement
  | {
      readonly uid?: undefined;
      readonly coin: string;
      readonly account: HouseAccount;
      readonly amount: Amount;
    };

/** The largest balance of a user in a coin after a deposit: 64 bits, which catches a wrong unit. */
export const BALANCE_MAX = HELD_UNITS_MAX as Amount;

/** House accounts that may be negative: counter-accounts, and rebates, which fees cover. */
export const MAY_BE_NEGATIVE: ReadonlySet<HouseAccount> = new Set([
  'outside',
  'borrowPool',
  'clearing',
  'exchanging',
  'rebates',
]);

const emptyWallet = (): Wallet => ({
  available: ZERO_AMOUNT,
  locked: ZERO_AMOUNT,
  margin: ZERO_AMOUNT,
  isolated: ZERO_AMOUNT,
  isolatedLocked: ZERO_AMOUNT,
});

const emptyHouseWallet = (): HouseWallet => ({
  outside: ZERO_AMOUNT,
  fees: ZERO_AMOUNT,
  insurance: ZERO_AMOUNT,
  borrowPool: ZERO_AMOUNT,
  rebates: ZERO_AMOUNT,
  withdrawals: ZERO_AMOUNT,
  clearing: ZERO_AMOUNT,
  rounding: ZERO_AMOUNT,
  interest: ZERO_AMOUNT,
  exchanging: ZERO_AMOUNT,
});

const NO_WALLET: Readonly<Wallet> = Object.freeze(emptyWallet());

export const NO_HOUSE_WALLET: Readonly<HouseWallet> = Object.freeze(emptyHouseWallet());

/** The balance of a user in one coin over all accounts. */
export const totalOf = (wallet: Readonly<Wallet>): Amount =>
  USER_ACCOUNTS.reduce((sum, account) => plus(sum, wallet[account]), ZERO_AMOUNT);

export const walletOf = (ledger: Ledger, uid: Uid, coin: string): Readonly<Wallet> =>
  ledger.wallets.get(uid)?.get(coin) ?? NO_WALLET;

const noWallets = (): Map<string, Wallet> => new Map();

function ownWallet({ state, derived }: Step, uid: Uid, coin: string): Wallet {
  const context = derived.accountContexts.get(uid);
  const known = context?.wallet(coin);
  if (known !== undefined) return known;
  const wallets = getOrMake(state.ledger.wallets, uid, noWallets);
  if (context !== undefined) context.wallets = wallets;
  return getOrMake(wallets, coin, emptyWallet);
}

const houseWallet = (ledger: Ledger, coin: string): HouseWallet =>
  getOrMake(ledger.house, coin, emptyHouseWallet);

// Separate functions with fixed property names, because V8 is much slower with computed ones.
function moveAvailable(
  step: Step,
  uid: Uid,
  wallet: Wallet,
  coin: string,
  amount: Amount,
): LedgerLine {
  step.derived.beforeMoneyMoves(step, uid);
  const balance = plus(wallet.available, amount);
  if (balance < 0n) invariant(false, `available of a user in ${coin} never falls below zero`);
  wallet.available = balance;
  step.derived.headroom.walletMoved(uid, coin, amount);
  return { id: takeId(step), uid, coin, account: 'available', amount, balance, symbol: undefined };
}

function moveClearing(step: Step, house: HouseWallet, coin: string, amount: Amount): LedgerLine {
  house.clearing = plusLarge(house.clearing, amount);
  return {
    id: takeId(step),
    uid: undefined,
    coin,
    account: 'clearing',
    amount,
    balance: house.clearing,
    symbol: undefined,
  };
}

function moveFees(step: Step, house: HouseWallet, coin: string, amount: Amount): LedgerLine {
  const balance = plusLarge(house.fees, amount);
  if (balance < 0n) invariant(false, `fees of the house in ${coin} never fall below zero`);
  house.fees = balance;
  return {
    id: takeId(step),
    uid: undefined,
    coin,
    account: 'fees',
    amount,
    balance,
    symbol: undefined,
  };
}

function move(step: Step, movement: Movement): LedgerLine {
  const { ledger } = step.state;
  const { coin, amount } = movement;
  if (movement.account === 'fees') return moveFees(step, houseWallet(ledger, coin), coin, amount);
  if (movement.account === 'available')
    return moveAvailable(step, movement.uid, ownWallet(step, movement.uid, coin), coin, amount);
  if (movement.uid === undefined) {
    const wallet = houseWallet(ledger, coin);
    const balance = plusLarge(wallet[movement.account], amount);
    if (balance < 0n && !MAY_BE_NEGATIVE.has(movement.account))
      invariant(false, `${movement.account} of the house in ${coin} never falls below zero`);
    wallet[movement.account] = balance;
    return {
      id: takeId(step),
      uid: undefined,
      coin,
      account: movement.account,
      amount,
      balance,
      symbol: undefined,
    };
  }
  const wallet = ownWallet(step, movement.uid, coin);
  step.derived.beforeMoneyMoves(step, movement.uid);
  const balance = plus(wallet[movement.account], amount);
  if (balance < 0n)
    invariant(false, `${movement.account} of a user in ${coin} never falls below zero`);
  wallet[movement.account] = balance;
  if (movement.account === 'locked') step.derived.headroom.walletMoved(movement.uid, coin, amount);
  const symbol = 'symbol' in movement ? movement.symbol : undefined;
  if ('symbol' in movement) {
    moveInPair(step.state, movement);
    step.derived.safePairs.forget(movement.uid, movement.symbol);
  }
  return {
    id: takeId(step),
    uid: movement.uid,
    coin,
    account: movement.account,
    amount,
    balance,
    symbol,
  };
}

/**
 * Posts one entry. The caller has checked that the money is available; an unbalanced entry stops
 * the engine. Lines of zero are left out, and so is an entry without other lines.
 */
export function post(step: Step, reason: EntryReason, movements: readonly Movement[]): void {
  invariant(movements.length > 1, 'an entry has at least two lines');
  let sum = 0n;
  let zeroLines = 0;
  const coin = movements[0]?.coin;
  for (const movement of movements) {
    invariant(movement.coin === coin, 'an entry moves one coin');
    if (movement.amount === 0n) zeroLines += 1;
    sum += movement.amount;
  }
  invariant(sum === 0n, 'the lines of an entry sum to zero');
  if (zeroLines === movements.length) return;
  const moving = zeroLines === 0 ? movements : movements.filter(({ amount }) => amount !== 0n);
  step.emit({ type: 'entryPosted', reason, lines: moving.map((movement) => move(step, movement)) });
}

interface FillMoney {
  readonly profit: Amount;
  readonly fee: Amount;
}

/** Posts the profit of a fill, from clearing, and its fee. `checkEntry` checks the balance. */
export function postFill(
  step: Step,
  reason: EntryReason,
  context: AccountContext,
  coin: string,
  { profit, fee }: FillMoney,
): void {
  const net = minus(profit, fee);
  if (net === 0n || fee === 0n) {
    return post(step, reason, [
      { uid: context.uid, coin, account: 'available', amount: net },
      { coin, account: 'clearing', amount: negate(profit) },
      { coin, account: 'fees', amount: fee },
    ]);
  }
  const house = houseWallet(step.state.ledger, coin);
  const { uid } = context;
  const own = moveAvailable(
    step,
    uid,
    context.wallet(coin) ?? ownWallet(step, uid, coin),
    coin,
    net,
  );
  const lines =
    profit === 0n
      ? [own, moveFees(step, house, coin, fee)]
      : [own, moveClearing(step, house, coin, negate(profit)), moveFees(step, house, coin, fee)];
  step.emit({ type: 'entryPosted', reason, lines });
}

const mayBeNegative = (account: LedgerAccount): boolean =>
  (MAY_BE_NEGATIVE as ReadonlySet<LedgerAccount>).has(account);

/** Checks an emitted entry, also in production. */
export function checkEntry({ lines }: EventOf<'entryPosted'>): void {
  const coin = lines[0]?.coin;
  let sum = 0n;
  for (const line of lines) {
    invariant(line.coin === coin, 'an emitted entry has one coin');
    if (line.balance < 0n && !mayBeNegative(line.account))
      invariant(false, `${line.account} in ${coin} never falls below zero`);
    sum += line.amount;
  }
  invariant(sum === 0n, 'the lines of an emitted entry sum to zero');
}

export const insuranceOf = ({ ledger }: State, coin: string): Amount =>
  ledger.house.get(coin)?.insurance ?? ZERO_AMOUNT;

/** The lines with which the house gains an amount, or pays a negative one. */
export function houseLines(state: State, coin: string, gained: Amount): Movement[] {
  if (gained >= 0n) return [{ coin, account: 'insurance', amount: gained }];
  const missing = negate(gained);
  const insured = least(missing, insuranceOf(state, coin));
  return [
    { coin, account: 'insurance', amount: negate(insured) },
    { coin, account: 'clearing', amount: negate(minus(missing, insured)) },
  ];
}

export const isTakenOver = (executionKind: ExecutionKind): boolean =>
  executionKind === 'liquidation';

/** Lends a shortfall from clearing. It is returned when the position is closed. */
export function lendShortfall(step: Step, uid: Uid, coin: string, needed: Amount): void {
  const shortfall = minus(needed, walletOf(step.state.ledger, uid, coin).available);
  if (shortfall <= 0n) return;
  post(step, 'takeover', [
    { uid, coin, account: 'available', amount: shortfall },
    { coin, account: 'clearing', amount: negate(shortfall) },
  ]);
}
