/** The users of the simulated market: ordinary accounts with ordinary money, made when the market is first switched on. */
import type { State } from '../../core/state.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { ClientOid, Uid } from '../../kernel/ids.ts';
import type { Result } from '../../kernel/result.ts';
import type { CommandOf, CommandType, Outcomes } from '../../messages/commands.ts';
import type { Rejection } from '../../messages/rejections.ts';
import type { FuturesCategory } from '../../messages/vocabulary.ts';
import { dollarsOf, isDollarCoin, type MarketBook, marketBooks } from './market-books.ts';

export type Submit = <Type extends CommandType>(command: CommandOf<Type>) => Promise<Result<Outcomes[Type], Rejection>>;

/** Futures and coins are made by different people, so that neither fills the other's room for open orders. */
export const MARKET_USERS = ['maker-1', 'maker-2', 'taker-1', 'taker-2'] as const;
export type MarketUser = (typeof MARKET_USERS)[number];
export type MarketUids = Readonly<Record<MarketUser, Uid>>;

export const makerOf = ({ futures }: MarketBook): MarketUser => (futures ? 'maker-1' : 'maker-2');
export const takerOf = ({ futures }: MarketBook): MarketUser => (futures ? 'taker-1' : 'taker-2');

/** What each of them brings, in dollars of each coin: hundreds of times what a book shows. */
const DOLLARS_OF_DOLLAR_COINS = 200_000_000;
const DOLLARS_OF_OTHERS = 50_000_000;
const COINS_MAX = 500_000_000;
/** At this leverage a maker fits the large tiers. */
const MAKER_LEVERAGE = '5' as DecimalText;

/** The first user of each name, as the exchange knows them now. */
export function marketUids(state: State): MarketUids | undefined {
  const found = new Map<string, Uid>();
  const names: ReadonlySet<string> = new Set(MARKET_USERS);
  for (const [uid, { profile }] of state.accounts)
    if (profile.name !== undefined && names.has(profile.name) && !found.has(profile.name)) found.set(profile.name, uid);
  return found.size === MARKET_USERS.length ? (Object.fromEntries(found) as unknown as MarketUids) : undefined;
}

async function must<Type extends CommandType>(submit: Submit, command: CommandOf<Type>): Promise<Outcomes[Type]> {
  const outcome = await submit(command);
  if (!outcome.ok) throw new Error(`the market's accounts could not be made: ${command.type} was refused with ${outcome.refusal.reason}`);
  return outcome.value;
}

const firstOfName = (state: State, name: string): Uid | undefined => {
  for (const [uid, { profile }] of state.accounts) if (profile.name === name) return uid;
  return undefined;
};

/** How much of a coin each of them brings; nothing of a coin whose price nobody has heard. */
function bringing(state: State, coin: string): DecimalText | undefined {
  const dollars = dollarsOf(state, coin);
  if (dollars === undefined) return undefined;
  const worth = isDollarCoin(coin) ? DOLLARS_OF_DOLLAR_COINS : DOLLARS_OF_OTHERS;
  return String(Math.max(1, Math.min(COINS_MAX, Math.round(worth / dollars)))) as DecimalText;
}

const depositId = (coin: string): ClientOid => `market-${coin}` as ClientOid;

/** How much of a coin somebody of the market came with. */
export const broughtOf = (state: State, uid: Uid, coin: string): number =>
  Number.parseFloat(state.depositIds.get(`${uid}:${depositId(coin)}`)?.content ?? '0');

/** Makes those who are missing and gives each the money he lacks: everything once, however often it is asked for. */
export async function ensureMarketAccounts(state: () => State, submit: Submit): Promise<void> {
  for (const name of MARKET_USERS) {
    const email = `${name}@market.rialto.example`;
    const uid =
      firstOfName(state(), name) ?? (await must(submit, { type: 'createUser', name, email, level: 'PRO6', positionMode: 'oneWay' })).uid;
    const deposits = [...state().coins.keys()].flatMap((coin) => {
      const size = state().depositIds.has(`${uid}:${depositId(coin)}`) ? undefined : bringing(state(), coin);
      return size === undefined ? [] : [must(submit, { type: 'deposit', uid, coin, size, clientOid: depositId(coin) })];
    });
    await Promise.all(deposits);
    await setLeverages(state(), submit, uid, name);
  }
}

async function setLeverages(state: State, submit: Submit, uid: Uid, name: MarketUser): Promise<void> {
  if (name !== 'maker-1') return;
  const settings = state.accounts.get(uid)!.symbolSettings;
  const unset = marketBooks(state).filter(({ futures, key }) => futures && settings.get(key)?.leverage !== MAKER_LEVERAGE);
  await Promise.all(
    unset.map(({ category, symbol }) =>
      // A symbol that allows no such leverage is made at what it has.
      submit({ type: 'setLeverage', uid, category: category as FuturesCategory, symbol, leverage: MAKER_LEVERAGE }),
    ),
  );
}
