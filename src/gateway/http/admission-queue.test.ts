import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AdmissionQueue } from './admission-queue.ts';

/**
 * A turnstile before a house with so many free places, and connections whose requests were refused
 * at it: three, the first of them twice.
 */
function fullHouse() {
  const house = { room: 0 };
  const admissionQueue = new AdmissionQueue(() => house.room);
  const [first, second, third] = [new Socket(), new Socket(), new Socket()];
  for (const socket of [first, first, second, third]) {
    expect(admissionQueue.admits(socket)).toBe(false);
    admissionQueue.hold(socket);
  }
  const isRead = () => [first, second, third].map((socket) => !socket.isPaused());
  return { house, admissionQueue, first, second, third, isRead };
}

test('[REQ-151] a refused connection is not read while there is no room', async () => {
  const { admissionQueue, isRead } = fullHouse();
  admissionQueue.open();
  await nextTurn();
  expect(isRead()).toEqual([false, false, false]);
});

test('[REQ-152] the longest wait is read first, until half of the room is for refused requests', async () => {
  const { house, admissionQueue, isRead } = fullHouse();
  house.room = 4;
  admissionQueue.open();
  await nextTurn();
  expect(isRead()).toEqual([true, false, false]);
});

test('[REQ-44] what was free for whoever was read again is not taken by others, and free for all when he does not come', async () => {
  const { house, admissionQueue, first } = fullHouse();
  const stranger = new Socket();
  house.room = 3;
  admissionQueue.open();
  await nextTurn();
  expect(admissionQueue.admits(stranger)).toBe(true);
  house.room--;
  expect(admissionQueue.admits(stranger)).toBe(false);
  expect([admissionQueue.admits(first), admissionQueue.admits(first)]).toEqual([true, true]);
  house.room = 1;
  await nextTurn();
  expect(admissionQueue.admits(stranger)).toBe(false);
  await nextTurn();
  await nextTurn();
  expect(admissionQueue.admits(stranger)).toBe(true);
});

test('[REQ-44] a third request of somebody who was refused twice stands behind the others', async () => {
  const { house, admissionQueue, first, isRead } = fullHouse();
  house.room = 6;
  admissionQueue.open();
  await nextTurn();
  expect(isRead()).toEqual([true, true, false]);
  house.room = 3;
  for (const expected of [true, true, false]) {
    expect(admissionQueue.admits(first)).toBe(expected);
    house.room--;
  }
});

test('[REQ-152] an answered connection waits behind the others, and is read on if none wait', async () => {
  const { house, admissionQueue, first, isRead } = fullHouse();
  const answered = new Socket();
  admissionQueue.enqueue(answered);
  admissionQueue.enqueue(first);
  expect(answered.isPaused()).toBe(true);
  house.room = 8;
  admissionQueue.open();
  await nextTurn();
  expect([...isRead(), !answered.isPaused()]).toEqual([true, true, true, false]);
  await nextTurn();
  expect(answered.isPaused()).toBe(false);
  admissionQueue.enqueue(answered);
  expect(answered.isPaused()).toBe(false);
});

test('[REQ-44] what was kept is no room where there is none any more, and is free for others once whoever it was kept for has come', async () => {
  const { house, admissionQueue, first } = fullHouse();
  house.room = 3;
  admissionQueue.open();
  await nextTurn();
  house.room = 0;
  expect(admissionQueue.admits(first)).toBe(false);
  house.room = 3;
  expect([admissionQueue.admits(first), admissionQueue.admits(first)]).toEqual([true, true]);
  house.room = 1;
  expect(admissionQueue.admits(new Socket())).toBe(true);
});

test('[REQ-44] what was kept for one turn takes nothing from whoever is read in the next', async () => {
  const { house, admissionQueue, first, second, isRead } = fullHouse();
  house.room = 2;
  admissionQueue.open();
  await nextTurn();
  expect(isRead()).toEqual([true, false, false]);
  await nextTurn();
  expect(isRead()).toEqual([true, true, false]);
  house.room = 1;
  expect([admissionQueue.admits(first), admissionQueue.admits(second)]).toEqual([false, true]);
});

test('[REQ-44] nothing is kept for whoever has gone away, and whoever was answered counts as one', async () => {
  const { house, admissionQueue, first, isRead } = fullHouse();
  const answered = [new Socket(), new Socket()];
  for (const socket of answered) admissionQueue.enqueue(socket);
  first.destroy();
  house.room = 3;
  admissionQueue.open();
  await nextTurn();
  expect(isRead().slice(1)).toEqual([true, true]);
  house.room = 2;
  await nextTurn();
  expect(answered.map((socket) => !socket.isPaused())).toEqual([true, false]);
});

test('[REQ-151] a connection waits for room at most four seconds, a closed one not at all', () => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { admissionQueue, first, second, third, isRead } = fullHouse();
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
