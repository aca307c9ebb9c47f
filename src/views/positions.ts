/** Open positions from the latest events, and the open interest of each symbol. */
import type { Uid } from '../kernel/ids.ts';
import { divide, minus, type Price, plus, type Size, ZERO_SIZE } from '../kernel/money.ts';
import { UidTable } from '../kernel/uid-table.ts';
import type { Entry, PositionRow } from '../messages/orders.ts';
import type { FuturesCategory, PositionSide } from '../messages/vocabulary.ts';
import type { RecordedEvent } from './history/recorded-events.ts';
import { sideKey, symbolKey } from './symbol-keys.ts';
import type { Listeners, View } from './view.ts';

export interface PositionQueries {
  /** A user's open positions, latest first. */
  of(uid: Uid): readonly PositionRow[];
  find(
    uid: Uid,
    category: FuturesCategory,
    symbol: string,
    side: PositionSide,
  ): PositionRow | undefined;
  /** The total of all longs of a symbol; the shorts have the same total. */
  openInterest(category: FuturesCategory, symbol: string): Size;
  /** The number of accounts with a long, and with a short. */
  accountCounts(category: FuturesCategory, symbol: string): Readonly<Record<PositionSide, number>>;
}

interface OpenPosition {
  readonly row: PositionRow;
  /** The total ever opened in it. */
  readonly opened: Entry;
}

/**
 * By symbol and side, at most two per listed symbol. A closed position stays as undefined: most
 * open again, and a Map rebuilds its table after a few deletes.
 */
type Positions = Map<string, OpenPosition | undefined>;

/** In the order they were opened. */
const openIn = (own: Positions): OpenPosition[] =>
  [...own.values()]
    .filter((position) => position !== undefined)
    .sort((one, other) => one.row.positionId - other.row.positionId);
const keyOf = ({ category, symbol, side }: PositionRow): string => sideKey(category, symbol, side);

const NO_POSITIONS: Positions = new Map();
const NOTHING: Entry = { size: ZERO_SIZE, cost: 0n };

/** Adds an increase to the total opened, which a reduction leaves unchanged. */
function openedWith(before: OpenPosition | undefined, { entry }: PositionRow): Entry {
  const opened = before?.opened ?? NOTHING;
  const was = before?.row.entry ?? NOTHING;
  if (entry.size <= was.size) return opened;
  return {
    size: plus(opened.size, minus(entry.size, was.size)),
    cost: opened.cost + entry.cost - was.cost,
  };
}

const averageOf = ({ size, cost }: Entry): Price =>
  (size === 0n ? 0n : divide(cost, size, 'nearest')) as Price;

export class PositionsView implements View<'positions'>, PositionQueries {
  readonly name = 'positions';
  #positions = new UidTable<Positions>();
  #openInterest = new Map<string, Size>();
  #accountCounts = new Map<string, number>();
  readonly #record: (closed: RecordedEvent) => void;

  /** `record` receives every closed position. */
  constructor(record: (closed: RecordedEvent) => void) {
    this.#record = record;
  }

  readonly on: Listeners<'positions'> = {
    positionChanged: ({ position }) => this.#change(position),
  };

  save(): unknown {
    const saved = new Map<Uid, Map<string, OpenPosition>>();
    for (const own of this.#positions.values()) {
      const open = openIn(own);
      if (open.length > 0)
        saved.set(
          open[0]!.row.uid,
          new Map(open.map((position) => [keyOf(position.row), position])),
        );
    }
    return saved;
  }

  restore(saved: unknown): void {
    this.#positions = new UidTable();
    this.#openInterest = new Map();
    this.#accountCounts = new Map();
    for (const [uid, own] of saved as Map<Uid, Map<string, OpenPosition>>) {
      this.#positions.set(uid, new Map(own));
      for (const { row } of own.values()) {
        this.#countInterest(row, row.size);
        this.#countOwner(row, 1);
      }
    }
  }

  of(uid: Uid): readonly PositionRow[] {
    return openIn(this.#positions.get(uid) ?? NO_POSITIONS)
      .map(({ row }) => row)
      .reverse();
  }

  find(
    uid: Uid,
    category: FuturesCategory,
    symbol: string,
    side: PositionSide,
  ): PositionRow | undefined {
    return this.#positions.get(uid)?.get(sideKey(category, symbol, side))?.row;
  }

  openInterest(category: FuturesCategory, symbol: string): Size {
    return this.#openInterest.get(symbolKey(category, symbol)) ?? ZERO_SIZE;
  }

  accountCounts(category: FuturesCategory, symbol: string): Readonly<Record<PositionSide, number>> {
    const of = (side: PositionSide): number =>
      this.#accountCounts.get(sideKey(category, symbol, side)) ?? 0;
    return { long: of('long'), short: of('short') };
  }

  #change(row: PositionRow): void {
    const own = this.#ownOf(row.uid);
    const key = keyOf(row);
    const before = own.get(key);
    this.#countInterest(row, minus(row.size, before?.row.size ?? ZERO_SIZE));
    const opened = openedWith(before, row);
    const isOpen = row.size > 0n;
    own.set(key, isOpen ? { row, opened } : undefined);
    this.#countOwner(row, Number(isOpen) - Number(before !== undefined));
    if (isOpen) return;
    this.#record({
      type: 'positionRecorded',
      position: row,
      openedSize: opened.size,
      openedPrice: averageOf(opened),
    });
  }

  #ownOf(uid: Uid): Positions {
    const known = this.#positions.get(uid);
    if (known !== undefined) return known;
    const own: Positions = new Map();
    this.#positions.set(uid, own);
    return own;
  }

  #countOwner(row: PositionRow, by: number): void {
    if (by === 0) return;
    const key = keyOf(row);
    this.#accountCounts.set(key, (this.#accountCounts.get(key) ?? 0) + by);
  }

  #countInterest({ category, symbol, side }: PositionRow, by: Size): void {
    if (side !== 'long' || by === 0n) return;
    const key = symbolKey(category, symbol);
    this.#openInterest.set(key, plus(this.openInterest(category, symbol), by));
  }
}
