/**
 * The part that each version contributes to a comparison: its engine, views and handlers without
 * journal and sockets.
 */
import { dialectOf } from '../../src/contract/dialects.ts';
import { operatorEndpoints, publicEndpoints } from '../../src/contract/endpoints.ts';
import { errorCode, errorStatus } from '../../src/contract/errors.ts';
import { JsonNumber, type Raw } from '../../src/contract/raw.ts';
import type { WireRejection } from '../../src/contract/wire-rejections.ts';
import { createEngine, type Engine } from '../../src/core/engine.ts';
import { openVault } from '../../src/gateway/auth/vault.ts';
import type { Caller } from '../../src/gateway/caller.ts';
import { FaultLaboratory } from '../../src/gateway/faults/fault-laboratory.ts';
import { operatorHandlers, publicHandlers } from '../../src/gateway/handlers/handlers.ts';
import type { ExchangeParts } from '../../src/gateway/handlers/parts.ts';
import { nodeDisk } from '../../src/journal/node-disk.ts';
import { readCommands } from '../../src/journal/reader.ts';
import { ByteReader, ByteWriter } from '../../src/kernel/bytes.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import type { Result } from '../../src/kernel/result.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import { readCommand, writeCommand } from '../../src/messages/command-codec.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { Rejection } from '../../src/messages/rejections.ts';
import { portionsOf } from '../../src/simulator/drawn-portions.ts';
import { Population } from '../../src/simulator/population/population.ts';
import { createMemoryHistory } from '../../src/views/history/memory-history.ts';
import { createViews, type Views } from '../../src/views/views.ts';
import type { ComparedProgram, Question } from './compared.ts';
import { questionsOf } from './questions.ts';
import { requestsIn } from './requests.ts';

const START = 1_700_000_000_000;
/** Pauses between commands, in milliseconds; one in this many is long. */
const PAUSE_MAX = 20;
const LONG_PAUSE_EVERY = 60;
const LONG_PAUSE_MAX = 7_200_000;

type AnyHandler = (
  request: unknown,
  caller: Caller,
) => Result<unknown, WireRejection> | Promise<Result<unknown, WireRejection>>;

const endpoints = { ...publicEndpoints, ...operatorEndpoints };
const nameByCall = new Map(
  Object.entries(endpoints).map(([name, { method, path }]) => [`${method} ${path}`, name]),
);

const bytesOf = (command: Command): Uint8Array => {
  const to = new ByteWriter();
  writeCommand(to, command);
  return Uint8Array.from(to.view());
};

/** A refusal as each dialect's wire code, with the field's name in the core. */
const wireOf = ({ reason, field }: Rejection): unknown => ({
  refused: {
    reason,
    field,
    status: errorStatus(reason),
    v2: errorCode(reason, 'v2'),
    v3: errorCode(reason, 'v3'),
  },
});

/** The value of an outcome, with each refusal in wire form. */
function outcomeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(outcomeOf);
  if (typeof value !== 'object' || value === null || !('ok' in value)) return value;
  const result = value as Result<unknown, Rejection>;
  return result.ok ? { ok: outcomeOf(result.value) } : wireOf(result.refusal);
}

/** A crowd of this seed, and its pauses between commands. */
function crowdOf(
  seed: number,
  engine: Engine,
): () => { readonly command: Command; readonly wall: Timestamp } {
  const random = seededRandom(seed);
  const population = new Population(random.fork('crowd'));
  const pauses = random.fork('pauses');
  let wall = START as Timestamp;
  return () => {
    const longest = pauses.below(LONG_PAUSE_EVERY) === 0 ? LONG_PAUSE_MAX : PAUSE_MAX;
    wall = (wall + pauses.below(longest)) as Timestamp;
    return { command: population.draw(engine, wall), wall };
  };
}

/** A request's plain fields as the gateway reads them. */
function rawOf(value: unknown): Raw {
  if (Array.isArray(value)) return value.map(rawOf);
  if (typeof value === 'number') return new JsonNumber(String(value));
  if (typeof value !== 'object' || value === null) return value as Raw;
  return new Map(Object.entries(value).map(([name, item]) => [name, rawOf(item)]));
}

/** Accepts requests like the gateway, and executes their commands at once. */
class Desk {
  readonly #engine: Engine;
  readonly #views: Views;
  readonly #handlers: Readonly<Record<string, AnyHandler>>;
  /** Commands of the current request, as bytes. */
  #submitted: string[] = [];

  constructor(engine: Engine, views: Views) {
    this.#engine = engine;
    this.#views = views;
    const now = (): Timestamp => engine.at;
    const clock = { wall: now, monotonic: () => 0 };
    const parts = {
      submit: (command: Command) => Promise.resolve(this.#submit(command)),
      views,
      clock,
      exchangeNow: now,
      vault: openVault(Buffer.alloc(32, 1)),
      randomBytes: (count: number) => Buffer.alloc(count, 2),
      controls: {},
      faults: new FaultLaboratory({
        views,
        clock,
        exchangeNow: now,
        onLateFailure: () => undefined,
      }),
      chain: { nudge: () => undefined, settle: async () => undefined },
    } as unknown as ExchangeParts;
    const handlers = { ...publicHandlers(parts), ...operatorHandlers(parts) };
    this.#handlers = handlers as unknown as Readonly<Record<string, AnyHandler>>;
  }

  #submit(command: Command): Result<unknown, Rejection> {
    this.#submitted.push(Buffer.from(bytesOf(command)).toString('hex'));
    const executed = this.#engine.execute(command, this.#engine.at);
    this.#views.apply(executed);
    return executed.outcome;
  }

  async answer(question: Question): Promise<string> {
    this.#submitted = [];
    const answer = await this.#answerOf(question);
    const submitted = this.#submitted;
    return JSON.stringify(submitted.length === 0 ? answer : { ...answer, submitted });
  }

  async #answerOf({ method, path, uid, content }: Question): Promise<object> {
    const name = nameByCall.get(`${method} ${path}`) as keyof typeof endpoints | undefined;
    if (name === undefined) return { status: 404 };
    const refused = ({ reason, field }: WireRejection): object => {
      return { status: errorStatus(reason), code: errorCode(reason, dialectOf(path)), field };
    };
    const decoded = endpoints[name].request.decode(rawOf(content));
    if (!decoded.ok) return refused(decoded.refusal);
    const caller = { uid: uid as Uid, permissions: new Set<never>(), ip: '127.0.0.1' };
    try {
      const reply = await this.#handlers[name]!(decoded.value, { ...caller, language: 'en' });
      return reply.ok ? { status: 200, data: reply.value ?? null } : refused(reply.refusal);
    } catch (error) {
      // The call needs a part that is missing here, or the program has a bug: both versions must
      // agree.
      return { status: 500, error: error instanceof Error ? error.name : 'it threw' };
    }
  }
}

export function createProgram(seed: number): ComparedProgram {
  const engine = createEngine({ portions: portionsOf(seed) });
  const views = createViews(createMemoryHistory());
  const drawCommand = crowdOf(seed, engine);
  const desk = new Desk(engine, views);
  return {
    draw: () => {
      const { command, wall } = drawCommand();
      return { at: engine.exchangeTime(wall), bytes: bytesOf(command) };
    },
    readJournal: async (folder) => {
      const rows = [];
      for await (const { at, command } of readCommands(nodeDisk, folder))
        rows.push({ at, bytes: bytesOf(command) });
      return rows;
    },
    execute: ({ at, bytes }) => {
      const executed = engine.execute(readCommand(new ByteReader(bytes)), at as Timestamp);
      views.apply(executed);
      return { at: executed.at, outcome: outcomeOf(executed.outcome), events: executed.events };
    },
    holdings: () => {
      const {
        ledger,
        debts,
        positions,
        orders,
        isolatedPairs,
        isolatedDebts,
        orderMargins,
        triggers,
        nextId,
      } = engine.state;
      return {
        ledger,
        debts,
        positions,
        orders,
        isolatedPairs,
        isolatedDebts,
        orderMargins,
        triggers,
        nextId,
      };
    },
    questions: () => questionsOf(engine.state),
    requests: () => requestsIn(engine.state),
    answer: (question) => desk.answer(question),
  };
}
