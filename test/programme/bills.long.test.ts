/** Bills of a program that is killed. After the next start the pages and sums are the same. */
import { afterEach, expect, test } from 'vitest';
import {
  endAll,
  type Server,
  startServer,
  temporaryFolder,
  type UserCredentials,
} from './server.ts';

afterEach(endAll);

type Row = Readonly<Record<string, string>>;
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

const units = (text: string): bigint => {
  const [whole = '0', rest = ''] = text.replace('-', '').split('.');
  const size = BigInt(whole + rest.padEnd(10, '0'));
  return text.startsWith('-') ? -size : size;
};

/** Every page, in the order of a client that follows the cursor. */
async function pagesOf(
  server: Server,
  user: UserCredentials,
): Promise<{ readonly list: readonly Row[]; readonly cursor: string }[]> {
  const pages: { readonly list: readonly Row[]; readonly cursor: string }[] = [];
  for (let cursor = ''; pages.at(-1)?.list.length !== 0; cursor = pages.at(-1)!.cursor) {
    const after = cursor === '' ? '' : `&cursor=${cursor}`;
    const target = `/api/v3/account/financial-records?limit=7${after}`;
    const { code, data } = await server.call<{ list: Row[]; cursor: string }>(user, 'GET', target);
    expect(code).toBe('00000');
    pages.push(data);
  }
  return pages;
}

async function expectTrueSums(server: Server, user: UserCredentials): Promise<void> {
  const sums = new Map<string, bigint>();
  for (const { coin, amount, fee } of (await pagesOf(server, user)).flatMap(({ list }) => list))
    sums.set(coin!, (sums.get(coin!) ?? 0n) + units(amount!) + units(fee!));
  const { data } = await server.call<{ assets: Row[] }>(user, 'GET', '/api/v3/account/assets');
  expect(new Map(data.assets.map(({ coin, balance }) => [coin, units(balance!)]))).toEqual(sums);
}

test('[BILL-150][BILL-03] after a kill and a start they are unchanged and add up to the balance', async () => {
  const folder = temporaryFolder();
  const server = await startServer({ folder });
  const [maker, taker] = [server.user('alice'), server.user('bob')];
  const done = async (user: UserCredentials, path: string, body: object) =>
    expect((await server.call(user, 'POST', path, body)).code).toBe('00000');
  const place = (user: UserCredentials, order: object) =>
    done(user, '/api/v3/trade/place-order', { symbol: 'BTCUSDT', orderType: 'limit', ...order });
  await server.operate('POST', '/operator/v1/prices', [
    { category: 'USDT-FUTURES', symbol: 'BTCUSDT', index: '60000', mark: '60000', force: true },
  ]);
  for (const price of ['60000', '60050', '59990']) {
    for (const category of ['USDT-FUTURES', 'SPOT']) {
      const side = { posSide: 'long' };
      await place(maker, { category, side: 'sell', price, qty: '0.02', posSide: 'short' });
      await place(taker, { category, side: 'buy', price, qty: '0.02', ...side });
    }
  }
  await server.operate('POST', '/operator/v1/clock', { to: 'nextFunding' });
  await server.operate('POST', '/operator/v1/deposits', {
    uid: taker.uid,
    coin: 'USDT',
    size: '123.456',
  });
  await done(taker, '/api/v3/account/withdrawal', {
    coin: 'USDT',
    transferType: 'on_chain',
    chain: 'TRC20',
    address: TRON,
    size: '77.7',
  });
  await server.operate('POST', '/operator/v1/clock', { advanceMs: '61000' });

  const before = [await pagesOf(server, maker), await pagesOf(server, taker)];
  const kinds = new Set(before.flat().flatMap(({ list }) => list.map(({ type }) => type)));
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      'deposit',
      'withdraw',
      'CONTRACT_MAIN_SETTLE_FEE_USER_OUT',
      'ORDER_DEALT_IN',
    ]),
  );
  await server.end('SIGKILL');
  const again = await startServer({ folder });
  expect([await pagesOf(again, maker), await pagesOf(again, taker)]).toEqual(before);
  for (const user of [maker, taker]) await expectTrueSums(again, user);
  await again.end('SIGTERM');
});
