/** Hides orders from reads for a while, as an exchange does whose reads lag behind its writes. */
import { isRow, type Row } from './call-content.ts';

/** Limit of hidden orders; beyond it, the order hidden longest is shown again. */
const HIDDEN_MAX = 100_000;

/** The fields that name a page's boundaries, with the index of the row that each one names. */
const PAGE_EDGES: ReadonlyMap<string, number> = new Map([
  ['endId', -1],
  ['idLessThan', -1],
  ['cursor', -1],
  ['minId', -1],
  ['maxId', 0],
]);

const orderIdOf = (row: unknown): string =>
  isRow(row) && typeof row.orderId === 'string' ? row.orderId : '';

export class HiddenOrders {
  /** End of hiding by order, in monotonic milliseconds. */
  readonly #until = new Map<string, number>();

  get size(): number {
    return this.#until.size;
  }

  hide(orderIds: readonly string[], until: number): void {
    for (const id of orderIds) this.#until.set(id, until);
    for (const id of this.#until.keys()) {
      if (this.#until.size <= HIDDEN_MAX) break;
      this.#until.delete(id);
    }
  }

  clear(): void {
    this.#until.clear();
  }

  /** Removes hidden orders from an answer; undefined if the answer itself is a hidden order. */
  without(value: unknown, now: number): unknown {
    for (const [id, until] of this.#until) if (until <= now) this.#until.delete(id);
    return this.#until.size === 0 ? value : this.#shown(value);
  }

  #isHidden(value: unknown): boolean {
    return isRow(value) && typeof value.orderId === 'string' && this.#until.has(value.orderId);
  }

  #shown(value: unknown): unknown {
    if (this.#isHidden(value)) return undefined;
    if (Array.isArray(value))
      return value.filter((row) => !this.#isHidden(row)).map((row) => this.#shown(row));
    if (!isRow(value)) return value;
    const shown = Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, this.#shown(part)]),
    );
    return this.#withPageEdges(shown);
  }

  /**
   * Moves the page boundaries to visible orders. A page without visible orders keeps its
   * boundaries, so that the client can continue.
   */
  #withPageEdges(page: Row): Row {
    const rows: readonly unknown[] = Object.values(page).find((part) => Array.isArray(part)) ?? [];
    if (rows.length === 0) return page;
    const edges = [...PAGE_EDGES].filter(
      ([name]) => typeof page[name] === 'string' && this.#until.has(page[name]),
    );
    return {
      ...page,
      ...Object.fromEntries(edges.map(([name, place]) => [name, orderIdOf(rows.at(place))])),
    };
  }
}
