import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Sequence } from '../kernel/ids.ts';
import { SnapshotBrokenOff, Snapshots } from './snapshots.ts';

const folder = mkdtempSync(join(tmpdir(), 'rialto-snapshots-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const durable = (): Sequence => 0 as Sequence;
const quiet = { folder, durable, events: () => 0, onMade: () => undefined, onFailure: () => undefined };

/** A history that has stored everything when it is let go; snapshots wait for it. */
function heldHistory() {
  let begun = 0;
  let go = (): void => undefined;
  const going = new Promise<void>((resolve) => {
    go = resolve;
  });
  const storedForGood = async (): Promise<Sequence> => {
    begun++;
    await going;
    return 0 as Sequence;
  };
  return { storedForGood, go, begun: () => begun };
}

test('[OPR-30] nothing is begun any more once the exchange ends: the folder may belong to another journal by then', async () => {
  const { storedForGood, go, begun } = heldHistory();
  const snapshots = new Snapshots({ ...quiet, storedForGood }, 0 as Sequence);
  const first = expect(snapshots.make()).rejects.toThrow(SnapshotBrokenOff);
  const waiting = expect(snapshots.make()).rejects.toThrow(SnapshotBrokenOff);
  const settled = snapshots.settle();
  go();
  await Promise.all([settled, first, waiting]);
  expect(begun()).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test('[RUN-22] one that is being made is broken off when the exchange ends, however long it would take', async () => {
  const snapshots = new Snapshots({ ...quiet, storedForGood: async () => 0 as Sequence }, 0 as Sequence);
  const made = snapshots.make();
  const brokenOff = expect(made).rejects.toThrow(SnapshotBrokenOff);
  // Its thread is there, and has hardly begun.
  await new Promise((resolve) => setImmediate(resolve));
  await snapshots.settle();
  await brokenOff;
});

test('[OPR-12] a snapshot that is not broken off is made', async () => {
  const snapshots = new Snapshots({ ...quiet, storedForGood: async () => 0 as Sequence }, 0 as Sequence);
  expect((await snapshots.make()).sequence).toBe(0);
});

test('[JRN-37] one is made after a million events, however few commands caused them, and the next after as many more', async () => {
  let events = 999_999;
  let begun = 0;
  const storedForGood = async (): Promise<Sequence> => {
    begun++;
    return 0 as Sequence;
  };
  let made = (): void => undefined;
  const snapshots = new Snapshots({ ...quiet, events: () => events, storedForGood, onMade: () => made() }, 0 as Sequence);
  snapshots.consider();
  expect(begun).toBe(0);
  for (const reached of [1_000_000, 2_000_000]) {
    events = reached;
    await new Promise<void>((resolve) => {
      made = resolve;
      snapshots.consider();
    });
    events = reached + 999_999;
    await new Promise((resolve) => setImmediate(resolve));
    snapshots.consider();
  }
  expect(begun).toBe(2);
});

test('[JRN-37] one is made after 200,000 commands, and none is lined up behind it while it is being made', async () => {
  let commands = 199_999;
  const { storedForGood, go, begun } = heldHistory();
  const snapshots = new Snapshots({ ...quiet, durable: () => commands as Sequence, storedForGood }, 0 as Sequence);
  snapshots.consider();
  expect(begun()).toBe(0);
  commands = 200_000;
  for (let look = 0; look < 3; look++) snapshots.consider();
  expect(begun()).toBe(1);
  commands = 0;
  const asked = snapshots.make();
  go();
  await asked;
  // The one that was due, and the one that was asked for.
  expect(begun()).toBe(2);
});
