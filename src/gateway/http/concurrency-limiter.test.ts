import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { Uid } from '../../kernel/ids.ts';
import { ANONYMOUS } from '../caller.ts';
import { GatewayCounters } from '../metrics.ts';
import { ConcurrencyLimiter, kindOf, type Slot } from './concurrency-limiter.ts';

const alice = 1_000_000_001 as Uid;
const newPlace = (): Slot => ({ kind: 'writes', uid: ANONYMOUS, waits: false, left: false });

/** So many let in, which wait for their turn. */
function arrivedAt(concurrencyLimiter: ConcurrencyLimiter, count: number): Slot[] {
  return Array.from({ length: count }, () => {
    expect(concurrencyLimiter.admits('writes', new Socket())).toBe(true);
    const place = newPlace();
    concurrencyLimiter.wait(place, ANONYMOUS);
    return place;
  });
}

test('[REQ-44] what waits for its turn counts, so that one turn lets in no more than may wait', () => {
  const concurrencyLimiter = new ConcurrencyLimiter(new GatewayCounters());
  const [first] = arrivedAt(concurrencyLimiter, 1_024);
  expect(concurrencyLimiter.admits('writes', new Socket())).toBe(false);
  expect(concurrencyLimiter.admits('reads', new Socket())).toBe(true);
  concurrencyLimiter.leave(first!, new Socket());
  expect(concurrencyLimiter.admits('writes', new Socket())).toBe(true);
});

test('[REQ-44][REQ-49] who then waits for an outcome counts once, and for himself', () => {
  const concurrencyLimiter = new ConcurrencyLimiter(new GatewayCounters());
  const places = arrivedAt(concurrencyLimiter, 128);
  for (const place of places) {
    expect(concurrencyLimiter.isFullOf('writes', alice)).toBe(false);
    concurrencyLimiter.wait(place, alice);
  }
  expect(concurrencyLimiter.isFullOf('writes', alice)).toBe(true);
  const others = arrivedAt(concurrencyLimiter, 1_024 - 128);
  expect(concurrencyLimiter.admits('writes', new Socket())).toBe(false);
  for (const place of [...places, ...others]) concurrencyLimiter.leave(place, new Socket());
  expect(concurrencyLimiter.isFullOf('writes', alice)).toBe(false);
  arrivedAt(concurrencyLimiter, 1_024);
});

test('[REQ-44] who has left cannot leave again, as when sending his answer fails and he is refused instead', () => {
  const counters = new GatewayCounters();
  const concurrencyLimiter = new ConcurrencyLimiter(counters);
  const [first] = arrivedAt(concurrencyLimiter, 1_024);
  for (let time = 0; time < 2; time++) concurrencyLimiter.leave(first!, new Socket());
  expect(counters.inFlight).toBe(1_024 - 1);
  arrivedAt(concurrencyLimiter, 1);
  expect(concurrencyLimiter.admits('writes', new Socket())).toBe(false);
});

test('[REQ-44] 4,096 requests are in flight, whatever they do and whether or not they wait; one more is refused, and counted as such', () => {
  const counters = new GatewayCounters();
  const concurrencyLimiter = new ConcurrencyLimiter(counters);
  let admitted = 0;
  for (let at = 0; at < 4_096; at++)
    if (concurrencyLimiter.admits(at % 2 === 0 ? 'reads' : 'writes', new Socket())) admitted++;
  expect([admitted, counters.inFlight, counters.refusedByLoad]).toEqual([4_096, 4_096, 0]);
  for (const kind of ['reads', 'writes'] as const)
    expect(concurrencyLimiter.admits(kind, new Socket())).toBe(false);
  expect([counters.inFlight, counters.refusedByLoad]).toEqual([4_096, 2]);
  concurrencyLimiter.leave(newPlace(), new Socket());
  expect(concurrencyLimiter.admits('reads', new Socket())).toBe(true);
  expect(concurrencyLimiter.admits('reads', new Socket())).toBe(false);
});

test('[REQ-44] a call that reads is a GET; all others do something', () => {
  expect(['GET', 'POST', 'DELETE'].map(kindOf)).toEqual(['reads', 'writes', 'writes']);
});
