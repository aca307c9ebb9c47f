/**
 * A whole exchange on free ports with memory disks: the real gateway, engine and views, called over
 * sockets.
 */

import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SimulatedChain } from '../../src/app/chains/simulated-chain.ts';
import { WithdrawalSender } from '../../src/app/chains/withdrawal-sender.ts';
import { auditText, houseBalances } from '../../src/app/operator-figures.ts';
import { importRecording, importUpload } from '../../src/app/recordings/import-recording.ts';
import { recordingsIn } from '../../src/app/recordings/recordings.test-support.ts';
import { namedResult } from '../../src/contract/field-names.ts';
import { wireRejection } from '../../src/contract/wire-rejections.ts';
import { createEngine } from '../../src/core/engine.ts';
import { newKey, type ShownCredentials } from '../../src/gateway/auth/credentials.ts';
import type { Proxies } from '../../src/gateway/auth/proxies.ts';
import { openVault } from '../../src/gateway/auth/vault.ts';
import { FaultLaboratory } from '../../src/gateway/faults/fault-laboratory.ts';
import { startGateway } from '../../src/gateway/gateway.ts';
import {
  operatorHandlers,
  type PublicHandlers,
  publicHandlers,
} from '../../src/gateway/handlers/handlers.ts';
import type {
  ClockMove,
  MarketChange,
  RecordingRequest,
  ServiceStatus,
} from '../../src/gateway/handlers/parts.ts';
import type { CreateServer } from '../../src/gateway/http/server.ts';
import { openLog } from '../../src/gateway/log.ts';
import type { Submit } from '../../src/gateway/submit.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { ok, type Result, refuse } from '../../src/kernel/result.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import { DEFAULT_COINS } from '../../src/listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../../src/listings/default-instruments.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { Rejection } from '../../src/messages/rejections.ts';
import type { Permission } from '../../src/messages/vocabulary.ts';
import { StreamServer } from '../../src/streams/stream-server.ts';
import { createMemoryHistory } from '../../src/views/history/memory-history.ts';
import { createViews } from '../../src/views/views.ts';

export const OPERATOR_TOKEN = 'the-operators-own-token';

export interface ExchangeOptions {
  readonly limits?: boolean;
  readonly host?: string;
  readonly proxies?: Proxies;
  /** Stands for another Node. */
  readonly createServer?: CreateServer;
  /** Handlers that replace the real ones, to provoke rare conditions. */
  readonly replaced?: Partial<PublicHandlers>;
}

export interface Person extends ShownCredentials {
  readonly uid: Uid;
}

export type TestExchange = Awaited<ReturnType<typeof startTestExchange>>;

export async function startTestExchange(options: ExchangeOptions = {}) {
  const engine = createEngine();
  const views = createViews(createMemoryHistory());
  const vault = openVault(randomBytes(32));
  const logged: string[] = [];
  const world = {
    status: 'serving' as ServiceStatus,
    wallSkewMs: 0,
    metricsFail: false,
    standsAt: undefined as number | undefined,
  };
  const clock = {
    wall: () => (Date.now() + world.wallSkewMs) as Timestamp,
    monotonic: () => world.standsAt ?? performance.now(),
  };
  const readQueue = (): number => {
    if (world.metricsFail) throw new Error('no figures: the secret of /srv');
    return 0;
  };
  const exchangeNow = (wall = clock.wall()) => engine.exchangeTime(wall);
  const execute = async (command: Command): Promise<Result<unknown, Rejection>> => {
    const executed = engine.execute(command, exchangeNow());
    views.apply(executed);
    streams.feed.batch(executed);
    return executed.outcome;
  };
  const submit = execute as Submit;
  const log = openLog('warn', { write: (line: string) => void logged.push(line) });
  const streams = new StreamServer({
    views,
    keys: views.keys,
    vault,
    clock,
    exchangeNow,
    limits: options.limits ?? true,
    proxies: options.proxies,
    log,
  });
  const startedAt = performance.now();
  const recorded = mkdtempSync(join(tmpdir(), 'rialto-wire-'));
  const recordings = recordingsIn(recorded);
  const controls = {
    health: () => ({
      status: world.status,
      sequence: engine.sequence as number,
      durable: engine.sequence as number,
      stateHash: engine.stateHash(),
      stateHashSequence: engine.sequence as number,
      uptimeMs: Math.floor(performance.now() - startedAt),
    }),
    audit: () => auditText(engine),
    snapshot: async () => ok({ sequence: engine.sequence as number }),
    moveClock: async ({ to, ...move }: ClockMove) => {
      const goal = typeof to === 'number' ? { to } : {};
      const command = { type: 'moveClock', wall: clock.wall(), ...move, ...goal } as const;
      return namedResult(await submit(command), 'operator');
    },
    clockWay: () => undefined,
    changeMarket: async ({ on, scene }: MarketChange) =>
      scene === undefined
        ? namedResult(await submit({ type: 'switchMarket', on: on ?? false }), 'operator')
        : refuse(wireRejection('marketOff')),
    importRecording: (request: RecordingRequest) =>
      importRecording({ state: () => engine.state, submit, recordings }, request),
    importUpload: (upload: AsyncIterable<Uint8Array>, request: Omit<RecordingRequest, 'path'>) =>
      importUpload({ state: () => engine.state, submit, recordings }, upload, request),
    reset: async () => refuse(wireRejection('notServing')),
  };
  const connector = new SimulatedChain({
    now: exchangeNow,
    memory: { load: () => [], append: () => undefined },
  });
  const { withdrawals, listings } = views;
  const chain = new WithdrawalSender({
    connector,
    submit,
    withdrawals,
    listings,
    now: exchangeNow,
    log,
    plan: connector.plan.bind(connector),
  });
  const faults = new FaultLaboratory({ views, clock, exchangeNow, onLateFailure: () => undefined });
  const parts = { submit, views, clock, exchangeNow, vault, randomBytes, controls, faults, chain };
  const gateway = await startGateway({
    host: options.host ?? '127.0.0.1',
    port: 0,
    operatorPort: 0,
    operatorToken: OPERATOR_TOKEN,
    limits: options.limits ?? true,
    proxies: options.proxies,
    createServer: options.createServer,
    publicHandlers: { ...publicHandlers(parts), ...options.replaced },
    operatorHandlers: operatorHandlers(parts),
    keys: views.keys,
    vault,
    clock,
    exchangeNow,
    isServing: () => world.status === 'serving',
    afterWriting: (run) => run(),
    faults,
    readings: [
      { name: 'queue_depth', help: 'Commands that wait.', read: readQueue },
      ...streams.readings(),
    ],
    houseBalances: () => houseBalances(engine.state),
    streams,
    log,
  });

  for (const coin of DEFAULT_COINS) await submit({ type: 'listCoin', coin });
  for (const instrument of DEFAULT_INSTRUMENTS)
    await submit({ type: 'listInstrument', instrument });

  return {
    url: `http://127.0.0.1:${gateway.public.port}`,
    operatorUrl: `http://127.0.0.1:${gateway.operator.port}`,
    port: gateway.public.port,
    operatorPort: gateway.operator.port,
    /** Where recordings are kept. */
    recorded,
    engine,
    views,
    vault,
    world,
    logged,
    exchangeNow,
    submit,
    close: async () => {
      await gateway.close();
      rmSync(recorded, { recursive: true });
    },

    /** A new user with a key, and with deposits if given. */
    person: async (
      request: {
        permissions?: readonly Permission[];
        addresses?: readonly string[];
        publicKey?: string;
        usdt?: string;
      } = {},
    ): Promise<Person> => {
      const created = await submit({ type: 'createUser', level: 'VIP0', positionMode: 'oneWay' });
      if (!created.ok) throw new Error(created.refusal.reason);
      const { uid } = created.value;
      const key = newKey({ uid, ...request }, vault, randomBytes);
      if (!key.ok) throw new Error(key.refusal.field);
      await submit(key.value.command);
      if (request.usdt !== undefined)
        await submit({ type: 'deposit', uid, coin: 'USDT', size: request.usdt as DecimalText });
      return { uid, ...key.value.shown };
    },
  };
}

/** The signature as most clients make it: over the request as sent. */
export const sign = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64');

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly code: string;
  readonly msg: string;
  readonly requestTime: number;
  readonly data: unknown;
}

export async function answerOf(response: Response): Promise<Answer> {
  const envelope = (await response.json()) as Omit<Answer, 'status' | 'headers'>;
  return { status: response.status, headers: response.headers, ...envelope };
}

export interface CallOptions {
  readonly query?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timestamp?: number | string;
  /** The query to sign, if it differs from the sent one. */
  readonly signedQuery?: string;
  /** Headers to leave out. */
  readonly without?: readonly string[];
}

export function signedHeaders(
  person: ShownCredentials,
  method: string,
  path: string,
  options: CallOptions = {},
): Record<string, string> {
  const { query = '', body = '', timestamp = Date.now(), signedQuery = query } = options;
  const text = `${timestamp}${method}${path}${signedQuery === '' ? '' : `?${signedQuery}`}${body}`;
  const headers: Record<string, string> = {
    'ACCESS-KEY': person.apiKey,
    'ACCESS-SIGN': sign(person.secretKey, text),
    'ACCESS-TIMESTAMP': String(timestamp),
    'ACCESS-PASSPHRASE': person.passphrase,
    ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    ...options.headers,
  };
  for (const name of options.without ?? []) delete headers[name];
  return headers;
}

/** A signed call of the public API. */
export async function call(
  exchange: Pick<TestExchange, 'url'>,
  person: ShownCredentials,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const { query = '' } = options;
  const target = `${exchange.url}${path}${query === '' ? '' : `?${query}`}`;
  const body = options.body === undefined ? {} : { body: options.body };
  return answerOf(
    await fetch(target, { method, headers: signedHeaders(person, method, path, options), ...body }),
  );
}

/** A call of the operator API. */
export async function operate(
  exchange: Pick<TestExchange, 'operatorUrl'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = {
    authorization: `Bearer ${OPERATOR_TOKEN}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return answerOf(await fetch(`${exchange.operatorUrl}${path}`, { method, headers, ...sent }));
}
