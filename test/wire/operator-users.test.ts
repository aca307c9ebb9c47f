import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorEndpoints } from '../../src/contract/endpoints.ts';
import type { ShownCredentials } from '../../src/gateway/auth/credentials.ts';
import { ADDRESSES_PER_KEY_MAX } from '../../src/messages/bounds.ts';
import { PERMISSIONS } from '../../src/messages/vocabulary.ts';
import { call, operate, startTestExchange, type TestExchange } from './exchange.ts';

let exchange: TestExchange;

beforeAll(async () => {
  exchange = await startTestExchange({ limits: false });
});

afterAll(() => exchange.close());

describe('users and keys', () => {
  test('[OPR-04] a user is created and shown', async () => {
    const made = await operate(exchange, 'POST', '/operator/v1/users', {
      name: 'Erin',
      email: 'erin@example.org',
      level: 'vip3',
      holdMode: 'hedge_mode',
    });
    const { uid } = made.data as { uid: string };
    expect(uid).toMatch(/^\d{10}$/);
    const shown = await operate(exchange, 'GET', `/operator/v1/users/${uid}`);
    expect(shown.data).toMatchObject({
      uid,
      name: 'Erin',
      email: 'erin@example.org',
      mobile: null,
      level: 'VIP3',
      parentUid: null,
      settings: { holdMode: 'hedge_mode' },
      balances: [],
    });
    expect(await operate(exchange, 'GET', '/operator/v1/users/9999999999')).toMatchObject({
      status: 400,
      code: '40034',
      data: null,
    });
    expect(await operate(exchange, 'GET', '/operator/v1/users/abc')).toMatchObject({
      code: '40020',
    });
    expect(await operate(exchange, 'GET', '/operator/v1/users/9007199254740991')).toMatchObject({
      code: '40034',
    });
    for (const beyond of ['9007199254740992', '9007199254740993', '9999999999999999']) {
      expect(await operate(exchange, 'GET', `/operator/v1/users/${beyond}`)).toMatchObject({
        code: '40020',
      });
      const answer = await operate(exchange, 'POST', '/operator/v1/deposits', {
        uid: beyond,
        coin: 'USDT',
        size: '1',
      });
      expect(answer).toMatchObject({
        status: 400,
        code: '40020',
        msg: expect.stringContaining('uid'),
      });
    }
  });

  test('[AGT-36] a new user with an unknown referral code is refused', async () => {
    const answer = await operate(exchange, 'POST', '/operator/v1/users', {
      name: 'nina',
      referralCode: 'UNKNOWN',
    });
    expect(answer).toMatchObject({
      status: 400,
      code: '40020',
      msg: 'Parameter referralCode error: no agent has the code UNKNOWN',
    });
  });

  test('[OPR-45] users are listed newest first, by name and in pages', async () => {
    const uids: string[] = [];
    for (const name of ['Same', 'Other', 'Same']) {
      const { data } = await operate(exchange, 'POST', '/operator/v1/users', { name });
      uids.push((data as { uid: string }).uid);
    }
    const [first, other, last] = uids as [string, string, string];
    const listed = async (query: string): Promise<unknown> => {
      const { data } = await operate(exchange, 'GET', `/operator/v1/users?${query}`);
      return (data as readonly { uid: string }[]).map(({ uid }) => uid);
    };
    expect(await listed('limit=3')).toEqual([last, other, first]);
    expect(await listed(`limit=1&uidLessThan=${last}`)).toEqual([other]);
    expect(await listed('name=Same')).toEqual([last, first]);
    expect(await listed(`name=Same&uidLessThan=${last}`)).toEqual([first]);
    expect(await listed('name=same')).toEqual([]);
    const { data } = await operate(exchange, 'GET', '/operator/v1/users?name=Other');
    expect(data).toEqual([{ uid: other, name: 'Other', level: 'VIP0', parentUid: null }]);
    expect(await operate(exchange, 'GET', '/operator/v1/users?limit=1001')).toMatchObject({
      code: expect.not.stringMatching('00000'),
    });
    expect((await operate(exchange, 'GET', '/operator/v1/users?limit=1000')).code).toBe('00000');
  });

  test('[OPR-04][ACC-06] a sub-account shows its master, to the operator and to itself', async () => {
    const master = await exchange.person();
    const made = await operate(exchange, 'POST', '/operator/v1/users', {
      parentUid: String(master.uid),
    });
    const { uid } = made.data as { uid: string };
    expect((await operate(exchange, 'GET', `/operator/v1/users/${uid}`)).data).toMatchObject({
      uid,
      parentUid: String(master.uid),
    });
    const key = (await operate(exchange, 'POST', '/operator/v1/keys', { uid }))
      .data as ShownCredentials;
    for (const path of ['/api/v3/account/info', '/api/v2/spot/account/info'])
      expect((await call(exchange, key, 'GET', path)).data).toMatchObject({
        userId: uid,
        parentId: String(master.uid),
      });
  });

  test('[OPR-05] a key is created, works, and has every permission by default', async () => {
    const { uid } = await exchange.person();
    const made = await operate(exchange, 'POST', '/operator/v1/keys', { uid: String(uid) });
    const shown = made.data as { apiKey: string; secretKey: string; passphrase: string };
    expect(Object.keys(shown)).toEqual(['apiKey', 'secretKey', 'passphrase']);
    expect(await call(exchange, shown, 'GET', '/api/v3/account/settings')).toMatchObject({
      code: '00000',
      data: { uid: String(uid) },
    });
    expect(exchange.views.keys.find(shown.apiKey)?.permissions).toEqual(PERMISSIONS);
  });

  test('[OPR-05][OPR-150] a key has what was requested; a bad address or public key is refused', async () => {
    const { uid } = await exchange.person();
    const ask = (more: object) =>
      operate(exchange, 'POST', '/operator/v1/keys', { uid: String(uid), ...more });
    const made = await ask({ permissions: ['copy.read'], ips: ['::ffff:10.0.0.1', '2001:DB8::1'] });
    expect(exchange.views.keys.find((made.data as { apiKey: string }).apiKey)).toMatchObject({
      permissions: ['copy.read'],
      addresses: ['10.0.0.1', '2001:db8::1'],
    });
    const address = await ask({ ips: ['10.0.0.1', 'localhost'] });
    expect(address).toMatchObject({ status: 400, code: '40020' });
    expect(address.msg).toContain('ips[1]');
    const zone = await ask({ ips: ['::1%eth0'] });
    expect(zone).toMatchObject({
      status: 400,
      code: '40020',
      msg: expect.stringContaining('ips[0]'),
    });
    const addresses = Array.from({ length: ADDRESSES_PER_KEY_MAX + 1 }, (_, at) => `10.0.0.${at}`);
    expect(await ask({ ips: addresses.slice(1) })).toMatchObject({ code: '00000' });
    expect(await ask({ ips: addresses })).toMatchObject({
      code: '40058',
      msg: expect.stringContaining('ips'),
    });
    expect(operatorEndpoints.createKey.request.fields.ips?.schema.maxItems).toBe(
      ADDRESSES_PER_KEY_MAX,
    );
    expect(await ask({ publicKey: 'junk' })).toMatchObject({ code: '40020' });
    expect(await ask({ permissions: ['all'] })).toMatchObject({ code: '40020' });
    expect(await ask({ uid: '9999999999' })).toMatchObject({ status: 400 });
  });

  test('[OPR-05] an empty list of addresses is refused, and does not mean all', async () => {
    const { uid } = await exchange.person();
    const keys = exchange.views.keys.count();
    const answer = await operate(exchange, 'POST', '/operator/v1/keys', {
      uid: String(uid),
      ips: [],
    });
    expect(answer).toMatchObject({
      status: 400,
      code: '40019',
      msg: expect.stringContaining('ips'),
    });
    expect(exchange.views.keys.count()).toBe(keys);
  });

  test('[OPR-06] a key is revoked once', async () => {
    const { apiKey } = await exchange.person();
    expect(await operate(exchange, 'DELETE', `/operator/v1/keys/${apiKey}`)).toMatchObject({
      status: 200,
      data: null,
    });
    expect(await operate(exchange, 'DELETE', `/operator/v1/keys/${apiKey}`)).toMatchObject({
      status: 400,
      code: '40041',
    });
  });
});
