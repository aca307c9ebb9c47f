/** A walk through the pages of a list in one direction, and the check at its end. */
import { expect } from 'vitest';
import type { List } from './list.ts';
import type { Asked } from './program.ts';
import { type Row, wireId } from './row.ts';

export class Walk {
  readonly list: List;
  readonly uid: number;
  readonly #asked: Asked;
  readonly #way: string;
  /** Rows at its start. */
  readonly #there: readonly Row[];
  readonly #met: number[] = [];
  isOver = false;

  constructor(list: List, uid: number, asked: Asked, way: string, there: readonly Row[]) {
    this.list = list;
    this.uid = uid;
    this.#asked = asked;
    this.#way = way;
    this.#there = there;
  }

  get length(): number {
    return this.#met.length;
  }

  get #goesNewer(): boolean {
    return this.#way === this.list.newer;
  }

  /** The question for the next page, from the last row on. */
  next(size: number): Asked {
    const last = this.#met.at(-1);
    const place = last === undefined ? (this.#goesNewer ? '1' : undefined) : wireId(last);
    return {
      ...this.#asked,
      [this.list.size[0]]: String(size),
      ...(place === undefined ? {} : { [this.#way]: place }),
    };
  }

  meet(page: readonly Row[]): void {
    const ids = page.map(({ id }) => id);
    this.#met.push(...(this.#goesNewer ? ids.toReversed() : ids));
    this.isOver = ids.length === 0;
  }

  /** Each row came once and in order, and no row that still exists was missed. */
  expectWhole(still: ReadonlySet<number>): void {
    const inOrder = this.#met.toSorted((one, other) =>
      this.#goesNewer ? one - other : other - one,
    );
    expect([this.list.name, this.#met]).toEqual([this.list.name, [...new Set(inOrder)]]);
    const last = this.#met.at(-1) ?? Number.NaN;
    const passed = this.#there.filter(
      ({ id }) => still.has(id) && (this.isOver || (this.#goesNewer ? id <= last : id >= last)),
    );
    const missed = passed.map(({ id }) => id).filter((id) => !this.#met.includes(id));
    expect([this.list.name, this.uid, missed]).toEqual([this.list.name, this.uid, []]);
  }
}
