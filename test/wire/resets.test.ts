/** A reset during another operation. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bareAnswer, idleSocket } from './sockets.ts';
import { TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.start();
});
afterAll(() => exchange.stop());

/** An operator call whose body has not arrived. */
async function begun(path: string): Promise<Socket> {
  const { operatorUrl, operatorToken } = exchange.addresses;
  const socket = await idleSocket(Number(new URL(operatorUrl).port));
  const fields = [
    'Host: here',
    `Authorization: Bearer ${operatorToken}`,
    'Content-Type: application/json',
    'Content-Length: 2',
  ];
  socket.write(`POST ${path} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`);
  return socket;
}

async function statusOf(socket: Socket): Promise<number> {
  const [input] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return bareAnswer(input.toString('latin1')).status;
}

test('[OPR-30] of two concurrent resets one succeeds and the other is refused', async () => {
  const sockets = [await begun('/operator/v1/reset'), await begun('/operator/v1/reset')];
  // Both heads are read before either body arrives.
  await pause(100);
  for (const socket of sockets) socket.write('{}');
  expect(new Set(await Promise.all(sockets.map(statusOf)))).toEqual(new Set([200, 503]));
  expect((await exchange.operate('GET', '/operator/v1/health')).data).toMatchObject({
    status: 'serving',
  });
});

test('[OPR-30] an ended run leaves nothing in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const ended = new WeakRef(exchange.laboratory);
  await exchange.operate('POST', '/operator/v1/reset', {});
  // A closing connection, for example, may hold it for a moment.
  for (let look = 0; look < 50 && ended.deref() !== undefined; look++) {
    await pause(100);
    collect();
  }
  expect(ended.deref()).toBeUndefined();
});
