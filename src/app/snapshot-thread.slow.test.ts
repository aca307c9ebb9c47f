import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import type { Sequence } from '../kernel/ids.ts';
import { SnapshotThread } from './snapshot-thread.ts';
import type { SnapshotTask } from './snapshot-worker.ts';

const folder = mkdtempSync(join(tmpdir(), 'rialto-snapshot-thread-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const emptyFolder: SnapshotTask = {
  folder: join(folder, 'empty'),
  upTo: 0 as Sequence,
  neededFrom: 0 as Sequence,
};
const noFolder: SnapshotTask = { ...emptyFolder, folder: join(folder, 'a-file') };
writeFileSync(noFolder.folder, '');

const begun: Worker[] = [];
subscribe('worker_threads', (emitted) =>
  begun.push((emitted as { readonly worker: Worker }).worker),
);

test('[JRN-40] a thread makes the next snapshot too; when idle for long it ends, and another one starts', async () => {
  begun.length = 0;
  const thread = new SnapshotThread(100);
  for (let time = 0; time < 3; time++) expect((await thread.make(emptyFolder)).sequence).toBe(0);
  expect(begun.length).toBe(1);
  await once(begun[0]!, 'exit');
  expect((await thread.make(emptyFolder)).sequence).toBe(0);
  expect(begun.length).toBe(2);
  await thread.end();
});

test('[JRN-40] a thread that is making a snapshot does not end as idle', async () => {
  begun.length = 0;
  const thread = new SnapshotThread(1);
  await thread.make(emptyFolder);
  expect((await thread.make(emptyFolder)).sequence).toBe(0);
  await thread.end();
});

test('[JRN-40] a failed thread reports why and makes no other snapshot; the next has its own thread', async () => {
  begun.length = 0;
  const thread = new SnapshotThread();
  await expect(thread.make(noFolder)).rejects.toThrow('EEXIST');
  expect((await thread.make(emptyFolder)).sequence).toBe(0);
  expect(begun.length).toBe(2);
  await thread.end();
});

test('[RUN-22] a second end of a thread waits until the thread is gone', async () => {
  begun.length = 0;
  const thread = new SnapshotThread();
  await thread.make(emptyFolder);
  void thread.end();
  await thread.end();
  expect(begun.map(({ threadId }) => threadId)).toEqual([-1]);
});

test('[RUN-156] an ended thread makes no snapshot and answers its request', async () => {
  const thread = new SnapshotThread();
  const emitted = expect(thread.make(emptyFolder)).rejects.toThrow('no snapshot');
  await thread.end();
  await emitted;
});
