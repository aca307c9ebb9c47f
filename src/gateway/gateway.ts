/**
 * The gateway: two listeners over one pipeline, the public API for key owners and the operator API
 * for the token owner.
 */
import { operatorEndpoints, publicEndpoints } from '../contract/endpoints.ts';
import { wireError } from '../contract/errors.ts';
import { openApiDocument } from '../contract/openapi.ts';
import { referenceMarkdown } from '../contract/reference-markdown.ts';
import { referencePage } from '../contract/reference-page.ts';
import { type ApiSurface, operatorSurface, publicSurface } from '../contract/surfaces.ts';
import { wireRejection } from '../contract/wire-rejections.ts';
import { ok, refuse } from '../kernel/result.ts';
import type { Clock } from '../kernel/time.ts';
import type { RejectionReason } from '../messages/rejections.ts';
import type { KeyQueries } from '../views/keys.ts';
import { authenticator } from './auth/authenticate.ts';
import { OpenedKeys } from './auth/opened-keys.ts';
import { operatorTokenCheck } from './auth/operator-token.ts';
import type { Proxies } from './auth/proxies.ts';
import type { Vault } from './auth/vault.ts';
import { ANONYMOUS, NO_PERMISSIONS } from './caller.ts';
import type { FaultLaboratory } from './faults/fault-laboratory.ts';
import type { OperatorHandlers, PublicHandlers } from './handlers/handlers.ts';
import { errorText, OPERATOR_STYLE, PUBLIC_STYLE } from './http/answers.ts';
import { ConcurrencyLimiter } from './http/concurrency-limiter.ts';
import { type Document, REFERENCE_PATH } from './http/documents.ts';
import { servingPathOn } from './http/node-self-test.ts';
import { type Admit, Pipeline, type PipelineParts } from './http/pipeline.ts';
import { RefusalLog } from './http/refusal-log.ts';
import type { AfterWriting } from './http/request-batcher.ts';
import { type ChangedLimits, Routes } from './http/routes.ts';
import { type CreateServer, type Listener, listen } from './http/server.ts';
import type { StreamRequest, Upgrades } from './http/upgrades.ts';
import { CONNECTIONS_PER_ADDRESS_MAX, Connections, isUnlimited } from './limits/connections.ts';
import { SlidingWindow } from './limits/sliding-window.ts';
import type { Log } from './log.ts';
import { GatewayCounters, gatewayMetrics, type HouseBalances, type Reading } from './metrics.ts';
import { StreamCalls } from './stream-calls.ts';
import type { ExchangeNow } from './submit.ts';

/** Failed authentications per second and address; further calls get 429. */
const FAILED_AUTHENTICATIONS_PER_SECOND = 50;

export interface GatewayParts {
  readonly host: string;
  readonly port: number;
  readonly operatorPort: number;
  readonly operatorToken: string;
  readonly limits: boolean;
  readonly changedLimits?: ChangedLimits;
  /** Absent if callers connect directly. */
  readonly proxies?: Proxies | undefined;
  readonly publicHandlers: PublicHandlers;
  readonly operatorHandlers: OperatorHandlers;
  readonly keys: Pick<KeyQueries, 'find'>;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly exchangeNow: ExchangeNow;
  /** False while starting, stopping or halted: every call except health gets 503. */
  isServing(): boolean;
  readonly afterWriting: AfterWriting;
  /** Affects public calls only. */
  readonly faults: FaultLaboratory;
  /** Gauges for `/metrics`. */
  readonly readings: readonly Reading[];
  readonly houseBalances: HouseBalances;
  /** Takes connections of the public port that ask for a stream. */
  readonly streams: Streams;
  readonly log: Log;
  /** Absent except in tests that simulate another Node. */
  readonly createServer?: CreateServer | undefined;
}

/** The gateway's interface to the streams. */
export interface Streams extends Pick<Upgrades, 'close'> {
  /** Takes a connection over, or says why not. Its orders are carried out by `calls`. */
  take(asked: StreamRequest, calls: StreamCalls): RejectionReason | undefined;
  /** How many connections the exchange has ended, by reason. */
  readonly ends: ReadonlyMap<string, number>;
}

export interface Gateway {
  readonly public: { readonly host: string; readonly port: number };
  readonly operator: { readonly host: string; readonly port: number };
  /**
   * Replaces the exchange behind the listeners. The previous exchange still answers calls in
   * flight.
   */
  replace(renewed: Partial<GatewayParts>): void;
  close(): Promise<void>;
}

/** Admits authenticated keys; endpoints without a key read no header. */
function admitKeys({ keys, vault, clock, exchangeNow }: GatewayParts): Admit {
  const authenticate = authenticator(new OpenedKeys((apiKey) => keys.find(apiKey), vault), vault);
  return ({ access }, call, language) => {
    const { address: ip } = call;
    if (access === 'anybody')
      return ok({ uid: ANONYMOUS, permissions: NO_PERMISSIONS, ip, language });
    const authenticated = authenticate(call, { wall: clock.wall(), exchange: exchangeNow() });
    if (!authenticated.ok) return authenticated;
    const { uid, permissions, addresses } = authenticated.value;
    // Denies by default: an operator row among the public ones would be closed to every key.
    if (access === 'operator' || !permissions.has(access))
      return refuse(wireRejection('permissionMissing', undefined, access));
    return ok({ uid, permissions, addresses, ip, language });
  };
}

function admitToken(isToken: (authorization: string | undefined) => boolean): Admit {
  return ({ access }, { headers, address: ip }, language) => {
    if (access !== 'anybody' && !isToken(headers.authorization))
      return refuse(wireRejection('operatorTokenWrong'));
    return ok({ uid: ANONYMOUS, permissions: NO_PERMISSIONS, ip, language });
  };
}

/** The API contract that a port serves, for machines and for people. Built on first use. */
function contractDocuments(surface: ApiSurface): readonly (readonly [string, Document])[] {
  let openApi: string | undefined;
  let page: string | undefined;
  let markdown: string | undefined;
  return [
    [
      '/openapi.json',
      // Calls go to the address that served the document, under any host name.
      {
        contentType: 'application/json',
        guarded: false,
        text: () => (openApi ??= JSON.stringify(openApiDocument(surface, '/'))),
      },
    ],
    [
      REFERENCE_PATH,
      {
        contentType: 'text/html; charset=utf-8',
        guarded: false,
        text: () => (page ??= referencePage(surface)),
      },
    ],
    [
      '/reference.md',
      {
        contentType: 'text/markdown; charset=utf-8',
        guarded: false,
        text: () => (markdown ??= referenceMarkdown([surface])),
      },
    ],
  ];
}

interface Pipelines {
  readonly public: Pipeline;
  readonly operator: Pipeline;
  readonly streamCalls: StreamCalls;
  readonly envelope: (reason: RejectionReason) => string;
}

/** Both APIs over one exchange. */
function pipelinesOf(parts: GatewayParts): Pipelines {
  const { limits, proxies, clock, exchangeNow, afterWriting, log } = parts;
  const isToken = operatorTokenCheck(parts.operatorToken);
  const counters = new GatewayCounters();
  const publicRoutes = Routes.of(publicEndpoints, parts.publicHandlers, {
    limits,
    changedLimits: parts.changedLimits,
  });
  const operatorRoutes = Routes.of(operatorEndpoints, parts.operatorHandlers, {
    limits,
    always: new Set(['getHealth']),
  });
  const calls = [...publicRoutes.all, ...operatorRoutes.all].map((route) => route.counters);
  const metrics = gatewayMetrics(calls, counters, parts);
  const failures = limits ? new SlidingWindow(FAILED_AUTHENTICATIONS_PER_SECOND) : undefined;
  const refusals = new RefusalLog(log, clock);
  const isServing = (): boolean => parts.isServing();
  const shared = {
    clock,
    exchangeNow,
    isServing,
    afterWriting,
    limits,
    proxies,
    failures,
    counters,
    refusals,
    log,
  };

  const publicLimiter = new ConcurrencyLimiter(counters);
  const publicParts: PipelineParts = {
    ...shared,
    concurrencyLimiter: publicLimiter,
    routes: publicRoutes,
    documents: new Map(contractDocuments(publicSurface)),
    admit: admitKeys(parts),
    mayRead: () => false,
    faults: parts.faults,
    style: PUBLIC_STYLE,
    crossOrigin: true,
    hasStreams: true,
  };
  const operatorParts: PipelineParts = {
    ...shared,
    concurrencyLimiter: new ConcurrencyLimiter(counters),
    routes: operatorRoutes,
    documents: new Map([
      ...contractDocuments(operatorSurface),
      ['/metrics', { contentType: metrics.contentType, guarded: true, text: metrics.text }],
    ]),
    admit: admitToken(isToken),
    mayRead: ({ authorization }) => isToken(authorization),
    faults: undefined,
    style: OPERATOR_STYLE,
    crossOrigin: false,
    hasStreams: false,
  };

  return {
    public: new Pipeline(publicParts),
    operator: new Pipeline(operatorParts),
    streamCalls: new StreamCalls({
      ...shared,
      concurrencyLimiter: publicLimiter,
      routes: publicRoutes,
      faults: parts.faults,
    }),
    envelope: (reason) => errorText(wireError(wireRejection(reason), 'en'), exchangeNow()),
  };
}

export async function startGateway(given: GatewayParts): Promise<Gateway> {
  const { host, createServer } = given;
  const path = await servingPathOn(createServer, given.log);
  // Keeps no reference to a replaced exchange.
  let parts = given;
  let pipelines = pipelinesOf(parts);
  const upgrades: Upgrades = {
    take: (asked) =>
      parts.isServing() ? parts.streams.take(asked, pipelines.streamCalls) : 'notServing',
    close: () => parts.streams.close(),
  };
  const open = (surface: 'public' | 'operator', port: number): Promise<Listener> =>
    listen({
      host,
      port,
      path,
      createServer,
      receive: (request, reply) => pipelines[surface].receive(request, reply),
      refuseExpectation: (request, reply) => pipelines[surface].refuseExpectation(request, reply),
      envelope: (reason) => pipelines.envelope(reason),
      connections: given.limits
        ? new Connections(CONNECTIONS_PER_ADDRESS_MAX, isUnlimited(given.proxies))
        : undefined,
      upgrades: surface === 'public' ? upgrades : undefined,
    });
  const publicListener = await open('public', given.port);
  const operatorListener = await open('operator', given.operatorPort).catch(
    async (error: unknown) => {
      await publicListener.close();
      throw error;
    },
  );
  return {
    public: { host, port: publicListener.port },
    operator: { host, port: operatorListener.port },
    replace: (renewed) => {
      parts = { ...parts, ...renewed };
      pipelines = pipelinesOf(parts);
    },
    close: async () => {
      await Promise.all([publicListener.close(), operatorListener.close()]);
    },
  };
}
