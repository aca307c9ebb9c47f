import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { Proxies } from '../auth/proxies.ts';
import { listen } from '../http/server.ts';
import { Connections, isUnlimited } from './connections.ts';

test('[LIM-10] an address may use a tenth of a port’s connections; loopback has no limit', () => {
  const connections = new Connections();
  const enterOften = (address: string): number =>
    Array.from({ length: 2_000 }, () => connections.enter(address)).filter(Boolean).length;
  expect(['203.0.113.7', '2001:db8::7', '127.0.0.1', '127.8.8.8', '::1'].map(enterOften)).toEqual([
    1_000, 1_000, 2_000, 2_000, 2_000,
  ]);
});

test('[LIM-10] a trusted proxy has no limit, its neighbour has the usual one', () => {
  const connections = new Connections(2, isUnlimited(Proxies.read('10.0.0.1')));
  expect([1, 2, 3].map(() => connections.enter('10.0.0.1'))).toEqual([true, true, true]);
  expect([1, 2, 3].map(() => connections.enter('10.0.0.2'))).toEqual([true, true, false]);
});

test('[LIM-10] an address that closes a connection may open another', () => {
  const connections = new Connections(2);
  expect([1, 2, 3].map(() => connections.enter('203.0.113.7'))).toEqual([true, true, false]);
  connections.leave('203.0.113.7');
  expect([1, 2].map(() => connections.enter('203.0.113.7'))).toEqual([true, false]);
});

test('[LIM-10] a port closes the connection above the limit, and accepts another after one ends', async () => {
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    path: 'direct',
    receive: () => undefined,
    refuseExpectation: () => undefined,
    envelope: () => '{}',
    connections: new Connections(2, () => false),
  });
  const opened = async (): Promise<ReturnType<typeof connect>> => {
    const socket = connect(listener.port, '127.0.0.1').resume();
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  const [first, , third] = [await opened(), await opened(), await opened()];
  await once(third, 'close');
  expect(first.closed).toBe(false);
  first.destroy();
  await new Promise((resolve) => setTimeout(resolve, 100));
  const fourth = await opened();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(fourth.closed).toBe(false);
  await listener.close();
});
