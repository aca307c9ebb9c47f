import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type CounterMachine,
  createCounter,
  depositOf,
} from '../../test/simulation/counter-machine.ts';
import type { Sequence } from '../kernel/ids.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Disk } from './disk.ts';
import { FolderInUse } from './failures.ts';
import { LOCK_NAME } from './file-names.ts';
import { nodeDisk } from './node-disk.ts';
import { makeSnapshot, recover } from './recovery.ts';
import { createSequencer, type Sequencer } from './sequencer.ts';
import { verifyJournal } from './verification.ts';
import { lockFolder, processOwner, type WriterLock, writerOf } from './writer-lock.ts';

const SEGMENT_BYTES = 64 * 1024;
const clock = { wall: () => 1_700_000_000_000 as Timestamp, monotonic: () => performance.now() };

let root = '';
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'rialto-journal-'));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const start = (folder: string) =>
  recover({ disk: nodeDisk, folder, createMachine: createCounter, segmentBytes: SEGMENT_BYTES });

/** Retries like a client while a slow disk prepares the next segment. */
async function submitUntilTaken(sequencer: Sequencer): Promise<void> {
  for (;;) {
    const outcome = await sequencer.submit(depositOf('1', 'USDT', 'x'.repeat(100)));
    if (outcome.ok) return;
    expect(outcome.refusal.reason).toBe('tooManyRequests');
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

describe('node disk', () => {
  test('[JRN-02][JRN-08] a thousand commands in several segments with snapshots recover from real files', async () => {
    const folder = path.join(root, 'deep', 'journal');
    const { machine, journal } = await start(folder);
    const sequencer = createSequencer({
      machine,
      journal,
      clock,
      publish: () => {},
      onFatal: ({ reason }) => {
        throw new Error(reason);
      },
    });
    for (let round = 1; round <= 10; round++) {
      await Promise.all(Array.from({ length: 100 }, () => submitUntilTaken(sequencer)));
      if (round % 3 === 0)
        await makeSnapshot({
          disk: nodeDisk,
          folder,
          createMachine: createCounter,
          upTo: (round * 100) as Sequence,
        });
    }
    await sequencer.stop();
    expect(fs.readdirSync(folder).filter((name) => name.endsWith('.snap'))).toHaveLength(2);
    expect(
      fs.statSync(path.join(folder, fs.readdirSync(folder).find((name) => name.endsWith('.seg'))!))
        .mode & 0o777,
    ).toBe(0o600);

    const again = await start(folder);
    expect(again).toMatchObject({ lastSequence: 1000, snapshotSequence: 900 });
    expect((again.machine as CounterMachine).total('USDT')).toBe(1000n * 10_000_000_000n);
    await again.journal.close();
    expect(await verifyJournal(nodeDisk, folder)).toMatchObject({ ok: true, tornEnd: false });
  });

  test("[JRN-13] a second program is refused with the owner's process; the first is not disturbed", async () => {
    const { journal } = await start(root);
    const error: unknown = await start(root).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FolderInUse);
    expect((error as Error).message).toBe(
      `the folder ${root} is in use by process ${process.pid}; one folder has one program`,
    );
    await journal.close();
    const again = await start(root);
    await again.journal.close();
    expect(fs.readdirSync(root)).not.toContain(LOCK_NAME);
  });

  test('[JRN-13][JRN-154] a lock of another process holds, and is stale once that process is killed', async () => {
    const other = spawn(
      process.execPath,
      ['-e', 'setInterval(() => {}, 1000); console.log("up")'],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    await new Promise((resolve) => other.stdout.once('data', resolve));
    const stat = fs.readFileSync(`/proc/${other.pid}/stat`, 'latin1');
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    fs.writeFileSync(path.join(root, LOCK_NAME), `${other.pid} ${started}`);
    await expect(lockFolder(nodeDisk, root, processOwner(root))).rejects.toThrow(
      `in use by process ${other.pid}`,
    );
    const gone = new Promise((resolve) => other.once('exit', resolve));
    other.kill('SIGKILL');
    await gone;
    const lock = await lockFolder(nodeDisk, root, processOwner(root));
    await lock.confirm();
    await lock.release();
  });

  test('[JRN-154] a lock of an ended process is stale before its parent has collected it', async () => {
    // A sleeping parent does not collect a child, and the child ends after the shell has become
    // that parent.
    const parent = spawn('sh', ['-c', 'sleep 1 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const pid = String(
        await new Promise((resolve) => parent.stdout.once('data', resolve)),
      ).trim();
      const fields = (): string[] => {
        const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
        return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      };
      await expect.poll(() => fields()[0], { timeout: 10_000 }).toBe('Z');
      fs.writeFileSync(path.join(root, LOCK_NAME), `${pid} ${fields()[19]}`);
      const lock = await lockFolder(nodeDisk, root, processOwner(root));
      await lock.release();
      expect(fields()[0]).toBe('Z');
    } finally {
      parent.kill('SIGKILL');
    }
  });

  test('[JRN-13] a start waits for an owner that ends or releases the lock within a second', async () => {
    const lockPath = path.join(root, LOCK_NAME);
    let looks = 0;
    fs.writeFileSync(lockPath, 'ending');
    const lock = await lockFolder(nodeDisk, root, {
      id: 'next',
      isAlive: (id) => id === 'ending' && ++looks < 5,
    });
    await lock.confirm();
    expect(looks).toBeGreaterThanOrEqual(5);

    fs.writeFileSync(lockPath, 'stopping');
    const waiting = lockFolder(nodeDisk, root, { id: 'after', isAlive: () => true });
    setTimeout(() => fs.rmSync(lockPath), 150);
    await (await waiting).confirm();
  });

  test('[JRN-154] a lock with a reused process number, or cut off by a crash, is stale', async () => {
    for (const left of [`${process.pid} 1`, '', '99']) {
      fs.writeFileSync(path.join(root, LOCK_NAME), left);
      const lock = await lockFolder(nodeDisk, root, processOwner(root));
      await lock.release();
    }
  });

  test('[JRN-154] a copied lock does not lock the copy, and the original lock still holds', async () => {
    const copy = path.join(root, 'copy');
    const first = await lockFolder(nodeDisk, root, processOwner(root));
    fs.mkdirSync(copy);
    fs.copyFileSync(path.join(root, LOCK_NAME), path.join(copy, LOCK_NAME));
    expect(await writerOf(nodeDisk, copy)).toBeUndefined();
    expect(await writerOf(nodeDisk, root)).toBe(String(process.pid));

    const second = await lockFolder(nodeDisk, copy, processOwner(copy));
    await second.confirm();
    await first.confirm();
    await expect(lockFolder(nodeDisk, copy, processOwner(copy))).rejects.toThrow(FolderInUse);
  });

  test('[JRN-13] of two starts that take a stale lock at once, the one that loses it stops', async () => {
    const owner = (id: string) => ({ id, isAlive: () => false });
    const slow = await lockFolder(nodeDisk, root, owner('slow'));
    const quick = await lockFolder(nodeDisk, root, owner('quick'));
    await quick.confirm();
    await expect(slow.confirm()).rejects.toThrow(FolderInUse);
    await slow.release();
    await quick.confirm();
  });

  test('[JRN-13] a lock taken by another process after it was found stale is left in place', async () => {
    const lockPath = path.join(root, LOCK_NAME);
    fs.writeFileSync(lockPath, 'gone');
    const owner = (id: string) => ({ id, isAlive: () => false });
    let quick: WriterLock | undefined;
    const meanwhile = async (touched: string): Promise<void> => {
      if (touched === lockPath) quick ??= await lockFolder(nodeDisk, root, owner('quick'));
    };
    const late: Disk = {
      ...nodeDisk,
      remove: async (removed) => {
        await meanwhile(removed);
        await nodeDisk.remove(removed);
      },
      rename: async (from, to) => {
        await meanwhile(from);
        await nodeDisk.rename(from, to);
      },
    };
    await expect(lockFolder(late, root, owner('late'))).rejects.toThrow('in use by process quick');
    await quick!.confirm();
    expect(fs.readdirSync(root)).toEqual([LOCK_NAME]);
  });

  test("[JRN-13] a lock removed as a crash's remains, before its owner was in it, is lost at once", async () => {
    const owner = (id: string) => ({ id, isAlive: () => false });
    let quick: WriterLock | undefined;
    const slow: Disk = {
      ...nodeDisk,
      open: async (opened, mode) => {
        const file = await nodeDisk.open(opened, mode);
        if (mode === 'create') quick = await lockFolder(nodeDisk, root, owner('quick'));
        return file;
      },
    };
    await expect(lockFolder(slow, root, owner('slow'))).rejects.toThrow('in use by process quick');
    await quick!.confirm();
  });
});
