import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openLog } from '../gateway/log.ts';
import type { Sequence } from '../kernel/ids.ts';
import { startCore, stopCore } from './core.ts';
import { journalFolder } from './files.ts';
import { SnapshotBrokenOff, Snapshots } from './snapshots.ts';

const folder = mkdtempSync(join(tmpdir(), 'rialto-snapshots-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const durable = (): Sequence => 0 as Sequence;
const quiet = {
  folder,
  durable,
  events: () => 0,
  onMade: () => undefined,
  onFailure: () => undefined,
};

/** A history that has stored everything when it is released; snapshots wait for it. */
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

test('[OPR-30] no snapshot starts once the exchange ends, because the folder may have another journal', async () => {
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

test('[RUN-156] a stop aborts a snapshot in progress', async () => {
  const snapshots = new Snapshots(
    { ...quiet, storedForGood: async () => 0 as Sequence },
    0 as Sequence,
  );
  const made = snapshots.make();
  const brokenOff = expect(made).rejects.toThrow(SnapshotBrokenOff);
  // Its thread exists and has just started.
  await new Promise((resolve) => setImmediate(resolve));
  await snapshots.settle();
  await brokenOff;
});

test('[OPR-12] a snapshot that is not aborted is made', async () => {
  const snapshots = new Snapshots(
    { ...quiet, storedForGood: async () => 0 as Sequence },
    0 as Sequence,
  );
  expect((await snapshots.make()).sequence).toBe(0);
});

test('[JRN-37] one is made after a million events, and the next after a million more', async () => {
  let events = 999_999;
  let begun = 0;
  const storedForGood = async (): Promise<Sequence> => {
    begun++;
    return 0 as Sequence;
  };
  let made = (): void => undefined;
  const snapshots = new Snapshots(
    { ...quiet, events: () => events, storedForGood, onMade: () => made() },
    0 as Sequence,
  );
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

test('[JRN-37] one is made after 200,000 commands, and none is queued behind it while it is made', async () => {
  let commands = 199_999;
  const { storedForGood, go, begun } = heldHistory();
  const snapshots = new Snapshots(
    { ...quiet, durable: () => commands as Sequence, storedForGood },
    0 as Sequence,
  );
  snapshots.consider();
  expect(begun()).toBe(0);
  commands = 200_000;
  for (let look = 0; look < 3; look++) snapshots.consider();
  expect(begun()).toBe(1);
  commands = 0;
  const asked = snapshots.make();
  go();
  await asked;
  // The one that was due, and the one that was requested.
  expect(begun()).toBe(2);
});

test('[JRN-37] the count towards the next snapshot starts at the last one', async () => {
  let begun = 0;
  const storedForGood = async (): Promise<Sequence> => {
    begun++;
    return 0 as Sequence;
  };
  let made = (): void => undefined;
  const isMade = new Promise<void>((resolve) => {
    made = resolve;
  });
  // As if 200,000 commands had preceded the first.
  const snapshots = new Snapshots(
    { ...quiet, storedForGood, onMade: () => made() },
    -200_000 as Sequence,
  );
  snapshots.consider();
  await isMade;
  await new Promise((resolve) => setImmediate(resolve));
  snapshots.consider();
  expect(begun).toBe(1);
  await snapshots.settle();
});

test.each([
  ['200,000 commands', 200_000, 0],
  ['a million events', 0, 1_000_000],
])(
  '[JRN-37][JRN-09] a failed snapshot is logged once, and retried after as much as %s',
  async (_, commands, events) => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const failures: string[] = [];
    let failed = (): void => undefined;
    let share = 1;
    let begun = 0;
    const snapshots = new Snapshots(
      {
        ...quiet,
        folder: file,
        durable: () => Math.floor(commands * share) as Sequence,
        events: () => Math.floor(events * share),
        storedForGood: async () => {
          begun++;
          return 0 as Sequence;
        },
        onFailure: ({ message }) => {
          failures.push(message);
          failed();
        },
      },
      0 as Sequence,
    );
    for (const expected of [1, 2]) {
      share = expected;
      const isLogged = new Promise<void>((resolve) => {
        failed = resolve;
      });
      snapshots.consider();
      await isLogged;
      share = expected + 0.999;
      snapshots.consider();
      expect(begun).toBe(expected);
    }
    expect(failures).toEqual([
      expect.stringContaining('EEXIST'),
      expect.stringContaining('EEXIST'),
    ]);
    await snapshots.settle();
  },
);

test('[RUN-156][JRN-09] a snapshot aborted by a stop is not a failure', async () => {
  const { storedForGood, go } = heldHistory();
  const failures: Error[] = [];
  const onFailure = (error: Error): void => void failures.push(error);
  const snapshots = new Snapshots(
    { ...quiet, durable: () => 200_000 as Sequence, storedForGood, onFailure },
    0 as Sequence,
  );
  snapshots.consider();
  const settled = snapshots.settle();
  go();
  await settled;
  await new Promise((resolve) => setImmediate(resolve));
  expect(failures).toEqual([]);
});

test('[JRN-08] older snapshots stay while history cannot be stored, and go with the next after it can', async () => {
  const data = mkdtempSync(join(tmpdir(), 'rialto-snapshots-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const log = openLog('silent');
  const core = await startCore(
    { settings: { data }, log, onFatal: () => undefined, historyIn: 'memory' },
    journalFolder(data),
  );
  const durable = (): Sequence => core.sequencer.status().durable;
  let isWell = false;
  const storedForGood = async (): Promise<Sequence> => {
    if (!isWell) throw new Error('database or disk is full');
    return durable();
  };
  const snapshots = new Snapshots(
    { ...quiet, folder: journalFolder(data), durable, storedForGood },
    0 as Sequence,
  );
  const kept = (): number =>
    readdirSync(journalFolder(data)).filter((name) => name.endsWith('.snap')).length;
  const counts: number[] = [];
  for (let made = 1; made <= 4; made++) {
    isWell = made === 4;
    await core.sequencer.submit({ type: 'createUser', level: 'VIP0', positionMode: 'oneWay' });
    expect((await snapshots.make()).sequence).toBe(made);
    counts.push(kept());
  }
  expect(counts).toEqual([1, 2, 3, 2]);
  await snapshots.settle();
  await stopCore(core);
});

test('[JRN-41] a clock move has a snapshot made after 50,000 events, and waits for it at 100,000 more', async () => {
  let events = 49_999;
  const { storedForGood, go, begun } = heldHistory();
  const snapshots = new Snapshots({ ...quiet, events: () => events, storedForGood }, 0 as Sequence);
  onTestFinished(() => snapshots.settle());
  await snapshots.stayClose();
  expect(begun()).toBe(0);
  events = 50_000;
  await snapshots.stayClose();
  expect(begun()).toBe(1);
  events = 149_999;
  await snapshots.stayClose();
  expect(begun()).toBe(1);
  events = 150_000;
  let waits = true;
  const waiting = snapshots.stayClose().then(() => {
    waits = false;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect([waits, begun()]).toEqual([true, 1]);
  go();
  await waiting;
  await expect.poll(begun).toBe(2);
});

test('[JRN-41] a failed snapshot does not delay a clock move', async () => {
  let [events, failures] = [50_000, 0];
  const storedForGood = async (): Promise<Sequence> => 0 as Sequence;
  const gone = join(folder, 'no-folder');
  writeFileSync(gone, '');
  const failing = { ...quiet, folder: gone, onFailure: () => void failures++ };
  const snapshots = new Snapshots(
    { ...failing, events: () => events, storedForGood },
    0 as Sequence,
  );
  onTestFinished(() => snapshots.settle());
  for (const reached of [50_000, 150_000]) {
    events = reached;
    await snapshots.stayClose();
  }
  await expect.poll(() => failures, { timeout: 20_000 }).toBe(2);
});
