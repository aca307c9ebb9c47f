import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Timestamp } from '../kernel/time.ts';
import { textFrame } from './frames.ts';
import { type CutReason, Outbox, Outboxes } from './outbox.ts';

const MIB = 1024 * 1024;
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

let now = 0;
const clock = { wall: () => 0 as Timestamp, monotonic: () => now };

/** Both ends of a connection. */
async function pair(): Promise<{ readonly near: Socket; readonly far: Socket }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const far = connect(port, '127.0.0.1');
  const [near] = (await once(server, 'connection')) as [Socket];
  near.on('error', () => undefined);
  far.on('error', () => undefined);
  closing.push(() => {
    near.destroy();
    far.destroy();
    server.close();
  });
  return { near, far };
}

interface Opened {
  readonly outbox: Outbox;
  readonly far: Socket;
  readonly cuts: readonly CutReason[];
}

async function open(all = new Outboxes(clock)): Promise<Opened> {
  const { near, far } = await pair();
  const cuts: CutReason[] = [];
  const outbox = new Outbox(near, all, (reason) => cuts.push(reason));
  return { outbox, far, cuts };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Sends until the other side, which does not read, takes no more. */
async function fill({ outbox }: Opened): Promise<void> {
  while (!outbox.isBehind) {
    outbox.sendSnapshot(Buffer.alloc(MIB));
    await turn();
  }
}

test('[STR-30] frames of one turn are one write, in the order of sending', async () => {
  const { outbox, far } = await open();
  const pieces: string[] = [];
  far.on('data', (piece) => pieces.push(piece.toString()));
  for (const text of ['one', 'two', 'three']) outbox.send(textFrame(text));
  await once(far, 'data');
  expect(pieces).toEqual(['\x81\x03one\x81\x03two\x81\x05three'.replaceAll('\x81', '\ufffd')]);
});

test('[STR-31] above 4 MiB of waiting events a connection is cut, at 4 MiB it is not', async () => {
  const opened = await open();
  await fill(opened);
  opened.outbox.send(Buffer.alloc(4 * MIB));
  expect(opened.cuts).toEqual([]);
  opened.outbox.send(Buffer.alloc(1));
  expect(opened.cuts).toEqual(['bytes']);
});

test('[STR-31] ten seconds without progress cut a connection, a snapshot may take a minute', async () => {
  const opened = await open();
  await fill(opened);
  now += 59_000;
  opened.outbox.check(now);
  expect(opened.cuts).toEqual([]);
  now += 2_000;
  opened.outbox.check(now);
  expect(opened.cuts).toEqual(['age']);

  const later = await open();
  while (!later.outbox.isBehind) {
    later.outbox.send(Buffer.alloc(MIB));
    await turn();
  }
  now += 10_000;
  later.outbox.check(now);
  expect(later.cuts).toEqual([]);
  now += 1;
  later.outbox.check(now);
  expect(later.cuts).toEqual(['age']);
});

test('[STR-32] of a whole state the latest waits, events wait all', async () => {
  const opened = await open();
  const { outbox, far } = opened;
  await fill(opened);
  const before = outbox.pendingBytes;
  const state = {};
  for (const text of ['a1', 'b1', 'a2', 'b2', 'a3'])
    outbox.send(Buffer.from(text), text.startsWith('a') ? state : undefined);
  expect(outbox.pendingBytes).toBe(before + 6);
  let end = '';
  far.on('data', (part) => {
    end = (end + part.toString('latin1')).slice(-6);
  });
  while (!end.endsWith('a3')) await turn();
  expect(end).toBe('b1b2a3');
});

test('[STR-33] when too much waits over all, the largest backlog is cut first', async () => {
  const all = new Outboxes(clock);
  const [small, large] = [await open(all), await open(all)];
  for (const each of [small, large]) await fill(each);
  large.outbox.sendSnapshot(Buffer.alloc(140 * MIB));
  small.outbox.sendSnapshot(Buffer.alloc(100 * MIB));
  expect([small.cuts, large.cuts]).toEqual([[], []]);
  small.outbox.sendSnapshot(Buffer.alloc(16 * MIB));
  expect([small.cuts, large.cuts]).toEqual([[], ['memory']]);
  expect(all.pendingBytes).toBe(small.outbox.pendingBytes);
});

test('[STR-34] snapshots do not count as waiting events', async () => {
  const opened = await open();
  await fill(opened);
  opened.outbox.sendSnapshot(Buffer.alloc(8 * MIB));
  opened.outbox.send(Buffer.alloc(4 * MIB));
  expect(opened.cuts).toEqual([]);
});

test('[STR-32] a push that was replaced leaves no gap in the numbers', async () => {
  const opened = await open();
  const { outbox, far } = opened;
  await fill(opened);
  const state = {};
  outbox.sendNumbered({ open: '{"a":1', userSeq: 4n }, state);
  outbox.sendNumbered({ open: '{"b":1', userSeq: 6n });
  outbox.sendNumbered({ open: '{"a":2', userSeq: 7n }, state);
  let end = '';
  far.on('data', (part) => {
    end = (end + part.toString('latin1')).slice(-200);
  });
  while (!end.endsWith('}')) await turn();
  expect(end).toContain('{"b":1,"userSeq":"6","prevUserSeq":"0"}');
  expect(end).toContain('{"a":2,"userSeq":"7","prevUserSeq":"6"}');
});
