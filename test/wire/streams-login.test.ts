/** Logins over the streams, and channels behind them. */
import { createSign, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startTestExchange, type TestExchange } from './exchange.ts';
import { type Frame, StreamClient } from './stream-client.ts';

const LOGGED_IN = { event: 'login', code: 0, msg: '' };

let exchange: TestExchange;
let person: Person;
beforeAll(async () => {
  exchange = await startTestExchange();
  person = await exchange.person();
});
afterAll(() => exchange.close());

const seconds = (): number => Math.floor(Date.now() / 1_000);

/** The answer to a login, and the close code if the connection ended. */
async function login(
  changed: Readonly<Record<string, string | number>>,
  who = person,
): Promise<{ readonly answer: Frame; readonly code: number | undefined }> {
  const client = await StreamClient.open(exchange, '/v2/ws/private');
  client.logIn(who, changed);
  const answer = await client.frame();
  const code = answer.event === 'login' ? undefined : (await client.ended).code;
  client.close();
  return { answer, code };
}

test('[STR-10][STR-11] seconds and milliseconds, as text or number, are accepted', async () => {
  for (const timestamp of [String(seconds()), seconds(), String(Date.now()), Date.now()])
    expect(await login({ timestamp })).toEqual({ answer: LOGGED_IN, code: undefined });
});

test('[STR-10] the exchange clock counts as well as the wall clock', async () => {
  const answers = async (timestamp: number) => (await login({ timestamp })).answer.code;
  expect(await answers(seconds() + 29)).toBe(0);
  expect(await answers(seconds() - 32)).toBe(30014);
  exchange.world.wallSkewMs = 3_600_000;
  expect(await answers(seconds())).toBe(30014);
  expect(await answers(seconds() + 3_600)).toBe(0);
  exchange.world.wallSkewMs = 0;
});

test('[STR-10] a key made with an RSA public key signs with RSA', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const owner = await exchange.person({ publicKey: pem });
  const timestamp = String(seconds());
  const sign = createSign('sha256')
    .update(`${timestamp}GET/user/verify`)
    .sign(privateKey, 'base64');
  expect((await login({ timestamp, sign }, owner)).answer).toEqual(LOGGED_IN);
  expect((await login({ timestamp }, owner)).answer.code).toBe(30015);
});

test('[STR-11] a second login of the user is answered as the first, one of another user fails', async () => {
  const client = await StreamClient.open(exchange, '/v3/ws/private');
  client.logIn(person);
  client.logIn(person);
  expect(await client.frames(2)).toEqual([LOGGED_IN, LOGGED_IN]);
  client.logIn(await exchange.person());
  expect(await client.frame()).toMatchObject({ event: 'error', code: 30005 });
  expect(await client.ended).toEqual({ code: 1008, reason: 'another user is logged in' });
});

test('[STR-12] each wrong login has its code, and ends the connection', async () => {
  const cases: readonly (readonly [number, Readonly<Record<string, string | number>>])[] = [
    [30011, { apiKey: '', sign: '' }],
    [30011, { apiKey: 'rk_nothing', timestamp: 1 }],
    [30015, { sign: '', timestamp: 'now' }],
    [30013, { timestamp: 'now', passphrase: '' }],
    [30013, { timestamp: '-1' }],
    [30012, { passphrase: '', timestamp: 1 }],
    [30014, { timestamp: 1, passphrase: 'wrong' }],
    [30012, { passphrase: 'wrong', sign: 'wrong' }],
    [30015, { sign: 'wrong' }],
  ];
  for (const [code, changed] of cases)
    expect([changed, await login(changed)]).toMatchObject([
      changed,
      { answer: { event: 'error', code }, code: 1008 },
    ]);
  const distant = await exchange.person({ addresses: ['203.0.113.7'] });
  expect((await login({}, distant)).answer.code).toBe(30005);
});

test('[STR-12] a login without arguments fails', async () => {
  const client = await StreamClient.open(exchange, '/v2/ws/private');
  client.send({ op: 'login' });
  expect(await client.frame()).toMatchObject({ event: 'error', code: 30005 });
  expect((await client.ended).code).toBe(1008);
});

test('[STR-13] after fifty failed logins in a second, the address gets 30006', async () => {
  const crowded = await startTestExchange();
  crowded.world.standsAt = 1_000_000;
  try {
    const codes = await Promise.all(
      Array.from({ length: 52 }, async () => {
        const client = await StreamClient.open(crowded, '/v2/ws/private');
        client.send({ op: 'login', args: [{ apiKey: 'rk_nothing' }] });
        return (await client.frame()).code;
      }),
    );
    expect(codes.filter((code) => code === 30015)).toHaveLength(50);
    expect(codes.filter((code) => code === 30006)).toHaveLength(2);
  } finally {
    await crowded.close();
  }
});

test('[STR-14] the connections of a revoked key end, those of another key stay', async () => {
  const [revoked, kept] = [await exchange.person(), await exchange.person()];
  const clients = await Promise.all(
    [revoked, kept].map(async (owner) => {
      const client = await StreamClient.open(exchange, '/v2/ws/private');
      client.logIn(owner);
      await client.frame();
      return client;
    }),
  );
  await exchange.submit({ type: 'revokeKey', apiKey: revoked.apiKey });
  expect(await clients[0]!.ended).toEqual({ code: 1008, reason: 'the key was revoked' });
  clients[1]!.send('ping');
  expect(await clients[1]!.text()).toBe('pong');
});
