import { createSign, generateKeyPairSync } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  type CallOptions,
  call,
  operate,
  type Person,
  signedHeaders,
  startTestExchange,
  type TestExchange,
} from './exchange.ts';
import { bareAnswer, converse } from './sockets.ts';

const PATH = '/api/v3/account/settings';
let exchange: TestExchange;
let alice: Person;

beforeAll(async () => {
  exchange = await startTestExchange({ limits: false });
  alice = await exchange.person();
});
afterAll(() => exchange.close());

const get = (options: CallOptions = {}, person: Person = alice): Promise<Answer> =>
  call(exchange, person, 'GET', PATH, options);

/** One fault of each kind, in the order of the checks, as it appears in a request. */
const faults: readonly {
  code: string;
  status: number;
  spoil: (options: CallOptions) => CallOptions;
}[] = [
  {
    code: '40001',
    status: 400,
    spoil: (o) => ({ ...o, without: [...(o.without ?? []), 'ACCESS-KEY'] }),
  },
  {
    code: '40002',
    status: 400,
    spoil: (o) => ({ ...o, without: [...(o.without ?? []), 'ACCESS-SIGN'] }),
  },
  {
    code: '40005',
    status: 400,
    spoil: (o) => ({ ...o, without: [...(o.without ?? []), 'ACCESS-TIMESTAMP'] }),
  },
  {
    code: '40011',
    status: 400,
    spoil: (o) => ({ ...o, without: [...(o.without ?? []), 'ACCESS-PASSPHRASE'] }),
  },
  {
    code: '40037',
    status: 400,
    spoil: (o) => ({ ...o, headers: { ...o.headers, 'ACCESS-KEY': 'rk_unknown' } }),
  },
  { code: '40008', status: 400, spoil: (o) => ({ ...o, timestamp: Date.now() - 31_000 }) },
  {
    code: '40012',
    status: 400,
    spoil: (o) => ({ ...o, headers: { ...o.headers, 'ACCESS-PASSPHRASE': 'wrong' } }),
  },
  {
    code: '40009',
    status: 400,
    spoil: (o) => ({ ...o, headers: { ...o.headers, 'ACCESS-SIGN': `${'A'.repeat(43)}=` } }),
  },
];

describe('the order of checks', () => {
  test('[AUTH-03] a request without a fault is answered', async () => {
    expect(await get()).toMatchObject({
      status: 200,
      code: '00000',
      data: { uid: String(alice.uid) },
    });
  });

  test.each(faults)(
    '[AUTH-03][AUTH-150] $code is reported if it is the only fault',
    async ({ code, status, spoil }) => {
      expect(await get(spoil({}))).toMatchObject({ code, status, data: null });
    },
  );

  const pairs = faults.flatMap((first, at) =>
    faults
      .slice(at + 1)
      .map((second) => ({ first, second, pair: `${first.code} before ${second.code}` })),
  );
  test.each(pairs)(
    '[AUTH-03][AUTH-150] of two faults the earlier is reported: $pair',
    async ({ first, second }) => {
      // The later fault is made first, so that the earlier one can remove a header again.
      expect(await get(first.spoil(second.spoil({})))).toMatchObject({ code: first.code });
    },
  );

  test('[AUTH-150] the address is checked before the permission', async () => {
    const elsewhere = await exchange.person({
      addresses: ['10.1.2.3'],
      permissions: ['copy.read'],
    });
    const here = await exchange.person({ addresses: ['127.0.0.1'], permissions: ['copy.read'] });
    expect(
      await get({ headers: { 'ACCESS-SIGN': `${'A'.repeat(43)}=` } }, elsewhere),
    ).toMatchObject({ code: '40009' });
    expect(await get({}, elsewhere)).toMatchObject({ code: '40038', status: 403 });
    expect(await get({}, here)).toMatchObject({ code: '40014', status: 403 });
  });

  test.each(['ACCESS-KEY', 'ACCESS-SIGN', 'ACCESS-TIMESTAMP', 'ACCESS-PASSPHRASE'])(
    '[AUTH-03] an empty %s counts as missing',
    async (name) => {
      const missing = {
        'ACCESS-KEY': '40001',
        'ACCESS-SIGN': '40002',
        'ACCESS-TIMESTAMP': '40005',
        'ACCESS-PASSPHRASE': '40011',
      };
      expect(await get({ headers: { [name]: '' } })).toMatchObject({
        code: missing[name as keyof typeof missing],
      });
    },
  );

  test.each(['abc', '1.5', '1e12', '0x10', '12 34'])(
    '[AUTH-03] the timestamp %j is not a whole number',
    async (timestamp) => {
      expect(await get({ timestamp })).toMatchObject({ code: '40005' });
    },
  );

  test.each(['-1', '0', '17890000000000000000', '9'.repeat(65)])(
    '[AUTH-03] the timestamp %j is a whole number out of range',
    async (timestamp) => {
      expect(await get({ timestamp })).toMatchObject({ code: '40008' });
    },
  );

  test('[AUTH-03] a value with a comma counts as given once', async () => {
    expect(await get({ headers: { 'ACCESS-PASSPHRASE': 'one,two' } })).toMatchObject({
      code: '40012',
    });
  });

  test.each(['ACCESS-KEY', 'ACCESS-SIGN', 'ACCESS-TIMESTAMP', 'ACCESS-PASSPHRASE'])(
    '[AUTH-03] %s given twice is refused before all other checks',
    async (name) => {
      const headers = signedHeaders(alice, 'GET', PATH);
      const lines = [
        `GET ${PATH} HTTP/1.1`,
        'Host: x',
        ...Object.entries(headers).map(([key, value]) => `${key}: ${value}`),
        `${name.toLowerCase()}: ${headers[name]}`,
        'Connection: close',
      ];
      const text = `${lines.join('\r\n')}\r\n\r\n`;
      const { status, body } = bareAnswer(await converse(exchange.port, text));
      expect(status).toBe(400);
      expect(JSON.parse(body)).toMatchObject({ code: '40017', data: null });
    },
  );
});

describe('time', () => {
  test('[AUTH-04] 30 seconds are accepted, one millisecond more is refused', async () => {
    for (const offset of [-29_000, 29_000])
      expect(await get({ timestamp: Date.now() + offset })).toMatchObject({ code: '00000' });
    for (const offset of [-30_500, 31_000])
      expect(await get({ timestamp: Date.now() + offset })).toMatchObject({ code: '40008' });
  });

  test('[AUTH-04] after the exchange clock is moved, both times are accepted and nothing between them', async () => {
    const moved = await startTestExchange({ limits: false });
    const person = await moved.person();
    await operate(moved, 'POST', '/operator/v1/clock', { advanceMs: '86400000' });
    const at = (timestamp: number): Promise<Answer> =>
      call(moved, person, 'GET', PATH, { timestamp });
    expect(await at(Date.now())).toMatchObject({ code: '00000' });
    expect(await at(moved.exchangeNow())).toMatchObject({ code: '00000' });
    expect(await at(Date.now() + 43_200_000)).toMatchObject({ code: '40008' });
    await moved.close();
  });
});

describe('the signature', () => {
  test('[AUTH-01] a POST signs its body', async () => {
    const body = JSON.stringify({ category: 'USDT-FUTURES', symbol: 'BTCUSDT', leverage: '20' });
    expect(
      await call(exchange, alice, 'POST', '/api/v3/account/set-leverage', { body }),
    ).toMatchObject({ code: '00000', data: 'success' });
  });

  test('[AUTH-07] a body or query that differs from the signed one is refused', async () => {
    const headers = signedHeaders(alice, 'POST', '/api/v3/account/set-leverage', {
      body: '{"leverage":"20"}',
    });
    const changed = await fetch(`${exchange.url}/api/v3/account/set-leverage`, {
      method: 'POST',
      headers,
      body: '{"leverage":"21"}',
    });
    expect(await changed.json()).toMatchObject({ code: '40009' });
    expect(await get({ query: 'a=2', signedQuery: 'a=1' })).toMatchObject({ code: '40009' });
  });

  test('[AUTH-01][AUTH-02] a query may be signed encoded or decoded', async () => {
    const query = 'coin=USDT&note=a%20b%23c%2Bd%E4%B8%AD';
    for (const signedQuery of [query, 'coin=USDT&note=a b#c+d中']) {
      const headers = signedHeaders(alice, 'GET', '/api/v3/account/assets', { query, signedQuery });
      expect(
        await (await fetch(`${exchange.url}/api/v3/account/assets?${query}`, { headers })).json(),
      ).toMatchObject({ code: '00000' });
    }
  });

  test('[AUTH-05] a key with a public key accepts RSA signatures only', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const person = await exchange.person({
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    });
    expect(person.secretKey).toBe('');
    const timestamp = Date.now();
    const signature = createSign('sha256')
      .update(`${timestamp}GET${PATH}`)
      .sign(privateKey, 'base64');
    expect(await get({ timestamp, headers: { 'ACCESS-SIGN': signature } }, person)).toMatchObject({
      code: '00000',
    });
    expect(await get({}, person)).toMatchObject({ code: '40009' });
  });

  test('[AUTH-06] a hexadecimal signature is refused', async () => {
    const headers = signedHeaders(alice, 'GET', PATH);
    const spelled = Buffer.from(headers['ACCESS-SIGN'] ?? '', 'base64').toString('hex');
    expect(await get({ headers: { 'ACCESS-SIGN': spelled } })).toMatchObject({ code: '40009' });
  });
});

describe('keys', () => {
  test('[AUTH-10] a key with an address list accepts that address in any notation', async () => {
    expect(
      await get({}, await exchange.person({ addresses: ['10.0.0.1', '127.0.0.1'] })),
    ).toMatchObject({ code: '00000' });
    expect(await get({}, await exchange.person({ addresses: ['::ffff:127.0.0.1'] }))).toMatchObject(
      { code: '00000' },
    );
    expect(await get({}, await exchange.person({ addresses: ['127.0.0.2', '::1'] }))).toMatchObject(
      { code: '40038', status: 403 },
    );
  });

  test('[AUTH-10] a socket of both families knows an IPv4 caller by its IPv4 address', async () => {
    const both = await startTestExchange({ limits: false, host: '::' });
    const person = await both.person({ addresses: ['127.0.0.1'] });
    expect(await call(both, person, 'GET', PATH)).toMatchObject({ code: '00000' });
    const headers = signedHeaders(person, 'GET', PATH);
    const status = await new Promise((resolve) => {
      httpRequest({ host: '::1', port: both.port, path: PATH, headers }, (response) =>
        resolve(response.statusCode),
      ).end();
    });
    expect(status).toBe(403);
    await both.close();
  });

  test('[AUTH-11] write includes read but not the reverse; the error names the missing permission', async () => {
    const reader = await exchange.person({ permissions: ['uta_mgt.read'] });
    const writer = await exchange.person({ permissions: ['uta_mgt.write'] });
    const set = (person: Person): Promise<Answer> =>
      call(exchange, person, 'POST', '/api/v3/account/set-hold-mode', {
        body: '{"holdMode":"one_way_mode"}',
      });
    expect(await get({}, reader)).toMatchObject({ code: '00000' });
    expect(await get({}, writer)).toMatchObject({ code: '00000' });
    expect(await set(writer)).toMatchObject({ code: '00000' });
    const refused = await set(reader);
    expect(refused).toMatchObject({ code: '40014', status: 403 });
    expect(refused.msg).toContain('uta_mgt.write');
    expect(
      await call(exchange, writer, 'GET', '/api/v3/trade/order-info', { query: 'clientOid=a' }),
    ).toMatchObject({ code: '40014' });
  });

  test('[AUTH-12] public endpoints accept calls with a good, a bad or no signature', async () => {
    const path = '/api/v2/public/time';
    for (const headers of [
      {},
      signedHeaders(alice, 'GET', path),
      { 'ACCESS-KEY': 'junk', 'ACCESS-SIGN': 'junk' },
    ]) {
      expect(await (await fetch(`${exchange.url}${path}`, { headers })).json()).toMatchObject({
        code: '00000',
      });
    }
  });

  test('[AUTH-13] a revoked key is refused at once', async () => {
    const person = await exchange.person();
    expect(await get({}, person)).toMatchObject({ code: '00000' });
    expect(await operate(exchange, 'DELETE', `/operator/v1/keys/${person.apiKey}`)).toMatchObject({
      code: '00000',
      data: null,
    });
    expect(await get({}, person)).toMatchObject({ code: '40037' });
  });

  test('[AUTH-14] a key reads its own user, even if the request names another uid', async () => {
    const bob = await exchange.person({ usdt: '5' });
    const answer = await call(exchange, alice, 'GET', '/api/v3/account/assets', {
      query: `uid=${bob.uid}`,
    });
    expect(answer).toMatchObject({ code: '00000', data: { accountEquity: '0', assets: [] } });
  });
});

describe('secrets', () => {
  test('[AUTH-22] events, state and operator answers contain no secret and no passphrase', async () => {
    const person = await exchange.person();
    const key = exchange.views.keys.find(person.apiKey);
    const state = Buffer.from(exchange.engine.serialize()).toString('latin1');
    const shown = JSON.stringify(
      await operate(exchange, 'GET', `/operator/v1/users/${person.uid}`),
    );
    for (const text of [JSON.stringify(key), state, shown, exchange.logged.join('')]) {
      expect(text).not.toContain(person.secretKey);
      expect(text).not.toContain(person.passphrase);
    }
    expect(state).toContain(person.apiKey);
  });

  test('[AUTH-23] an unknown key costs about as much as a wrong signature', async () => {
    const time = async (options: CallOptions): Promise<number> => {
      const since = performance.now();
      for (let at = 0; at < 150; at++) await get(options);
      return performance.now() - since;
    };
    const [unknown, wrong] = [
      { headers: { 'ACCESS-KEY': 'rk_unknown' } },
      { headers: { 'ACCESS-SIGN': `${'A'.repeat(43)}=` } },
    ];
    await time(unknown);
    const ratios: number[] = [];
    for (let round = 0; round < 5; round++)
      ratios.push((await time(unknown)) / (await time(wrong)));
    const median = ratios.sort((left, right) => left - right)[2] ?? 0;
    expect(median).toBeGreaterThan(0.5);
    expect(median).toBeLessThan(2);
  });
});
