/** What every naive list is made of: rows that know how they are found and how they are shown. */
import type { Event, EventType } from '../../src/messages/events.ts';
import type { EmittedEvents } from './recorded-run.ts';

export interface Row {
  readonly id: number;
  /** By which a window of time holds or passes it. */
  readonly time: number;
  /** The values of each filter under which it is found; one that it has none for finds it never. */
  readonly is: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** What a list tells of it: all fields, or those that can be known from what was told. */
  readonly shown: Readonly<Record<string, unknown>>;
}

/** Money is told in its shortest form, at most ten decimals (MNY-06). */
export function decimals(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(11, '0');
  const parts = digits.slice(-10).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -10)}${parts === '' ? '' : `.${parts}`}`;
}

/** What v2 tells of a fee: below zero when it was paid (POS-31). */
export const paid = (fee: bigint): string => decimals(-fee);

/** An id of the wire has nineteen digits (CLK-15). */
export const wireId = (id: number): string => String(10n ** 18n + BigInt(id));

/** To the closer one, halves away from zero (MNY-05). */
export const nearest = (above: bigint, below: bigint): bigint =>
  (2n * above + below) / (2n * below);

const UNIT = 10n ** 10n;
export const average = (value: bigint, size: bigint): bigint => nearest(value * UNIT, size);

const groups = new WeakMap<object, Map<unknown, unknown>>();

/** Those of a list that have a key, found once for all keys: lists do not change. */
export function having<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
  key: Key,
): readonly Item[] {
  let byKey = groups.get(items) as Map<Key, Item[]> | undefined;
  if (byKey === undefined) {
    byKey = new Map<Key, Item[]>();
    for (const item of items) {
      const known = byKey.get(keyOf(item));
      if (known === undefined) byKey.set(keyOf(item), [item]);
      else known.push(item);
    }
    groups.set(items, byKey);
  }
  return byKey.get(key) ?? [];
}

type EmittedOf<Type extends EventType> = Omit<EmittedEvents, 'event'> & {
  readonly event: Extract<Event, { type: Type }>;
};
export const eventsOf = <Type extends EventType>(
  emitted: readonly EmittedEvents[],
  type: Type,
): readonly EmittedOf<Type>[] =>
  having<EmittedEvents, EventType>(
    emitted,
    ({ event }) => event.type,
    type,
  ) as unknown as readonly EmittedOf<Type>[];

/** Words of ours that the wire spells otherwise. */
export const spelt = (word: string): string =>
  word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
export const modeText = (mode: string): string =>
  mode === 'hedge' ? 'hedge_mode' : 'one_way_mode';
