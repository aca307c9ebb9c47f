/** A batch of modifications on the disk: one command for each item, and one wait for all. */
import { afterEach, expect, test } from 'vitest';
import { endAll, type Keys, runVerb, startServer, temporaryFolder } from './server.ts';

afterEach(endAll);

const ITEMS = 20;
const names = Array.from({ length: ITEMS }, (_, at) => `order-${at}`);

/** As `rialto verify` prints it for a journal of one segment. */
async function journalOf(
  folder: string,
): Promise<{ readonly commands: number; readonly batches: number }> {
  const { output } = await runVerb('verify', '--data', folder);
  const [, commands, batches] = /sequences 1 to (\d+) in (\d+) batches/.exec(output)!;
  return { commands: Number(commands), batches: Number(batches) };
}

/** Runs with or without a batch of modifications, and otherwise identically. */
async function journalAfter(
  modifies: boolean,
): Promise<{ readonly commands: number; readonly batches: number }> {
  const folder = temporaryFolder();
  const server = await startServer({ folder });
  await server.operate('POST', '/operator/v1/clock', { frozen: true });
  const { uid } = await server.operate<{ uid: string }>('POST', '/operator/v1/users', {});
  await server.operate('POST', '/operator/v1/deposits', { uid, coin: 'USDT', size: '100000' });
  const user = await server.operate<Keys>('POST', '/operator/v1/keys', { uid });
  const order = {
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    side: 'buy',
    orderType: 'limit',
    price: '50000',
    qty: '0.01',
  };
  const placed = await server.call<readonly { code: string }[]>(
    user,
    'POST',
    '/api/v3/trade/place-batch',
    names.map((clientOid) => ({ ...order, clientOid })),
  );
  expect(placed.data.map(({ code }) => code)).toEqual(names.map(() => '00000'));
  if (modifies) {
    const changes = names.map((clientOid) => ({ clientOid, price: '51000' }));
    const modified = await server.call<readonly { code: string }[]>(
      user,
      'POST',
      '/api/v3/trade/batch-modify-order',
      changes,
    );
    expect(modified.data.map(({ code }) => code)).toEqual(names.map(() => '00000'));
  }
  await server.end('SIGTERM');
  return journalOf(folder);
}

test('[JRN-18][JRN-150] modifications of one call are one command each and become durable together', async () => {
  const [without, together] = [await journalAfter(false), await journalAfter(true)];
  expect(together.commands - without.commands).toBe(ITEMS);
  // The first may already be written when the others arrive. The number of batches of the first
  // start also varies.
  expect(together.batches - without.batches).toBeLessThan(ITEMS / 2);
});
