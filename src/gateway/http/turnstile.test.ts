import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turnstile } from './turnstile.ts';

/** A turnstile before a house with so many free places, and connections whose requests were refused at it: three, the first of them twice. */
function fullHouse() {
  const house = { room: 0 };
  const turnstile = new Turnstile(() => house.room);
  const [first, second, third] = [new Socket(), new Socket(), new Socket()];
  for (const socket of [first, first, second, third]) {
    expect(turnstile.admits(socket)).toBe(false);
    turnstile.hold(socket);
  }
  const isRead = () => [first, second, third].map((socket) => !socket.isPaused());
  return { house, turnstile, first, second, third, isRead };
}

test('[REQ-44] nobody who was refused is read while there is no room', async () => {
  const { turnstile, isRead } = fullHouse();
  turnstile.open();
  await nextTurn();
  expect(isRead()).toEqual([false, false, false]);
});

test('[REQ-44] whoever has waited longest is read first, until half of the room is for what was refused of them', async () => {
  const { house, turnstile, isRead } = fullHouse();
  house.room = 4;
  turnstile.open();
  await nextTurn();
  expect(isRead()).toEqual([true, false, false]);
});

test('[REQ-44] what was free for whoever was read again is not taken by others, and free for all when he does not come', async () => {
  const { house, turnstile, first } = fullHouse();
  const stranger = new Socket();
  house.room = 3;
  turnstile.open();
  await nextTurn();
  expect(turnstile.admits(stranger)).toBe(true);
  house.room--;
  expect(turnstile.admits(stranger)).toBe(false);
  expect([turnstile.admits(first), turnstile.admits(first)]).toEqual([true, true]);
  house.room = 1;
  await nextTurn();
  expect(turnstile.admits(stranger)).toBe(false);
  await nextTurn();
  await nextTurn();
  expect(turnstile.admits(stranger)).toBe(true);
});

test('[REQ-44] a third request of somebody who was refused twice stands behind the others', async () => {
  const { house, turnstile, first, isRead } = fullHouse();
  house.room = 6;
  turnstile.open();
  await nextTurn();
  expect(isRead()).toEqual([true, true, false]);
  house.room = 3;
  for (const expected of [true, true, false]) {
    expect(turnstile.admits(first)).toBe(expected);
    house.room--;
  }
});

test('[REQ-44] whoever was answered stands behind those who wait, and where nobody waits he is read on', async () => {
  const { house, turnstile, first, isRead } = fullHouse();
  const answered = new Socket();
  turnstile.lineUp(answered);
  turnstile.lineUp(first);
  expect(answered.isPaused()).toBe(true);
  house.room = 8;
  turnstile.open();
  await nextTurn();
  expect([...isRead(), !answered.isPaused()]).toEqual([true, true, true, false]);
  await nextTurn();
  expect(answered.isPaused()).toBe(false);
  turnstile.lineUp(answered);
  expect(answered.isPaused()).toBe(false);
});
