/**
 * A soak: finds the load that the server sustains, applies a share of it for the given time, and
 * reports the results.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../../src/kernel/random.ts';
import { type Actors, prepareActors } from '../fuzz/actors.ts';
import { Line } from '../fuzz/line.ts';
import { ServerFigures } from '../fuzz/server-figures.ts';
import { type Server, startServer } from '../server.ts';
import { SoakLoad } from './load.ts';

export interface SoakOptions {
  readonly folder: string;
  readonly minutes: number;
  readonly seed: number;
  /** Multiple of the sustained load: 0.5 is a soak, 10 an overload. */
  readonly load: number;
  /**
   * Calls per second, if given instead of `load`, for a machine on which the sustained load cannot
   * be measured.
   */
  readonly rate?: number | undefined;
  readonly progress?: (text: string) => void;
}

export interface SoakSummary {
  readonly sustainedPerSecond: number;
  readonly offeredPerSecond: number;
  /** Calls per second with a result: a success, or a refusal of the exchange itself. */
  readonly goodputPerSecond: number;
  /** Calls refused because of load: 429, or not serving. */
  readonly refused: number;
  /** Calls not sent in time, because every connection had its maximum of calls in flight. */
  readonly unsent: number;
  /** Calls whose connection ended without an answer. */
  readonly unanswered: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly memoryMb: { readonly first: number; readonly last: number };
  readonly memoryMbPerHour: number;
}

/** Enough for more concurrent calls than the server accepts when it is overloaded. */
const LINES = 1_024;
const CALIBRATION_LINES = 32;
const WAITING_ON_ONE_LINE_MAX = 8;
const CALIBRATION_MS = 5_000;
const CALIBRATION_IN_FLIGHT = 256;
const LATENCIES_KEPT_MAX = 2_000_000;
const REFUSED_FOR_LOAD = /^\{"code":"(?:429|40015)"/;

class Tally {
  readonly #latencies = new Float64Array(LATENCIES_KEPT_MAX);
  answered = 0;
  refused = 0;
  unsent = 0;
  unanswered = 0;

  note(latencyMs: number, body: string): void {
    if (REFUSED_FOR_LOAD.test(body)) {
      this.refused++;
      return;
    }
    this.#latencies[this.answered++ % LATENCIES_KEPT_MAX] = latencyMs;
  }

  percentiles(shares: readonly number[]): readonly number[] {
    const sorted = this.#latencies.slice(0, Math.min(this.answered, LATENCIES_KEPT_MAX)).sort();
    return shares.map(
      (share) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10,
    );
  }
}

/**
 * The slope of memory over time in MB per hour, by linear regression. The first fifth is warm-up
 * and does not count.
 */
export function slopePerHour(
  samples: readonly { readonly atMs: number; readonly mb: number }[],
): number {
  const steady = samples.slice(Math.floor(samples.length / 5));
  const mean = (read: (sample: { atMs: number; mb: number }) => number): number =>
    steady.reduce((sum, sample) => sum + read(sample), 0) / Math.max(1, steady.length);
  const [at, mb] = [mean((sample) => sample.atMs), mean((sample) => sample.mb)];
  const spread = steady.reduce((sum, sample) => sum + (sample.atMs - at) ** 2, 0);
  const together = steady.reduce((sum, sample) => sum + (sample.atMs - at) * (sample.mb - mb), 0);
  return spread === 0 ? 0 : Math.round((together / spread) * 3_600_000 * 10) / 10;
}

class Soak {
  readonly #lines: readonly Line[];
  /** Calls in flight on each connection. */
  readonly #waiting = new Array<number>(LINES).fill(0);
  readonly #load: SoakLoad;
  readonly #figures: ServerFigures;
  #turn = 0;

  constructor(server: Server, actors: Actors, seed: number, figures: ServerFigures) {
    const port = Number(new URL(server.url).port);
    this.#lines = Array.from({ length: LINES }, () => new Line(port));
    this.#load = new SoakLoad(actors.traders, seededRandom(seed));
    this.#figures = figures;
  }

  /** Sends as fast as answers arrive, which measures the sustained load. */
  async calibrate(): Promise<number> {
    const tally = new Tally();
    const end = performance.now() + CALIBRATION_MS;
    const work = async (): Promise<void> => {
      while (performance.now() < end)
        await this.#send(this.#turn++ % CALIBRATION_LINES, performance.now(), tally);
    };
    await Promise.all(Array.from({ length: CALIBRATION_IN_FLIGHT }, work));
    return Math.round((tally.answered * 1_000) / CALIBRATION_MS);
  }

  /** Sends by the clock, independently of answers. Latency counts from the due time of a call. */
  async hold(
    perSecond: number,
    forMs: number,
    progress?: (text: string) => void,
  ): Promise<{ tally: Tally; slope: number }> {
    const tally = new Tally();
    const samples: { atMs: number; mb: number }[] = [];
    const begun = performance.now();
    let sent = 0;
    const pending = new Set<Promise<void>>();
    for (let now = begun; now - begun < forMs; now = performance.now()) {
      const due = Math.floor(((now - begun) / 1_000) * perSecond);
      for (; sent < due; sent++) {
        const line = this.#freeLine();
        if (line === undefined) {
          tally.unsent++;
          continue;
        }
        const call = this.#send(line, begun + (sent / perSecond) * 1_000, tally).finally(
          () => void pending.delete(call),
        );
        pending.add(call);
      }
      if (samples.length * 5_000 <= now - begun) {
        samples.push({ atMs: now - begun, mb: (await this.#figures.sample()).residentMb });
        if (samples.length % 12 === 0)
          progress?.(`${Math.round((now - begun) / 60_000)} min: ${tally.answered} answered`);
      }
      await pause(2);
    }
    await Promise.all(pending);
    return { tally, slope: slopePerHour(samples) };
  }

  close(): void {
    for (const line of this.#lines) line.close();
  }

  /** The first connection with room, so that few are used while answers are quick. */
  #freeLine(): number | undefined {
    const at = this.#waiting.findIndex((waiting) => waiting < WAITING_ON_ONE_LINE_MAX);
    return at < 0 ? undefined : at;
  }

  async #send(line: number, dueAt: number, tally: Tally): Promise<void> {
    this.#waiting[line]!++;
    try {
      const { body } = await this.#lines[line]!.ask(this.#load.next().bytes);
      tally.note(performance.now() - dueAt, body);
    } catch {
      // The server may close a connection under load; the outcome of the call is then unknown.
      tally.unanswered++;
    } finally {
      this.#waiting[line]!--;
    }
  }
}

/** Never resolves while the server runs. */
async function diedOf(server: Server): Promise<never> {
  const { code, signal, errors } = await server.ended;
  throw new Error(
    `the server ended with ${signal ?? `code ${code}`} under load:\n${errors.slice(-2_000)}`,
  );
}

export async function soakRun(options: SoakOptions): Promise<SoakSummary> {
  const { folder, minutes, seed, load, rate, progress } = options;
  const server = await startServer({ folder, flags: ['--world', 'empty', '--limits', 'off'] });
  const actors = await prepareActors(server);
  const figures = await ServerFigures.watch(server);
  const soak = new Soak(server, actors, seed, figures);
  const sustainedPerSecond = await soak.calibrate();
  const offeredPerSecond = rate ?? Math.max(1, Math.round(sustainedPerSecond * load));
  progress?.(`sustains ${sustainedPerSecond} calls per second; offering ${offeredPerSecond}`);
  const { tally, slope } = await Promise.race([
    soak.hold(offeredPerSecond, minutes * 60_000, progress),
    diedOf(server),
  ]);
  soak.close();
  figures.stop();
  const audit = await server.operate<{ ok: boolean; violations: readonly string[] }>(
    'GET',
    '/operator/v1/audit',
  );
  if (!audit.ok) throw new Error(`the audit fails: ${audit.violations.join('; ')}`);
  const { code } = await server.end('SIGTERM');
  if (code !== 0) throw new Error(`the server ended with code ${code}`);
  const [p50Ms, p99Ms, p999Ms] = tally.percentiles([0.5, 0.99, 0.999]) as [number, number, number];
  return {
    sustainedPerSecond,
    offeredPerSecond,
    goodputPerSecond: Math.round(tally.answered / (minutes * 60)),
    refused: tally.refused,
    unsent: tally.unsent,
    unanswered: tally.unanswered,
    p50Ms,
    p99Ms,
    p999Ms,
    memoryMb: figures.summary().memoryMb,
    memoryMbPerHour: slope,
  };
}
