/**
 * A run of the fuzzer: a server, its actors, random requests over kept and pipelined connections,
 * and the checks at the end.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Random, seededRandom } from '../../../src/kernel/random.ts';
import { type Server, startServer } from '../server.ts';
import { type Actors, actorMatrix, prepareActors } from './actors.ts';
import { type Longest, longestAlone } from './alone.ts';
import { bareConversation, drawBare, flood, slowSender, slowStarts } from './bare.ts';
import { answerFaults } from './checks.ts';
import { forgedCall, mismatched, spoiltJson, twistedTarget } from './hostile.ts';
import { KnownIds } from './known-ids.ts';
import { Line } from './line.ts';
import {
  type FuzzRequest,
  operatorCall,
  operatorRows,
  publicRows,
  sayTo,
  signedCall,
} from './requests.ts';
import { ServerFigures } from './server-figures.ts';
import { strangerFaults } from './strangers.ts';
import type { Known, Quality } from './values.ts';

export interface FuzzOptions {
  readonly folder: string;
  readonly requests: number;
  readonly seed: number;
  readonly progress?: (text: string) => void;
}

export interface FuzzSummary {
  readonly requests: number;
  readonly flooded: number;
  readonly kinds: number;
  readonly codes: readonly string[];
  /** Rows that succeeded at least once. */
  readonly succeeded: readonly string[];
  readonly neverSucceeded: readonly string[];
  readonly seconds: number;
  /** The largest event loop delay, outside floods and in them. */
  readonly loopDelayMsMax: number;
  readonly loopDelayMsMaxInFloods: number;
  /** The request that blocked the event loop longest when sent alone. */
  readonly longest: Longest | undefined;
  readonly memoryMb: { readonly first: number; readonly last: number };
}

const LINES = 8;
const REQUESTS_ON_ONE_LINE = 8;
const OPERATOR_LINES = 2;
/** More would only repeat the first ones. */
const FAULTS_SHOWN_MAX = 20;
const FLOODS = 3;
const FLOOD_CONNECTIONS = 200;
const FLOOD_REQUESTS = 20;
/** Each refused call is one line of the log (REQ-73). */
const REFUSAL = /"msg":"a call was refused"/;

const SHOWN_BYTES_MAX = 1_500;

/** Operator writes that leave the world usable. Only callers without permission call the others. */
const OPERATOR_WRITES = new Set(['createUser', 'deposit', 'setPrices']);
const usableOperatorRows = operatorRows.filter(
  ({ name, row }) => row.method === 'GET' || OPERATOR_WRITES.has(name),
);

export const repeatCommand = ({ requests, seed }: Pick<FuzzOptions, 'requests' | 'seed'>): string =>
  `npm run fuzz -- --requests ${requests} --seed ${seed}`;

const qualityOf = (draw: number): Quality => {
  if (draw < 6) return 'right';
  return draw < 8 ? 'border' : 'wrong';
};

class Fuzzer {
  readonly #options: FuzzOptions;
  readonly #server: Server;
  readonly #actors: Actors;
  readonly #figures: ServerFigures;
  readonly #ids = new KnownIds();
  readonly #faults: string[] = [];
  readonly #kinds = new Map<string, number>();
  readonly #codes = new Set<string>();
  readonly #succeeded = new Set<string>();
  #sent = 0;
  #flooded = 0;

  constructor(options: FuzzOptions, server: Server, actors: Actors, figures: ServerFigures) {
    this.#figures = figures;
    this.#options = options;
    this.#server = server;
    this.#actors = actors;
  }

  /** Mostly ids of the caller; sometimes those of another account. */
  #known(caller?: string): Known {
    return { ids: this.#ids.of(caller), uids: this.#actors.traders.map(({ uid }) => uid) };
  }

  async run(): Promise<
    Omit<FuzzSummary, 'seconds' | 'loopDelayMsMax' | 'loopDelayMsMaxInFloods' | 'memoryMb'>
  > {
    const { seed } = this.#options;
    const ports = {
      public: Number(new URL(this.#server.url).port),
      operator: Number(new URL(this.#server.operatorUrl).port),
    };
    const slow = Promise.all(
      slowStarts.flatMap((first) => [
        slowSender(ports.public, first),
        slowSender(ports.operator, first),
      ]),
    );
    const matrix = actorMatrix(this.#actors, seededRandom(seed), this.#known());
    const [publicLines, operatorLines] = [LINES, OPERATOR_LINES].map((count, at) =>
      Array.from({ length: count }, () => new Line(at === 0 ? ports.public : ports.operator)),
    );
    const lineFor = (request: FuzzRequest, at: number): Line => {
      const lines = request.surface === 'public' ? publicLines! : operatorLines!;
      return lines[at % lines.length]!;
    };
    const work = async (worker: number): Promise<void> => {
      for (let number = this.#next(); number !== undefined; number = this.#next()) {
        const random = seededRandom((Math.imul(seed, 0x9e3779b1) + number) >>> 0);
        const request = matrix[number] ?? this.#draw(random);
        if (request === undefined) await this.#converse(ports.public, number, random);
        else await this.#ask(lineFor(request, worker), number, request);
      }
    };
    await Promise.all([
      ...Array.from({ length: LINES * REQUESTS_ON_ONE_LINE }, (_, at) => work(at)),
      this.#floods(ports.public),
    ]);
    for (const faults of await slow) this.#note(0, 'slow sender', faults);
    const [owner, stranger] = this.#actors.traders;
    const owned = this.#ids.of(owner!.apiKey);
    for (const fault of await strangerFaults(publicLines![0]!, stranger!, owned, seed))
      this.#note(0, 'stranger', [fault]);
    const longest = await longestAlone(
      this.#server.pid,
      publicLines![0]!,
      owner!,
      seededRandom(seed),
      this.#known(owner!.apiKey),
    );
    for (const line of [...publicLines!, ...operatorLines!]) line.close();
    return { ...this.#summary(), longest };
  }

  get faults(): readonly string[] {
    return this.#faults;
  }

  #next(): number | undefined {
    const { requests, progress } = this.#options;
    if (this.#sent >= requests || this.#faults.length >= FAULTS_SHOWN_MAX) return undefined;
    if (this.#sent > 0 && this.#sent % 50_000 === 0) progress?.(`${this.#sent} requests`);
    return this.#sent++;
  }

  async #floods(port: number): Promise<void> {
    for (let at = 1; at <= FLOODS; at++) {
      const due = (this.#options.requests * at) / (FLOODS + 1);
      while (this.#sent < due && this.#faults.length < FAULTS_SHOWN_MAX) await pause(20);
      await this.#figures.during(async () => {
        this.#flooded += await flood(port, FLOOD_CONNECTIONS, FLOOD_REQUESTS);
      });
    }
  }

  /** Undefined if this draw is no request. */
  #draw(random: Random): FuzzRequest | undefined {
    const { traders, operatorToken } = this.#actors;
    const keys = random.pick(traders);
    const draw = random.below(100);
    const known = this.#known(random.below(4) === 0 ? undefined : keys.apiKey);
    if (draw < 60) {
      const { row } = random.pick(publicRows);
      const quality = qualityOf(random.below(10));
      return signedCall(`row: ${quality}`, row, keys, sayTo(row, quality, random, known));
    }
    if (draw < 74) return spoiltJson(keys, random, known);
    if (draw < 84) return forgedCall(keys, random, known);
    if (draw < 90) return twistedTarget(keys, random, known);
    if (draw < 93) return mismatched(keys, random, known);
    if (draw < 97) {
      const { row } = random.pick(usableOperatorRows);
      const quality = qualityOf(random.below(10));
      return operatorCall(
        `operator row: ${quality}`,
        row,
        operatorToken,
        sayTo(row, quality, random, known),
      );
    }
    return undefined;
  }

  async #ask(line: Line, number: number, request: FuzzRequest): Promise<void> {
    const show = (): string =>
      JSON.stringify(request.bytes.subarray(0, SHOWN_BYTES_MAX).toString('latin1'));
    try {
      const answer = await line.ask(request.bytes);
      const faults = answerFaults(request, answer);
      this.#note(
        number,
        request.kind,
        faults.length === 0 ? faults : [...faults, show(), answer.body.slice(0, SHOWN_BYTES_MAX)],
      );
      this.#learn(request, answer.body);
    } catch (error) {
      this.#note(number, request.kind, [(error as Error).message, show()]);
    }
  }

  async #converse(port: number, number: number, random: Random): Promise<void> {
    const bare = drawBare(random);
    const faults = await bareConversation(port, bare).catch((error: unknown) => [
      (error as Error).message,
    ]);
    this.#note(number, bare.kind, faults);
  }

  #note(number: number, kind: string, faults: readonly string[]): void {
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    if (faults.length > 0)
      this.#faults.push(`request ${number}, ${kind}:\n    ${faults.join('\n    ')}`);
  }

  #learn({ row, caller, bytes }: FuzzRequest, body: string): void {
    const code = /^\{"code":"(\d+)"/.exec(body)?.[1];
    if (code === undefined) return;
    this.#codes.add(code);
    if (code !== '00000' || row === undefined) return;
    this.#succeeded.add(row.path);
    this.#ids.learn(caller, body, bytes);
  }

  #summary() {
    const paths = publicRows.map(({ name, row }) => ({
      name,
      done: this.#succeeded.has(row.path),
    }));
    return {
      requests: this.#sent,
      flooded: this.#flooded,
      kinds: this.#kinds.size,
      codes: [...this.#codes].sort(),
      succeeded: paths.filter(({ done }) => done).map(({ name }) => name),
      neverSucceeded: paths.filter(({ done }) => !done).map(({ name }) => name),
    };
  }
}

/** What must hold for the server after the run. */
async function serverFaults(server: Server, figures: ServerFigures): Promise<readonly string[]> {
  const faults: string[] = [];
  for (let look = 0; look < 100 && (await figures.sample()).inFlight > 0; look++) await pause(100);
  const { inFlight, handlerFailures } = await figures.sample();
  if (inFlight > 0) faults.push(`${inFlight} requests were never finished`);
  if (handlerFailures > 0) faults.push(`${handlerFailures} calls ended with an internal error`);
  const audit = await server.operate<{ ok: boolean; violations: readonly string[] }>(
    'GET',
    '/operator/v1/audit',
  );
  if (!audit.ok) faults.push(`the audit fails: ${audit.violations.join('; ')}`);
  const { status } = await server.health();
  if (status !== 'serving') faults.push(`the server is ${status}`);
  const { code, errors } = await server.end('SIGTERM');
  if (code !== 0) faults.push(`the server ended with code ${code}`);
  const logged = errors
    .split('\n')
    .filter((line) => line !== '' && !REFUSAL.test(line))
    .join('\n');
  if (logged !== '') faults.push(`the server logged errors: ${logged.slice(0, SHOWN_BYTES_MAX)}`);
  return faults;
}

export async function fuzzRun(options: FuzzOptions): Promise<FuzzSummary> {
  const server = await startServer({
    folder: options.folder,
    flags: ['--world', 'empty', '--limits', 'off'],
  });
  const actors = await prepareActors(server);
  const figures = await ServerFigures.watch(server);
  const begun = performance.now();
  const fuzzer = new Fuzzer(options, server, actors, figures);
  const summary = await fuzzer.run();
  const seconds = (performance.now() - begun) / 1_000;
  figures.stop();
  const faults = [...fuzzer.faults, ...(await serverFaults(server, figures))];
  if (faults.length > 0)
    throw new Error(
      `${faults.length} faults; repeat with: ${repeatCommand(options)}\n${faults.join('\n')}`,
    );
  return { ...summary, seconds: Math.round(seconds), ...figures.summary() };
}
