import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AdmissionQueue } from './admission-queue.ts';

/**
 * A queue before a limiter with variable room, and three connections with refused requests: the
 * first has two.
 */
function fullQueue() {
  const limiter = { room: 0 };
  const admissionQueue = new AdmissionQueue(() => limiter.room);
  const [first, second, third] = [new Socket(), new Socket(), new Socket()];
  for (const socket of [first, first, second, third]) {
    expect(admissionQueue.admits(socket)).toBe(false);
    admissionQueue.hold(socket);
  }
  const isRead = () => [first, second, third].map((socket) => !socket.isPaused());
  return { limiter, admissionQueue, first, second, third, isRead };
}

test('[REQ-151] a refused connection is not read while there is no room', async () => {
  const { admissionQueue, isRead } = fullQueue();
  admissionQueue.open();
  await nextTurn();
  expect(isRead()).toEqual([false, false, false]);
});

test('[REQ-152] the longest wait is read first, until half of the room is reserved for held connections', async () => {
  const { limiter, admissionQueue, isRead } = fullQueue();
  limiter.room = 4;
  admissionQueue.open();
  await nextTurn();
  expect(isRead()).toEqual([true, false, false]);
});

test('[REQ-44] reserved slots are closed to other connections for one turn, then free for all', async () => {
  const { limiter, admissionQueue, first } = fullQueue();
  const stranger = new Socket();
  limiter.room = 3;
  admissionQueue.open();
  await nextTurn();
  expect(admissionQueue.admits(stranger)).toBe(true);
  limiter.room--;
  expect(admissionQueue.admits(stranger)).toBe(false);
  expect([admissionQueue.admits(first), admissionQueue.admits(first)]).toEqual([true, true]);
  limiter.room = 1;
  await nextTurn();
  expect(admissionQueue.admits(stranger)).toBe(false);
  await nextTurn();
  await nextTurn();
  expect(admissionQueue.admits(stranger)).toBe(true);
});

test('[REQ-44] a third request of a connection refused twice waits behind the others', async () => {
  const { limiter, admissionQueue, first, isRead } = fullQueue();
  limiter.room = 6;
  admissionQueue.open();
  await nextTurn();
  expect(isRead()).toEqual([true, true, false]);
  limiter.room = 3;
  for (const expected of [true, true, false]) {
    expect(admissionQueue.admits(first)).toBe(expected);
    limiter.room--;
  }
});

test('[REQ-152] an answered connection waits behind the held ones, and is read at once if none are held', async () => {
  const { limiter, admissionQueue, first, isRead } = fullQueue();
  const answered = new Socket();
  admissionQueue.enqueue(answered);
  admissionQueue.enqueue(first);
  expect(answered.isPaused()).toBe(true);
  limiter.room = 8;
  admissionQueue.open();
  await nextTurn();
  expect([...isRead(), !answered.isPaused()]).toEqual([true, true, true, false]);
  await nextTurn();
  expect(answered.isPaused()).toBe(false);
  admissionQueue.enqueue(answered);
  expect(answered.isPaused()).toBe(false);
});

test('[REQ-44] reserved slots add no room, and are free for others once their requests have come', async () => {
  const { limiter, admissionQueue, first } = fullQueue();
  limiter.room = 3;
  admissionQueue.open();
  await nextTurn();
  limiter.room = 0;
  expect(admissionQueue.admits(first)).toBe(false);
  limiter.room = 3;
  expect([admissionQueue.admits(first), admissionQueue.admits(first)]).toEqual([true, true]);
  limiter.room = 1;
  expect(admissionQueue.admits(new Socket())).toBe(true);
});

test('[REQ-44] slots reserved in one turn are not taken from the connections read in the next', async () => {
  const { limiter, admissionQueue, first, second, isRead } = fullQueue();
  limiter.room = 2;
  admissionQueue.open();
  await nextTurn();
  expect(isRead()).toEqual([true, false, false]);
  await nextTurn();
  expect(isRead()).toEqual([true, true, false]);
  limiter.room = 1;
  expect([admissionQueue.admits(first), admissionQueue.admits(second)]).toEqual([false, true]);
});

test('[REQ-44] a closed connection reserves nothing, and an answered one counts as one request', async () => {
  const { limiter, admissionQueue, first, isRead } = fullQueue();
  const answered = [new Socket(), new Socket()];
  for (const socket of answered) admissionQueue.enqueue(socket);
  first.destroy();
  limiter.room = 3;
  admissionQueue.open();
  await nextTurn();
  expect(isRead().slice(1)).toEqual([true, true]);
  limiter.room = 2;
  await nextTurn();
  expect(answered.map((socket) => !socket.isPaused())).toEqual([true, false]);
});

test('[REQ-151] a connection waits for room four seconds at most, a closed one not at all', () => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { admissionQueue, first, second, third, isRead } = fullQueue();
  vi.advanceTimersByTime(3_999);
  expect(isRead()).toEqual([false, false, false]);
  vi.advanceTimersByTime(1);
  expect(isRead()).toEqual([true, true, true]);
  expect(vi.getTimerCount()).toBe(0);

  admissionQueue.hold(third);
  for (const socket of [first, second]) admissionQueue.enqueue(socket);
  expect(isRead()).toEqual([false, false, false]);
  for (const socket of [second, third]) socket.destroy();
  admissionQueue.enqueue(third);
  vi.advanceTimersByTime(250);
  expect(first.isPaused()).toBe(true);
  first.destroy();
  vi.advanceTimersByTime(250);
  const answered = new Socket();
  admissionQueue.enqueue(answered);
  expect(answered.isPaused()).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});
