/** Copy trading of the demo world in a real process that is killed while it mirrors an order. */
import { afterEach, expect, test } from 'vitest';
import {
  endAll,
  type Server,
  startServer,
  temporaryFolder,
  type UserCredentials,
} from './server.ts';

afterEach(endAll);

const category = 'USDT-FUTURES';
const symbol = 'BTCUSDT';
/** Enough followers that mirroring takes several slices. */
const FOLLOWERS = 120;

type Row = Readonly<Record<string, string>>;

async function order(server: Server, user: UserCredentials, order: Row): Promise<void> {
  const answer = await server.call(user, 'POST', '/api/v3/trade/place-order', {
    category,
    symbol,
    ...order,
  });
  expect([answer.code, answer.msg]).toEqual(['00000', 'success']);
}

const uncopied = (server: Server): Promise<readonly unknown[]> =>
  server.operate('GET', '/operator/v1/uncopied-orders');

async function follower(server: Server, leader: string): Promise<UserCredentials> {
  const { uid } = await server.operate<{ uid: string }>('POST', '/operator/v1/users', {
    holdMode: 'hedge_mode',
  });
  await server.operate('POST', '/operator/v1/deposits', { uid, coin: 'USDT', size: '1000' });
  const key = await server.operate<Omit<UserCredentials, 'name' | 'uid'>>(
    'POST',
    '/operator/v1/keys',
    { uid },
  );
  const user = { name: uid, uid, ...key };
  const setting = {
    symbol,
    productType: category,
    marginType: 'trader',
    leverType: 'trader',
    traceType: 'percent',
    traceValue: '0.1',
  };
  const followed = await server.call(user, 'POST', '/api/v2/copy/mix-follower/settings', {
    traderId: leader,
    settings: [setting],
  });
  expect(followed.data).toBe('success');
  return user;
}

test('[CPY-58] after a kill during mirroring, the next start mirrors the rest, each follower once', async () => {
  const folder = temporaryFolder();
  const flags = ['--limits', 'off', '--market', 'off'];
  const server = await startServer({ folder, flags });
  const [alice, dave] = [server.user('alice'), server.user('dave')];
  const followers: UserCredentials[] = [];
  for (let count = 0; count < FOLLOWERS; count++) followers.push(await follower(server, alice.uid));
  const { data: ticker } = await server.call(
    dave,
    'GET',
    `/api/v2/mix/market/symbol-price?productType=${category}&symbol=${symbol}`,
  );
  const price = (ticker as readonly Row[])[0]!.markPrice!;
  await order(server, dave, {
    side: 'sell',
    orderType: 'limit',
    price: String(Math.round(Number(price))),
    qty: '2',
  });
  await order(server, alice, { side: 'buy', posSide: 'long', orderType: 'market', qty: '0.1' });
  await server.end('SIGKILL');

  const again = await startServer({ folder, flags });
  const audit = await again.operate<{ ok: boolean; violations: readonly string[] }>(
    'GET',
    '/operator/v1/audit',
  );
  expect(audit).toMatchObject({ ok: true, violations: [] });
  const sizes = async (): Promise<string[]> => {
    const held: string[] = [];
    for (const user of followers) {
      const { data } = await again.call(
        user,
        'GET',
        `/api/v2/copy/mix-follower/query-current-orders?productType=${category}`,
      );
      held.push((data as readonly Row[]).map(({ openSize }) => openSize).join());
    }
    return held;
  };
  await expect.poll(sizes, { timeout: 20_000 }).toEqual(followers.map(() => '0.01'));
  expect(await uncopied(again)).toEqual([]);
  const { data } = await again.call(
    alice,
    'GET',
    `/api/v2/copy/mix-trader/order-current-track?productType=${category}`,
  );
  // These followers, and bob of the demo world.
  expect(
    (data as { trackingList: readonly Row[] }).trackingList.map(({ followCount }) => followCount),
  ).toEqual([String(FOLLOWERS + 1)]);
  await again.end('SIGTERM');
});
