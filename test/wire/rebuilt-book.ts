/** A book as a client keeps it: it applies each push, and checks its number and checksum. */
import { crc32 } from 'node:zlib';
import { expect } from 'vitest';

type Level = readonly string[];

const sorted = (levels: ReadonlyMap<string, string>, best: 1 | -1): Level[] =>
  [...levels].sort(([one], [other]) => best * (Number(one) - Number(other)));

/** A row of v2 or of v3. */
interface Row {
  readonly [name: string]: unknown;
}

export class RebuiltBook {
  readonly #asks = new Map<string, string>();
  readonly #bids = new Map<string, string>();
  #seq = 0;
  pushes = 0;

  take(row: Row): void {
    const { asks = row.a, bids = row.b, seq, pseq, checksum } = row;
    if (pseq !== undefined) expect(pseq).toBe(this.#seq);
    expect(Number(seq)).toBeGreaterThan(this.#seq === 0 ? -1 : this.#seq);
    this.#seq = Number(seq);
    this.pushes++;
    this.#apply(this.#asks, asks as Level[], 1);
    this.#apply(this.#bids, bids as Level[], -1);
    if (checksum !== undefined) expect(checksum).toBe(this.#checksum());
  }

  /** Applies a snapshot without clearing, as some clients do after a reconnect. */
  keepOver({ asks, bids, seq }: Row): void {
    this.#seq = Number(seq);
    this.#apply(this.#asks, asks as Level[], 1);
    this.#apply(this.#bids, bids as Level[], -1);
  }

  levels(): { readonly asks: readonly Level[]; readonly bids: readonly Level[] } {
    return { asks: sorted(this.#asks, 1), bids: sorted(this.#bids, -1) };
  }

  #apply(side: Map<string, string>, levels: readonly Level[], best: 1 | -1): void {
    const prices = levels.map(([price]) => Number(price));
    expect(prices).toEqual([...prices].sort((one, other) => best * (one - other)));
    for (const [price = '', size = ''] of levels) {
      if (size !== '0') side.set(price, size);
      // A level that no client has is never removed.
      else expect(side.delete(price)).toBe(true);
    }
  }

  #checksum(): number {
    const { asks, bids } = this.levels();
    const texts: string[] = [];
    for (let at = 0; at < 25; at++)
      for (const level of [bids[at], asks[at]])
        if (level !== undefined) texts.push(level.join(':'));
    return crc32(texts.join(':')) | 0;
  }
}
