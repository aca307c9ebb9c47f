/** Open positions as the exchange last told them, and how much is open in each symbol. */
import type { Uid } from '../kernel/ids.ts';
import { divide, minus, type Price, plus, type Size, ZERO_SIZE } from '../kernel/money.ts';
import type { Entry, PositionRow } from '../messages/orders.ts';
import type { FuturesCategory, PositionSide } from '../messages/vocabulary.ts';
import type { RecordedEvent } from './history/recorded-events.ts';
import { sideKey, symbolKey } from './symbol-keys.ts';
import type { Listeners, View } from './view.ts';

export interface PositionQueries {
  /** A user's open positions, the latest opened first. */
  of(uid: Uid): readonly PositionRow[];
  find(uid: Uid, category: FuturesCategory, symbol: string, side: PositionSide): PositionRow | undefined;
  /** What all longs of a symbol hold together; the shorts hold as much. */
  openInterest(category: FuturesCategory, symbol: string): Size;
}

interface OpenPosition {
  readonly row: PositionRow;
  /** All that was ever opened in it. */
  readonly opened: Entry;
}

type Positions = Map<string, OpenPosition>;

const NOTHING: Entry = { size: ZERO_SIZE, cost: 0n };

/** What grew was opened; what shrank was opened before. */
function openedWith(before: OpenPosition | undefined, { entry }: PositionRow): Entry {
  const opened = before?.opened ?? NOTHING;
  const was = before?.row.entry ?? NOTHING;
  if (entry.size <= was.size) return opened;
  return { size: plus(opened.size, minus(entry.size, was.size)), cost: opened.cost + entry.cost - was.cost };
}

const averageOf = ({ size, cost }: Entry): Price => (size === 0n ? 0n : divide(cost, size, 'nearest')) as Price;

export class PositionsView implements View, PositionQueries {
  readonly name = 'positions';
  #positions = new Map<Uid, Positions>();
  #openInterest = new Map<string, Size>();
  readonly #record: (closed: RecordedEvent) => void;

  /** `record` is told of every position that has closed. */
  constructor(record: (closed: RecordedEvent) => void) {
    this.#record = record;
  }

  readonly on: Listeners = { positionChanged: ({ position }) => this.#change(position) };

  save(): unknown {
    return new Map([...this.#positions].map(([uid, own]) => [uid, new Map(own)]));
  }

  restore(saved: unknown): void {
    this.#positions = new Map();
    this.#openInterest = new Map();
    for (const [uid, own] of saved as Map<Uid, Positions>) {
      this.#positions.set(uid, new Map(own));
      for (const { row } of own.values()) this.#countInterest(row, row.size);
    }
  }

  of(uid: Uid): readonly PositionRow[] {
    const rows = [...(this.#positions.get(uid)?.values() ?? [])].map(({ row }) => row);
    return rows.sort((left, right) => right.positionId - left.positionId);
  }

  find(uid: Uid, category: FuturesCategory, symbol: string, side: PositionSide): PositionRow | undefined {
    return this.#positions.get(uid)?.get(sideKey(category, symbol, side))?.row;
  }

  openInterest(category: FuturesCategory, symbol: string): Size {
    return this.#openInterest.get(symbolKey(category, symbol)) ?? ZERO_SIZE;
  }

  #change(row: PositionRow): void {
    const own = this.#positions.get(row.uid) ?? new Map<string, OpenPosition>();
    const key = sideKey(row.category, row.symbol, row.side);
    const before = own.get(key);
    this.#countInterest(row, minus(row.size, before?.row.size ?? ZERO_SIZE));
    const opened = openedWith(before, row);
    if (row.size > 0n) {
      own.set(key, { row, opened });
      this.#positions.set(row.uid, own);
      return;
    }
    own.delete(key);
    if (own.size === 0) this.#positions.delete(row.uid);
    this.#record({ type: 'positionRecorded', position: row, openedSize: opened.size, openedPrice: averageOf(opened) });
  }

  #countInterest({ category, symbol, side }: PositionRow, by: Size): void {
    if (side !== 'long' || by === 0n) return;
    const key = symbolKey(category, symbol);
    this.#openInterest.set(key, plus(this.openInterest(category, symbol), by));
  }
}
