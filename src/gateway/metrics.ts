/**
 * Counters and their Prometheus export. Counting updates plain numbers; labels and texts are built
 * only for a scrape.
 */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** Upper bounds in seconds, from a read in memory to a request that is far too slow. */
const LATENCY_BUCKETS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5] as const;

/** The calls of one endpoint, by answered code, with their latencies. */
export class CallCounters {
  readonly endpoint: string;
  readonly byCode = new Map<string, number>();
  /** One more than the bounds: the last bucket holds all slower calls. */
  readonly buckets = new Float64Array(LATENCY_BUCKETS.length + 1);
  seconds = 0;

  constructor(endpoint: string) {
    this.endpoint = endpoint;
  }

  count(code: string, milliseconds: number): void {
    this.byCode.set(code, (this.byCode.get(code) ?? 0) + 1);
    const seconds = milliseconds / 1_000;
    this.seconds += seconds;
    let bucket = 0;
    while (bucket < LATENCY_BUCKETS.length && seconds > LATENCY_BUCKETS[bucket]!) bucket++;
    this.buckets[bucket]!++;
  }
}

/** Counters of the gateway besides those of calls. */
export class GatewayCounters {
  authenticationsFailed = 0;
  refusedByLimit = 0;
  refusedByLoad = 0;
  handlerFailures = 0;
  inFlight = 0;
}

/** A gauge of another part, read at each scrape. `queued` is exported as `rialto_queued`. */
export interface Reading {
  readonly name: string;
  readonly help: string;
  readonly read: () => number;
}

/** The house's balance in one account of a coin. A plain number is precise enough for a gauge. */
export interface HouseBalance {
  readonly coin: string;
  readonly account: string;
  readonly balance: number;
}

export type HouseBalances = () => Iterable<HouseBalance>;

interface HistogramValue {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** A histogram in the registry's form, built from our own buckets. */
function histogramValues(name: string, all: readonly CallCounters[]): HistogramValue[] {
  return all.flatMap(({ endpoint, buckets, seconds }) => {
    let cumulative = 0;
    const values: HistogramValue[] = [];
    buckets.forEach((count, at) => {
      cumulative += count;
      const le = LATENCY_BUCKETS[at] ?? '+Inf';
      values.push({ metricName: `${name}_bucket`, labels: { le, endpoint }, value: cumulative });
    });
    if (cumulative === 0) return [];
    values.push({ metricName: `${name}_sum`, labels: { endpoint }, value: seconds });
    values.push({ metricName: `${name}_count`, labels: { endpoint }, value: cumulative });
    return values;
  });
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  registry.registerMetric(
    new Gauge({
      name,
      help,
      registers: [],
      collect() {
        this.set(read());
      },
    }),
  );
}

function houseGauge(houseBalances: HouseBalances): Gauge<'coin' | 'account'> {
  return new Gauge({
    name: 'rialto_house_balance',
    help: 'Balance of each house account by coin, insurance fund and clearing included.',
    labelNames: ['coin', 'account'],
    registers: [],
    collect() {
      this.reset();
      for (const { coin, account, balance } of houseBalances())
        this.set({ coin, account }, balance);
    },
  });
}

function streamEnds(ends: ReadonlyMap<string, number>): Counter<'reason'> {
  return new Counter({
    name: 'rialto_stream_ends_total',
    help: 'Stream connections that the exchange has ended, by reason.',
    labelNames: ['reason'],
    registers: [],
    collect() {
      this.reset();
      for (const [reason, count] of ends) this.inc({ reason }, count);
    },
  });
}

function counter(registry: Registry, name: string, help: string, read: () => number): void {
  registry.registerMetric(
    new Counter({
      name,
      help,
      registers: [],
      collect() {
        this.reset();
        this.inc(read());
      },
    }),
  );
}

export interface Metrics {
  readonly contentType: string;
  readonly text: () => Promise<string>;
}

/** Sources of the gauges of other parts. */
export interface FigureSources {
  readonly readings: readonly Reading[];
  readonly houseBalances: HouseBalances;
  readonly streams: { readonly ends: ReadonlyMap<string, number> };
}

let ownFigures: Registry | undefined;

/**
 * Metrics of the process. The default collectors are never released, so they are registered once,
 * not once per exchange.
 */
function processFigures(): Registry {
  if (ownFigures === undefined) {
    ownFigures = new Registry();
    collectDefaultMetrics({ register: ownFigures });
  }
  return ownFigures;
}

export function gatewayMetrics(
  calls: readonly CallCounters[],
  gateway: GatewayCounters,
  { readings, houseBalances, streams }: FigureSources,
): Metrics {
  const ofProcess = processFigures();
  const registry = new Registry();
  registry.registerMetric(
    new Counter({
      name: 'rialto_requests_total',
      help: 'Calls answered, by endpoint and code.',
      labelNames: ['endpoint', 'code'],
      registers: [],
      collect() {
        this.reset();
        for (const { endpoint, byCode } of calls)
          for (const [code, count] of byCode) this.inc({ endpoint, code }, count);
      },
    }),
  );
  const duration = 'rialto_request_duration_seconds';
  const histogram = {
    name: duration,
    get: () =>
      Promise.resolve({
        name: duration,
        help: 'From a request to its answer.',
        type: 'histogram',
        values: histogramValues(duration, calls),
        aggregator: 'sum',
      }),
  };
  registry.registerMetric(histogram as unknown as Gauge);
  counter(
    registry,
    'rialto_authentications_failed_total',
    'Calls that failed authentication.',
    () => gateway.authenticationsFailed,
  );
  counter(
    registry,
    'rialto_refused_by_limit_total',
    'Calls refused by a rate limiter.',
    () => gateway.refusedByLimit,
  );
  counter(
    registry,
    'rialto_refused_by_load_total',
    'Calls refused because too many were in flight.',
    () => gateway.refusedByLoad,
  );
  counter(
    registry,
    'rialto_handler_failures_total',
    'Calls that failed with an unexpected error.',
    () => gateway.handlerFailures,
  );
  gauge(registry, 'rialto_requests_in_flight', 'Calls being answered now.', () => gateway.inFlight);
  registry.registerMetric(streamEnds(streams.ends));
  for (const { name, help, read } of readings) gauge(registry, `rialto_${name}`, help, read);
  registry.registerMetric(houseGauge(houseBalances));
  return {
    contentType: registry.contentType,
    text: async () => `${await ofProcess.metrics()}\n${await registry.metrics()}`,
  };
}
