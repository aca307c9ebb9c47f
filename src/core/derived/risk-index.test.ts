import { expect, test } from 'vitest';
import type { Uid } from '../../kernel/ids.ts';
import type { Price } from '../../kernel/money.ts';
import { RiskIndex, type Threshold } from './risk-index.ts';

const uid = (value: number): Uid => value as Uid;

const MARK = { kind: 'mark', key: 'A' } as const;

const threshold = (id: number, below?: bigint, above?: bigint): Threshold => ({
  price: MARK,
  id,
  ...(below === undefined ? {} : { below: below as Price }),
  ...(above === undefined ? {} : { above: above as Price }),
});

function taken(index: RiskIndex): number[] {
  const found: number[] = [];
  for (let next = index.take(); next !== undefined; next = index.take()) found.push(next);
  return found;
}

test('[POS-75] marked accounts are taken in the order of their uids, each once', () => {
  const index = new RiskIndex();
  for (const value of [5, 3, 9, 3, 5]) index.mark(uid(value));
  expect(index.take()).toBe(3);
  index.mark(uid(1));
  index.mark(uid(3));
  expect(taken(index)).toEqual([1, 3, 5, 9]);
});

test('[POS-69] a price reaches only the thresholds at or beyond it', () => {
  const index = new RiskIndex();
  index.place(uid(1), [threshold(11, 90n, 110n)]);
  index.place(uid(2), [threshold(12, 95n)]);
  index.place(uid(3), [
    threshold(13, undefined, 110n),
    { price: { kind: 'index', coin: 'A' }, id: 3, below: 99n as Price },
  ]);
  const reached = (price: bigint): number[] => {
    index.reach(MARK, price as Price);
    return taken(index);
  };
  expect([reached(109n), reached(110n), reached(96n), reached(95n), reached(90n)]).toEqual([
    [],
    [1, 3],
    [],
    [2],
    [1, 2],
  ]);
  index.reach({ kind: 'index', coin: 'A' }, 99n as Price);
  expect(taken(index)).toEqual([3]);
});

test('[POS-69] new thresholds replace the old ones', () => {
  const index = new RiskIndex();
  index.place(uid(1), [threshold(11, 90n, 110n)]);
  index.place(uid(1), [threshold(11, 80n)]);
  index.reach(MARK, 85n as Price);
  index.reach(MARK, 120n as Price);
  expect(taken(index)).toEqual([]);
  index.reach(MARK, 80n as Price);
  expect(taken(index)).toEqual([1]);
  index.place(uid(1), []);
  index.reach(MARK, 1n as Price);
  expect(taken(index)).toEqual([]);
});

test('[POS-59] a suspended account is examined on resumption, unless examined since', () => {
  const index = new RiskIndex();
  index.suspend(uid(1));
  index.suspend(uid(2));
  index.place(uid(2), []);
  index.resumeSuspended();
  expect(taken(index)).toEqual([1]);
  index.resumeSuspended();
  expect(taken(index)).toEqual([]);
});
