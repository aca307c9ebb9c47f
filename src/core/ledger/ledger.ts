/**
 * The double-entry ledger: all money lives here, and every movement is an entry whose lines add up
 * to nothing in each coin.
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

/** What a pair has of a coin beside what its orders hold. */
export const pairFree = (
  state: State,
  { uid, symbol }: Pick<PairMovement, 'uid' | 'symbol'>,
  coin: string,
): Amount => pairWalletOf(state, uid, symbol, coin).isolated;

export const pairOwned = (state: State, uid: Uid, symbol: string, coin: string): Amount => {
  const { isolated, isolatedLocked } = pairWalletOf(state, uid, symbol, coin);
  return plus(isolated, isolatedLocked);
};

/** The pair's part of a ledger line; for the ledger alone. */
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

/** A movement on one account: of a user, or of the house. */
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

/**
 * No deposit takes what a user has in a coin beyond this: 64 bits of units, so that a wrong unit is
 * caught at the door.
 */
export const BALANCE_MAX = HELD_UNITS_MAX as Amount;

/**
 * House accounts that may owe: what is outside, what is lent, what clearing has still to even out,
 * coins in the middle of a trade, and rebates, which are spent out of fees.
 */
export const MAY_OWE: ReadonlySet<HouseAccount> = new Set([
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

/** All that a user has in one coin, wherever it stands. */
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

// Each account by its own name: one that is looked up by a name that changes takes many times as
// long.
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
  if (balance < 0n) invariant(false, `the house's fees in ${coin} never falls below zero`);
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
    if (balance < 0n && !MAY_OWE.has(movement.account))
      invariant(false, `the house's ${movement.account} in ${coin} never falls below zero`);
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
 * Posts one entry. The caller has checked that the money is there; a line that does not balance is
 * a bug and stops the engine. Lines that move nothing are left out, and so is an entry of nothing
 * else.
 */
export function post(step: Step, reason: EntryReason, movements: readonly Movement[]): void {
  invariant(movements.length > 1, 'money comes from somewhere and goes somewhere');
  let sum = 0n;
  let zeroLines = 0;
  const coin = movements[0]?.coin;
  for (const movement of movements) {
    invariant(movement.coin === coin, 'an entry moves one coin');
    if (movement.amount === 0n) zeroLines += 1;
    sum += movement.amount;
  }
  invariant(sum === 0n, 'the lines of an entry add up to nothing');
  if (zeroLines === movements.length) return;
  const moving = zeroLines === 0 ? movements : movements.filter(({ amount }) => amount !== 0n);
  step.emit({ type: 'entryPosted', reason, lines: moving.map((movement) => move(step, movement)) });
}

interface FillMoney {
  readonly profit: Amount;
  readonly fee: Amount;
}

/**
 * Posts what a fill brings an account and costs it: the profit out of clearing, less the fee. Each
 * line follows from the others, so there is nothing to add up before they are told; `checkEntry`
 * looks at what was told of them, as of every entry.
 */
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

const mayOwe = (account: LedgerAccount): boolean =>
  (MAY_OWE as ReadonlySet<LedgerAccount>).has(account);

/**
 * Stays on in production: the lines as they were told add up to nothing, and no account they
 * touched is below zero that may not be.
 */
export function checkEntry({ lines }: EventOf<'entryPosted'>): void {
  const coin = lines[0]?.coin;
  let sum = 0n;
  for (const line of lines) {
    invariant(line.coin === coin, 'an entry tells of one coin');
    if (line.balance < 0n && !mayOwe(line.account))
      invariant(false, `${line.account} in ${coin} is told as nothing or more`);
    sum += line.amount;
  }
  invariant(sum === 0n, 'the lines told of an entry add up to nothing');
}

export const insuranceOf = ({ ledger }: State, coin: string): Amount =>
  ledger.house.get(coin)?.insurance ?? ZERO_AMOUNT;

/** The lines by which the house gains so much, or pays it when it is below zero. */
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

/** Makes sure that so much is available; what is lent goes back when the position is closed. */
export function lendShortfall(step: Step, uid: Uid, coin: string, needed: Amount): void {
  const shortfall = minus(needed, walletOf(step.state.ledger, uid, coin).available);
  if (shortfall <= 0n) return;
  post(step, 'takeover', [
    { uid, coin, account: 'available', amount: shortfall },
    { coin, account: 'clearing', amount: negate(shortfall) },
  ]);
}
