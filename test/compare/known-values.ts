/** Takes values for request fields from a state, by the name of the field. */
import type { JsonSchema } from '../../src/contract/schema.ts';
import type { State } from '../../src/core/state/state.ts';
import { idText } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';

const DAY = 86_400_000;
const MARKETS_MAX = 8;

/** A market that has traded, and its last price. */
interface TradedMarket {
  readonly category: string;
  readonly symbol: string;
  readonly price: string;
}

export interface Known {
  readonly markets: readonly TradedMarket[];
  readonly symbols: readonly string[];
  readonly uids: readonly string[];
  /** Open orders and triggers of the caller. */
  readonly ids: readonly string[];
  readonly now: number;
}

function marketsIn(state: State): readonly TradedMarket[] {
  const markets: TradedMarket[] = [];
  for (const [key, { last }] of state.symbolPrices) {
    const [category, symbol] = key.split(':');
    if (last === undefined || category === undefined || symbol === undefined) continue;
    markets.push({ category, symbol, price: moneyText(last) });
  }
  return markets.slice(0, MARKETS_MAX);
}

export function knownIn(state: State, uid: number): Known {
  const account = [...state.accounts].find(([owner]) => owner === uid)?.[1];
  const orders = account?.openOrders ?? [];
  const triggers = [...(account?.triggers.values() ?? [])].flatMap((ids) => [...ids]);
  const markets = marketsIn(state);
  return {
    markets,
    symbols: [...new Set(markets.map(({ symbol }) => symbol))],
    uids: [...state.accounts.keys()].map(String),
    ids: [...orders.slice(-2), ...orders.slice(0, 1), ...triggers.slice(0, 2)].map(idText),
    now: state.at,
  };
}

export function valuesFor(name: string, schema: JsonSchema, known: Known): readonly string[] {
  if (schema.enum !== undefined) return schema.enum.map(String);
  if (name === 'startTime') return [String(known.now - 29 * DAY)];
  if (name === 'endTime') return [String(known.now)];
  if (/symbol$/i.test(name)) return known.symbols;
  if (/coin$/i.test(name)) return ['USDT', 'BTC'];
  if (/uid$|traderId$/i.test(name)) return known.uids;
  if (/Id$|No$/.test(name)) return known.ids;
  const [example = '1'] = schema.examples ?? [];
  if (typeof schema.default === 'string') return [schema.default];
  return [typeof example === 'string' ? example : JSON.stringify(example)];
}
