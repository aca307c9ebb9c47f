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

test('[JRN-40] the next snapshot is made by the thread of the last; after a while without one it is gone, and another one begins', async () => {
  begun.length = 0;
  const thread = new SnapshotThread(100);
  for (let time = 0; time < 3; time++) expect((await thread.make(emptyFolder)).sequence).toBe(0);
  expect(begun.length).toBe(1);
  await once(begun[0]!, 'exit');
  expect((await thread.make(emptyFolder)).sequence).toBe(0);
  expect(begun.length).toBe(2);
  await thread.end();
});

test('[JRN-40] a thread that has the next snapshot to make is not one that waits, however soon its time would be over', async () => {
  begun.length = 0;
  const thread = new SnapshotThread(1);
  await thread.make(emptyFolder);
  expect((await thread.make(emptyFolder)).sequence).toBe(0);
  await thread.end();
});

test('[JRN-40] a thread that has failed tells why and makes no other snapshot; the next one has a thread of its own', async () => {
  begun.length = 0;
  const thread = new SnapshotThread();
  await expect(thread.make(noFolder)).rejects.toThrow('EEXIST');
  expect((await thread.make(emptyFolder)).sequence).toBe(0);
  expect(begun.length).toBe(2);
  await thread.end();
});

test('[RUN-22] whoever ends a thread that is being ended waits until it is gone', async () => {
  begun.length = 0;
  const thread = new SnapshotThread();
  await thread.make(emptyFolder);
  void thread.end();
  await thread.end();
  expect(begun.map(({ threadId }) => threadId)).toEqual([-1]);
});

test('[RUN-156] a thread that is ended makes no snapshot and answers its request', async () => {
  const thread = new SnapshotThread();
  const emitted = expect(thread.make(emptyFolder)).rejects.toThrow('no snapshot');
  await thread.end();
  await emitted;
});
