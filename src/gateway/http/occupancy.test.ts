import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { Uid } from '../../kernel/ids.ts';
import { NOBODY } from '../caller.ts';
import { GatewayCounters } from '../metrics.ts';
import { Occupancy, type Place, WAITING_MAX, WAITING_PER_USER_MAX } from './occupancy.ts';

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
  const [first] = arrivedAt(occupancy, WAITING_MAX);
  expect(occupancy.admits('writes', new Socket())).toBe(false);
  expect(occupancy.admits('reads', new Socket())).toBe(true);
  occupancy.leave(first!, new Socket());
  expect(occupancy.admits('writes', new Socket())).toBe(true);
});

test('[REQ-44][REQ-49] who then waits for an outcome counts once, and for himself', () => {
  const occupancy = new Occupancy(new GatewayCounters());
  const places = arrivedAt(occupancy, WAITING_PER_USER_MAX);
  for (const place of places) {
    expect(occupancy.isFullOf('writes', alice)).toBe(false);
    occupancy.wait(place, alice);
  }
  expect(occupancy.isFullOf('writes', alice)).toBe(true);
  const others = arrivedAt(occupancy, WAITING_MAX - WAITING_PER_USER_MAX);
  expect(occupancy.admits('writes', new Socket())).toBe(false);
  for (const place of [...places, ...others]) occupancy.leave(place, new Socket());
  expect(occupancy.isFullOf('writes', alice)).toBe(false);
  arrivedAt(occupancy, WAITING_MAX);
});

test('[REQ-44] who has left cannot leave again, as when sending his answer fails and he is refused instead', () => {
  const counters = new GatewayCounters();
  const occupancy = new Occupancy(counters);
  const [first] = arrivedAt(occupancy, WAITING_MAX);
  for (let time = 0; time < 2; time++) occupancy.leave(first!, new Socket());
  expect(counters.inFlight).toBe(WAITING_MAX - 1);
  arrivedAt(occupancy, 1);
  expect(occupancy.admits('writes', new Socket())).toBe(false);
});
