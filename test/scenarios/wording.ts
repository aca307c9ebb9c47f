/** Parses symbols and durations of a story. */
import type { ListedInstrument } from '../../src/core/state/state.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/kernel/time.ts';
import { CATEGORIES, type Category, isFutures } from '../../src/messages/vocabulary.ts';
import type { World } from './scenario.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY };

/** `8h`, `10s`, `3d 8h`, `9999ms`. */
export function milliseconds(text: string): number {
  return text.split(' ').reduce((sum, part) => {
    const [, count = '', unit = ''] = /^(\d+)(ms|s|m|h|d)$/.exec(part) ?? [];
    const size = UNITS[unit];
    if (size === undefined) throw new Error(`not a duration: ${text}`);
    return sum + Number.parseInt(count, 10) * size;
  }, 0);
}

/**
 * Futures come first, because most stories use them: `BTCUSDT` is the contract, `SPOT:BTCUSDT` the
 * pair.
 */
const SEARCHED: readonly Category[] = [
  ...CATEGORIES.filter(isFutures),
  ...CATEGORIES.filter((category) => !isFutures(category)),
];

export function listedInstrument(world: World, name: string): ListedInstrument {
  const { instruments } = world.engine.state;
  const keys = name.includes(':') ? [name] : SEARCHED.map((category) => `${category}:${name}`);
  const key = keys.find((candidate) => instruments.has(candidate));
  if (key === undefined) throw new Error(`${name} is not listed`);
  return instruments.get(key)!;
}

/** A symbol to set the index of a coin. */
export function instrumentOfCoin(world: World, coin: string): ListedInstrument {
  for (const listed of world.engine.state.instruments.values())
    if (listed.instrument.baseCoin === coin) return listed;
  throw new Error(`${coin} is the base coin of no symbol`);
}

/** A symbol with its category, or a category with an empty symbol. */
export function categoryOf(
  world: World,
  name: string,
): { readonly category: Category; readonly symbol: string } {
  const category = CATEGORIES.find((each) => each === name);
  if (category !== undefined) return { category, symbol: '' };
  // A symbol that is not listed, for refusals: `SPOT:NONE`.
  const [input = '', symbol = ''] = name.split(':');
  const named = CATEGORIES.find((each) => each === input);
  return named === undefined
    ? listedInstrument(world, name).instrument
    : { category: named, symbol };
}
