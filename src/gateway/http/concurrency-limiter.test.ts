import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { Uid } from '../../kernel/ids.ts';
import { ANONYMOUS } from '../caller.ts';
import { GatewayCounters } from '../metrics.ts';
import { ConcurrencyLimiter, kindOf, type Slot } from './concurrency-limiter.ts';

const alice = 1_000_000_001 as Uid;
const newSlot = (): Slot => ({ kind: 'writes', uid: ANONYMOUS, waits: false, left: false });

/** Admits that many requests, which wait for their batch. */
function arrivedAt(concurrencyLimiter: ConcurrencyLimiter, count: number): Slot[] {
  return Array.from({ length: count }, () => {
    expect(concurrencyLimiter.admits('writes', new Socket())).toBe(true);
    const slot = newSlot();
    concurrencyLimiter.wait(slot, ANONYMOUS);
    return slot;
  });
}

test('[REQ-44] a request that waits for its batch counts, so one batch exceeds no limit', () => {
  const concurrencyLimiter = new ConcurrencyLimiter(new GatewayCounters());
  const [first] = arrivedAt(concurrencyLimiter, 1_024);
  expect(concurrencyLimiter.admits('writes', new Socket())).toBe(false);
  expect(concurrencyLimiter.admits('reads', new Socket())).toBe(true);
  concurrencyLimiter.leave(first!, new Socket());
  expect(concurrencyLimiter.admits('writes', new Socket())).toBe(true);
});

test('[REQ-44][REQ-49] a request that waits for its outcome counts once, and on its user’s account', () => {
  const concurrencyLimiter = new ConcurrencyLimiter(new GatewayCounters());
  const slots = arrivedAt(concurrencyLimiter, 128);
  for (const slot of slots) {
    expect(concurrencyLimiter.isFullOf('writes', alice)).toBe(false);
    concurrencyLimiter.wait(slot, alice);
  }
  expect(concurrencyLimiter.isFullOf('writes', alice)).toBe(true);
  const others = arrivedAt(concurrencyLimiter, 1_024 - 128);
  expect(concurrencyLimiter.admits('writes', new Socket())).toBe(false);
  for (const slot of [...slots, ...others]) concurrencyLimiter.leave(slot, new Socket());
  expect(concurrencyLimiter.isFullOf('writes', alice)).toBe(false);
  arrivedAt(concurrencyLimiter, 1_024);
});

test('[REQ-44] a slot is released only once, also if sending fails and the call is refused instead', () => {
  const counters = new GatewayCounters();
  const concurrencyLimiter = new ConcurrencyLimiter(counters);
  const [first] = arrivedAt(concurrencyLimiter, 1_024);
  for (let time = 0; time < 2; time++) concurrencyLimiter.leave(first!, new Socket());
  expect(counters.inFlight).toBe(1_024 - 1);
  arrivedAt(concurrencyLimiter, 1);
  expect(concurrencyLimiter.admits('writes', new Socket())).toBe(false);
});

test('[REQ-44] 4,096 requests are in flight, waiting or not; one more is refused and counted', () => {
  const counters = new GatewayCounters();
  const concurrencyLimiter = new ConcurrencyLimiter(counters);
  let admitted = 0;
  for (let at = 0; at < 4_096; at++)
    if (concurrencyLimiter.admits(at % 2 === 0 ? 'reads' : 'writes', new Socket())) admitted++;
  expect([admitted, counters.inFlight, counters.refusedByLoad]).toEqual([4_096, 4_096, 0]);
  for (const kind of ['reads', 'writes'] as const)
    expect(concurrencyLimiter.admits(kind, new Socket())).toBe(false);
  expect([counters.inFlight, counters.refusedByLoad]).toEqual([4_096, 2]);
  concurrencyLimiter.leave(newSlot(), new Socket());
  expect(concurrencyLimiter.admits('reads', new Socket())).toBe(true);
  expect(concurrencyLimiter.admits('reads', new Socket())).toBe(false);
});

test('[REQ-44][STR-84] a call of a stream counts like a request, and is refused when none fits', () => {
  const counters = new GatewayCounters();
  const concurrencyLimiter = new ConcurrencyLimiter(counters);
  arrivedAt(concurrencyLimiter, 1_023);
  const slot = newSlot();
  expect(concurrencyLimiter.admitsCall('writes')).toBe(true);
  concurrencyLimiter.wait(slot, alice);
  expect(concurrencyLimiter.admitsCall('writes')).toBe(false);
  expect(concurrencyLimiter.admits('writes', new Socket())).toBe(false);
  expect([counters.inFlight, counters.refusedByLoad]).toEqual([1_024, 2]);
  concurrencyLimiter.leave(slot);
  expect(concurrencyLimiter.admitsCall('writes')).toBe(true);
});

test('[REQ-44] a GET counts as a read, any other call as a write', () => {
  expect(['GET', 'POST', 'DELETE'].map(kindOf)).toEqual(['reads', 'writes', 'writes']);
});
