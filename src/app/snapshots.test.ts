import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Sequence } from '../kernel/ids.ts';
import { Snapshots } from './snapshots.ts';

const folder = mkdtempSync(join(tmpdir(), 'rialto-snapshots-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('[OPR-30] nothing is begun any more once the exchange ends: the folder may belong to another journal by then', async () => {
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
  const durable = (): Sequence => 0 as Sequence;
  const snapshots = new Snapshots({ folder, durable, storedForGood, onMade: () => undefined, onFailure: () => undefined }, 0 as Sequence);
  const first = snapshots.make();
  const waiting = expect(snapshots.make()).rejects.toThrow('no snapshot is begun');
  const settled = snapshots.settle();
  go();
  await settled;
  await waiting;
  expect((await first).sequence).toBe(0);
  await expect(snapshots.make()).rejects.toThrow('no snapshot is begun');
  expect(begun).toBe(1);
});
