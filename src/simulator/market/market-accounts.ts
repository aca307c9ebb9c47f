/**
 * The users of the simulated market: ordinary accounts with ordinary money, created when the market
 * is first switched on.
 */

import { wireError } from '../../contract/errors.ts';
import { namedRejection } from '../../contract/field-names.ts';
import { emailContact } from '../../core/accounts/contacts.ts';
import { settingOf } from '../../core/derived/account-context.ts';
import type { State } from '../../core/state/state.ts';
import { isDollar } from '../../formulas/index-price.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { ClientOid, Uid } from '../../kernel/ids.ts';
import type { Result } from '../../kernel/result.ts';
import type { CommandOf, CommandType } from '../../messages/commands.ts';
import type { Outcomes } from '../../messages/outcomes.ts';
import type { Rejection } from '../../messages/rejections.ts';
import type { FuturesCategory } from '../../messages/vocabulary.ts';
import { dollarsOf, type MarketBook, marketBooks } from './market-books.ts';

export type Submit = <Type extends CommandType>(
  command: CommandOf<Type>,
) => Promise<Result<Outcomes[Type], Rejection>>;

/** Futures and coins have different makers, so that each has its own limit of open orders. */
export const MARKET_USERS = ['maker-1', 'maker-2', 'taker-1', 'taker-2'] as const;
export type MarketUser = (typeof MARKET_USERS)[number];
export type MarketUids = Readonly<Record<MarketUser, Uid>>;

export const makerOf = ({ futures }: MarketBook): MarketUser => (futures ? 'maker-1' : 'maker-2');
export const takerOf = ({ futures }: MarketBook): MarketUser => (futures ? 'taker-1' : 'taker-2');

/** The deposit of each user, in dollars per coin: hundreds of times the size of a book. */
const DOLLARS_OF_DOLLAR_COINS = 200_000_000;
const DOLLARS_OF_OTHERS = 50_000_000;
const COINS_MAX = 500_000_000;
/**
 * Users that trade futures, and their leverage if the symbol allows it: makers need the large
 * tiers.
 */
const LEVERAGES: Readonly<Partial<Record<MarketUser, number>>> = { 'maker-1': 5, 'taker-1': 10 };

const emailOf = (name: MarketUser): string => `${name}@market.rialto.example`;

/** Found by their contact addresses, which are reserved; names are not unique. */
const uidOf = ({ contacts }: State, name: MarketUser): Uid | undefined =>
  contacts.get(emailContact(emailOf(name)));

/** All users of the market, once all of them exist. */
export function marketUids(state: State): MarketUids | undefined {
  const found = MARKET_USERS.map((name) => [name, uidOf(state, name)] as const);
  return found.every(([, uid]) => uid !== undefined)
    ? (Object.fromEntries(found) as MarketUids)
    : undefined;
}

/** The market lacks something and cannot be switched on. */
export class MarketRefused extends Error {
  override readonly name = 'MarketRefused';
  readonly refusal: Rejection;

  constructor(what: string, refusal: Rejection) {
    super(`${what}: ${wireError(namedRejection(refusal, 'operator'), 'en').msg}`);
    this.refusal = refusal;
  }
}

async function must<Type extends CommandType>(
  submit: Submit,
  command: CommandOf<Type>,
): Promise<Outcomes[Type]> {
  const outcome = await submit(command);
  if (!outcome.ok)
    throw new MarketRefused(
      `the accounts of the simulated market cannot be created (${command.type})`,
      outcome.refusal,
    );
  return outcome.value;
}

/** The deposit of a coin for each user; undefined before the coin's first price. */
function bringing(state: State, coin: string): DecimalText | undefined {
  const dollars = dollarsOf(state, coin);
  if (dollars === undefined) return undefined;
  const worth = isDollar(coin) ? DOLLARS_OF_DOLLAR_COINS : DOLLARS_OF_OTHERS;
  return String(Math.max(1, Math.min(COINS_MAX, Math.round(worth / dollars)))) as DecimalText;
}

const depositId = (coin: string): ClientOid => `market-${coin}` as ClientOid;

/** The amount of a coin that a market user has deposited. */
export const broughtOf = (state: State, uid: Uid, coin: string): number =>
  Number.parseFloat(state.depositIds.get(`${uid}:${depositId(coin)}`)?.content ?? '0');

/** Creates missing users and their missing deposits; idempotent. */
export async function ensureMarketAccounts(state: () => State, submit: Submit): Promise<void> {
  for (const name of MARKET_USERS) {
    const known = uidOf(state(), name);
    const user = { name, email: emailOf(name), level: 'PRO6', positionMode: 'oneWay' } as const;
    const uid = known ?? (await must(submit, { type: 'createUser', ...user })).uid;
    await Promise.all(missingDeposits(state(), uid).map((deposit) => must(submit, deposit)));
    await Promise.all(missingLeverages(state(), uid, name).map((setting) => submit(setting)));
  }
}

/** Missing deposits and leverage settings, for coins and futures listed later. */
export function missingMeans(
  state: State,
  uids: MarketUids,
): readonly (CommandOf<'deposit'> | CommandOf<'setLeverage'>)[] {
  return MARKET_USERS.flatMap((name) => [
    ...missingDeposits(state, uids[name]),
    ...missingLeverages(state, uids[name], name),
  ]);
}

function missingDeposits(state: State, uid: Uid): CommandOf<'deposit'>[] {
  return [...state.coins.keys()].flatMap((coin) => {
    const size = state.depositIds.has(`${uid}:${depositId(coin)}`)
      ? undefined
      : bringing(state, coin);
    return size === undefined
      ? []
      : [{ type: 'deposit' as const, uid, coin, size, clientOid: depositId(coin) }];
  });
}

function missingLeverages(state: State, uid: Uid, name: MarketUser): CommandOf<'setLeverage'>[] {
  const requested = LEVERAGES[name];
  if (requested === undefined) return [];
  const account = state.accounts.get(uid)!;
  return marketBooks(state).flatMap(({ futures, key, category, symbol, leverageMax }) => {
    const leverage = String(Math.min(requested, leverageMax)) as DecimalText;
    if (!futures || settingOf(state, account, key).leverage === leverage) return [];
    return [
      {
        type: 'setLeverage' as const,
        uid,
        category: category as FuturesCategory,
        symbol,
        leverage,
      },
    ];
  });
}
