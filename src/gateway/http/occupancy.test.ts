import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { Uid } from '../../kernel/ids.ts';
import { NOBODY } from '../caller.ts';
import { GatewayCounters } from '../metrics.ts';
import { kindOf, Occupancy, type Place } from './occupancy.ts';

const alice = 1_000_000_001 as Uid;
const newPlace = (): Place => ({ kind: 'writes', uid: NOBODY, waits: false, left: false });

/** So many let in, which wait for their turn. */
function arrivedAt(occupancy: Occupancy, count: number): Place[] {
  return Array.from({ length: count }, () => {
    expect(occupancy.admits('writes', new Socket())).toBe(true);
    const place = newPlace();
    occupancy.wait(place, NOBODY);
    return place;
  });
}

test('[REQ-44] what waits for its turn counts, so that one turn lets in no more than may wait', () => {
  const occupancy = new Occupancy(new GatewayCounters());
  const [first] = arrivedAt(occupancy, 1_024);
  expect(occupancy.admits('writes', new Socket())).toBe(false);
  expect(occupancy.admits('reads', new Socket())).toBe(true);
  occupancy.leave(first!, new Socket());
  expect(occupancy.admits('writes', new Socket())).toBe(true);
});

test('[REQ-44][REQ-49] who then waits for an outcome counts once, and for himself', () => {
  const occupancy = new Occupancy(new GatewayCounters());
  const places = arrivedAt(occupancy, 128);
  for (const place of places) {
    expect(occupancy.isFullOf('writes', alice)).toBe(false);
    occupancy.wait(place, alice);
  }
  expect(occupancy.isFullOf('writes', alice)).toBe(true);
  const others = arrivedAt(occupancy, 1_024 - 128);
  expect(occupancy.admits('writes', new Socket())).toBe(false);
  for (const place of [...places, ...others]) occupancy.leave(place, new Socket());
  expect(occupancy.isFullOf('writes', alice)).toBe(false);
  arrivedAt(occupancy, 1_024);
});

test('[REQ-44] who has left cannot leave again, as when sending his answer fails and he is refused instead', () => {
  const counters = new GatewayCounters();
  const occupancy = new Occupancy(counters);
  const [first] = arrivedAt(occupancy, 1_024);
  for (let time = 0; time < 2; time++) occupancy.leave(first!, new Socket());
  expect(counters.inFlight).toBe(1_024 - 1);
  arrivedAt(occupancy, 1);
  expect(occupancy.admits('writes', new Socket())).toBe(false);
});

test('[REQ-44] 4,096 requests are in flight, whatever they do and whether or not they wait; one more is refused, and counted as such', () => {
  const counters = new GatewayCounters();
  const occupancy = new Occupancy(counters);
  let admitted = 0;
  for (let at = 0; at < 4_096; at++) if (occupancy.admits(at % 2 === 0 ? 'reads' : 'writes', new Socket())) admitted++;
  expect([admitted, counters.inFlight, counters.refusedByLoad]).toEqual([4_096, 4_096, 0]);
  for (const kind of ['reads', 'writes'] as const) expect(occupancy.admits(kind, new Socket())).toBe(false);
  expect([counters.inFlight, counters.refusedByLoad]).toEqual([4_096, 2]);
  occupancy.leave(newPlace(), new Socket());
  expect(occupancy.admits('reads', new Socket())).toBe(true);
  expect(occupancy.admits('reads', new Socket())).toBe(false);
});

test('[REQ-44] a call that reads is a GET; all others do something', () => {
  expect(['GET', 'POST', 'DELETE'].map(kindOf)).toEqual(['reads', 'writes', 'writes']);
});
