import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Arrivals } from './arrivals.ts';

test('[REQ-63] what has come together waits for the last of it, and is carried out in the order it came', async () => {
  const done: string[] = [];
  const arrivals = new Arrivals<string>((each) => done.push(each));
  for (const each of ['first', 'second', 'third']) {
    arrivals.add(each);
    await Promise.resolve();
    expect(done).toEqual([]);
  }
  await nextTurn();
  expect(done).toEqual(['first', 'second', 'third']);
});

test('[REQ-63] what comes meanwhile has the next turn', async () => {
  const done: string[] = [];
  const arrivals = new Arrivals<string>((each) => {
    if (each === 'first') arrivals.add('late');
    done.push(each);
  });
  arrivals.add('first');
  arrivals.add('second');
  await nextTurn();
  expect(done).toEqual(['first', 'second']);
  await nextTurn();
  expect(done).toEqual(['first', 'second', 'late']);
});
