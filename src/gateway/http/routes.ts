/** Finds the endpoint of a request. Paths are compared exactly as sent, without normalization. */

import { type Dialect, dialectOf } from '../../contract/dialects.ts';
import type { Access, Endpoint, RequestShape } from '../../contract/endpoint.ts';
import type { Raw } from '../../contract/raw.ts';
import type { Caller } from '../caller.ts';
import type { HandlersOf, Reply } from '../handlers/handler.ts';
import { SlidingWindow } from '../limits/sliding-window.ts';
import { CallCounters } from '../metrics.ts';
import { percentDecoded } from './query.ts';

type AnyHandler = (
  request: unknown,
  caller: Caller,
  upload: AsyncIterable<Uint8Array>,
) => Reply<unknown> | Promise<Reply<unknown>>;

/** An endpoint with its handler and limiter. */
export interface Route {
  readonly name: string;
  readonly method: Endpoint['method'];
  readonly access: Access;
  readonly request: RequestShape<unknown>;
  readonly handler: AnyHandler;
  /** Largest body of a route that takes bytes; its fields are in the query. */
  readonly uploadBytesMax: number | undefined;
  /** Undefined if the endpoint has no limit, or limits are off. */
  readonly window: SlidingWindow | undefined;
  readonly countedBy: 'uid' | 'ip';
  readonly dialect: Dialect;
  readonly counters: CallCounters;
  /** True if it also answers while the exchange is starting, stopping or halted. */
  readonly always: boolean;
}

/** A route with the values of the `:name` segments of its path. */
export interface FoundRoute {
  readonly route: Route;
  readonly params: ReadonlyMap<string, Raw> | undefined;
}

type ByMethod = { readonly [Method in Endpoint['method']]?: Route };

interface Pattern {
  readonly segments: readonly string[];
  readonly byMethod: ByMethod;
}

/** Calls per second that differ from the contract's, by path of the row. */
export type ChangedLimits = ReadonlyMap<string, number | 'off'>;

export interface RouteOptions {
  readonly limits: boolean;
  readonly changedLimits?: ChangedLimits | undefined;
  /** Names of endpoints that answer in any state of the exchange. */
  readonly always?: ReadonlySet<string>;
}

type EndpointTable = Readonly<Record<string, Endpoint>>;

export class Routes {
  readonly all: readonly Route[];
  readonly #exact = new Map<string, ByMethod>();
  readonly #patterns: Pattern[] = [];

  private constructor(all: readonly Route[]) {
    this.all = all;
  }

  static of<Table>(endpoints: Table, handlers: HandlersOf<Table>, options: RouteOptions): Routes {
    const rows = Object.entries(endpoints as EndpointTable);
    const routes = rows.map(([name, row]) =>
      routeOf(
        name,
        row,
        (handlers as Readonly<Record<string, unknown>>)[name] as AnyHandler,
        options,
      ),
    );
    const made = new Routes(routes);
    rows.forEach(([, row], at) => {
      for (const path of [row.path, ...(row.aliases ?? [])]) made.#add(path, routes[at]!);
    });
    return made;
  }

  #add(path: string, route: Route): void {
    if (!path.includes('/:')) {
      this.#exact.set(path, { ...this.#exact.get(path), [route.method]: route });
      return;
    }
    const segments = path.split('/');
    const known = this.#patterns.findIndex((pattern) => pattern.segments.join('/') === path);
    const byMethod = { ...this.#patterns[known]?.byMethod, [route.method]: route };
    if (known >= 0) this.#patterns.splice(known, 1);
    this.#patterns.push({ segments, byMethod });
  }

  find(method: string, path: string): FoundRoute | undefined {
    const exact = this.#exact.get(path)?.[method as Endpoint['method']];
    if (exact !== undefined) return { route: exact, params: undefined };
    if (this.#patterns.length === 0) return undefined;
    const segments = path.split('/');
    for (const pattern of this.#patterns) {
      const route = pattern.byMethod[method as Endpoint['method']];
      const params = route === undefined ? undefined : paramsOf(pattern.segments, segments);
      if (route !== undefined && params !== undefined) return { route, params };
    }
    return undefined;
  }
}

function windowOf(
  { path, limit }: Endpoint,
  { limits, changedLimits }: RouteOptions,
): SlidingWindow | undefined {
  const perSecond = changedLimits?.get(path) ?? limit?.perSecond;
  return limits && typeof perSecond === 'number' ? new SlidingWindow(perSecond) : undefined;
}

function routeOf(name: string, row: Endpoint, handler: AnyHandler, options: RouteOptions): Route {
  return {
    name,
    method: row.method,
    access: row.access,
    request: row.request,
    handler,
    uploadBytesMax: row.upload?.bytesMax,
    window: windowOf(row, options),
    countedBy: row.limit?.countedBy ?? 'ip',
    dialect: dialectOf(row.path),
    counters: new CallCounters(name),
    always: options.always?.has(name) ?? false,
  };
}

/** The values of the path's segments; undefined if the path does not match the pattern. */
function paramsOf(
  pattern: readonly string[],
  segments: readonly string[],
): ReadonlyMap<string, Raw> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params = new Map<string, Raw>();
  for (let at = 0; at < pattern.length; at++) {
    const expected = pattern[at]!;
    const segment = segments[at]!;
    if (!expected.startsWith(':')) {
      if (expected !== segment) return undefined;
      continue;
    }
    const value = percentDecoded(segment);
    if (value === undefined || value === '') return undefined;
    params.set(expected.slice(1), value);
  }
  return params;
}
