/** Row of a naive list: its filter values and its shown fields. */
import type { Event, EventType } from '../../src/messages/events.ts';
import type { EmittedEvents } from './recorded-run.ts';

export interface Row {
  readonly id: number;
  /** Time that a window compares. */
  readonly time: number;
  /** Values of each filter that find the row; a missing filter never finds it. */
  readonly is: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Shown fields: all, or those that events determine. */
  readonly shown: Readonly<Record<string, unknown>>;
}

/** Money in its shortest form, with at most ten decimals (MNY-06). */
export function decimals(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(11, '0');
  const parts = digits.slice(-10).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -10)}${parts === '' ? '' : `.${parts}`}`;
}

/** v2 shows a paid fee as negative (POS-31). */
export const paid = (fee: bigint): string => decimals(-fee);

/** An id on the wire has nineteen digits (CLK-15). */
export const wireId = (id: number): string => String(10n ** 18n + BigInt(id));

/** Rounds to the nearest unit, halves away from zero (MNY-05). */
export const nearest = (above: bigint, below: bigint): bigint =>
  (2n * above + below) / (2n * below);

const UNIT = 10n ** 10n;
export const average = (value: bigint, size: bigint): bigint => nearest(value * UNIT, size);

const groups = new WeakMap<object, Map<unknown, unknown>>();

/** Index by key, built once per list, because lists do not change. */
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

/** Words that the wire spells differently. */
export const spelt = (word: string): string =>
  word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
export const modeText = (mode: string): string =>
  mode === 'hedge' ? 'hedge_mode' : 'one_way_mode';
