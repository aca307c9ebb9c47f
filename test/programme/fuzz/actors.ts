/**
 * Callers: users with money and keys of every kind, and the matrix that calls every endpoint as
 * each of them.
 */
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import type { Random } from '../../../src/kernel/random.ts';
import type { Server } from '../server.ts';
import {
  type FuzzRequest,
  type Keys,
  messageBytes,
  operatorCall,
  operatorRows,
  publicRows,
  sayTo,
  signedCall,
} from './requests.ts';
import type { Known } from './values.ts';

export interface Trader extends Keys {
  readonly uid: string;
}

export interface Actors {
  readonly traders: readonly Trader[];
  /** One may read only lists of agents, the other only copy trading. */
  readonly narrow: Keys;
  readonly otherNarrow: Keys;
  readonly revoked: Keys;
  /** Its key is valid from another address only. */
  readonly elsewhere: Keys;
  readonly operatorToken: string;
}

const TRADERS = 6;
const DEPOSITS = { USDT: '10000000', USDC: '1000000', BTC: '100', ETH: '1000' } as const;
const INDEX_PRICES = [
  ['BTCUSDT', '60000'],
  ['ETHUSDT', '3000'],
  ['SOLUSDT', '150'],
] as const;

const makeKey = (server: Server, uid: string, request: object = {}): Promise<Keys> =>
  server.operate('POST', '/operator/v1/keys', { uid, ...request });

async function makeTrader(server: Server, holdMode: string): Promise<Trader> {
  const { uid } = await server.operate<{ uid: string }>('POST', '/operator/v1/users', { holdMode });
  for (const [coin, size] of Object.entries(DEPOSITS))
    await server.operate('POST', '/operator/v1/deposits', { uid, coin, size });
  return { uid, ...(await makeKey(server, uid)) };
}

export async function prepareActors(server: Server): Promise<Actors> {
  for (const [symbol, index] of INDEX_PRICES)
    await server.operate('POST', '/operator/v1/prices', [
      { category: 'USDT-FUTURES', symbol, index, force: true },
    ]);
  const traders: Trader[] = [];
  for (let at = 0; at < TRADERS; at++)
    traders.push(await makeTrader(server, at % 3 === 2 ? 'hedge_mode' : 'one_way_mode'));
  const { uid } = traders[0]!;
  const revoked = await makeKey(server, uid);
  await server.operate('DELETE', `/operator/v1/keys/${revoked.apiKey}`);
  return {
    traders,
    revoked,
    narrow: await makeKey(server, uid, { permissions: ['broker.read'] }),
    otherNarrow: await makeKey(server, uid, { permissions: ['copy.read'] }),
    elsewhere: await makeKey(server, uid, { ips: ['10.1.2.3'] }),
    operatorToken: server.credentials.operatorToken,
  };
}

/**
 * Calls of the operator plane with its token on the public port, and public calls with a key on the
 * operator port.
 */
const onWrongPort = (request: FuzzRequest): FuzzRequest => ({
  ...request,
  surface: request.surface === 'public' ? 'operator' : 'public',
  row: undefined,
  codes: ['40404'],
});

function publicCalls(
  row: Endpoint,
  actors: Actors,
  random: Random,
  known: Known,
): readonly FuzzRequest[] {
  const input = () => sayTo(row, 'right', random, known);
  const owner = signedCall('actor: owner', row, actors.traders[0]!, input());
  const wrongPort = onWrongPort({ ...owner, kind: 'actor: a key on the operator port' });
  if (row.access === 'anybody') return [owner, wrongPort];
  const { target, body } = input();
  const withToken = messageBytes({
    method: row.method,
    target,
    headers: [
      ['authorization', `Bearer ${actors.operatorToken}`],
      ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
    ],
    body: body === undefined ? undefined : Buffer.from(body),
  });
  return [
    owner,
    signedCall('actor: another user', row, actors.traders[1]!, input()),
    signedCall(
      'actor: no permission',
      row,
      row.access.startsWith('broker') ? actors.otherNarrow : actors.narrow,
      input(),
      ['40014'],
    ),
    signedCall('actor: revoked', row, actors.revoked, input(), ['40037']),
    signedCall('actor: wrong address', row, actors.elsewhere, input(), ['40038']),
    {
      kind: 'actor: operator token on the public port',
      surface: 'public',
      bytes: withToken,
      row,
      codes: ['40001'],
    },
    wrongPort,
  ];
}

function operatorCalls(
  row: Endpoint,
  actors: Actors,
  random: Random,
  known: Known,
): readonly FuzzRequest[] {
  const input = () => sayTo(row, 'right', random, known);
  const withKey = {
    ...signedCall('actor: a key for the operator', row, actors.traders[0]!, input()),
    surface: 'operator',
  } as const;
  const refused = row.access === 'anybody' ? undefined : ['40037'];
  return [
    operatorCall('actor: no token', row, undefined, input(), refused),
    operatorCall('actor: wrong token', row, 'guess', input(), refused),
    { ...withKey, ...(refused === undefined ? {} : { codes: refused }) },
    onWrongPort(
      operatorCall('actor: operator call on the public port', row, actors.operatorToken, input()),
    ),
  ];
}

/** Calls every endpoint of both planes as every actor. */
export const actorMatrix = (
  actors: Actors,
  random: Random,
  known: Known,
): readonly FuzzRequest[] => [
  ...publicRows.flatMap(({ row }) => publicCalls(row, actors, random, known)),
  ...operatorRows.flatMap(({ row }) => operatorCalls(row, actors, random, known)),
];
