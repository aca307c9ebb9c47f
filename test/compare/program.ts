/** The part that each version contributes to a comparison: its engine, views and handlers without journal and sockets. */
import { dialectOf } from '../../src/contract/dialects.ts';
import { operatorEndpoints, publicEndpoints } from '../../src/contract/endpoints.ts';
import { errorCode, errorStatus } from '../../src/contract/errors.ts';
import { createEngine, type Engine } from '../../src/core/engine.ts';
import { openVault } from '../../src/gateway/auth/vault.ts';
import type { Caller } from '../../src/gateway/caller.ts';
import { operatorHandlers, publicHandlers } from '../../src/gateway/handlers/handlers.ts';
import type { HandlerParts } from '../../src/gateway/handlers/parts.ts';
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
import { slicesOf } from '../../src/simulator/drawn-slices.ts';
import { Population } from '../../src/simulator/population/population.ts';
import { createMemoryHistory } from '../../src/views/history/memory-history.ts';
import { createViews, type Views } from '../../src/views/views.ts';
import type { ComparedProgram, Question } from './compared.ts';
import { questionsOf, rawOf } from './questions.ts';

const START = 1_700_000_000_000;
/** Between commands, in milliseconds; one pause in so many is long. */
const PAUSE_MAX = 20;
const LONG_PAUSE_EVERY = 60;
const LONG_PAUSE_MAX = 7_200_000;

type AnyHandler = (
  request: unknown,
  caller: Caller,
) => Result<unknown, Rejection> | Promise<Result<unknown, Rejection>>;

const endpoints = { ...publicEndpoints, ...operatorEndpoints };
const nameByCall = new Map(
  Object.entries(endpoints).map(([name, { method, path }]) => [`${method} ${path}`, name]),
);

const bytesOf = (command: Command): Uint8Array => {
  const to = new ByteWriter();
  writeCommand(to, command);
  return Uint8Array.from(to.view());
};

/** What the wire says in each dialect, and the field that the message names. */
const wireOf = ({ reason, field }: Rejection): unknown => ({
  refused: {
    reason,
    field,
    status: errorStatus(reason),
    v2: errorCode(reason, 'v2'),
    v3: errorCode(reason, 'v3'),
  },
});

/** The value of an outcome with each refusal in it as the wire says it. */
function outcomeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(outcomeOf);
  if (typeof value !== 'object' || value === null || !('ok' in value)) return value;
  const result = value as Result<unknown, Rejection>;
  return result.ok ? { ok: outcomeOf(result.value) } : wireOf(result.refusal);
}

/** A crowd of this seed, and how long it waits between its commands. */
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

function handlersOf(engine: Engine, views: Views): Readonly<Record<string, AnyHandler>> {
  const now = (): Timestamp => engine.at;
  const never = (): never => {
    throw new Error('a question changes nothing');
  };
  const parts = {
    submit: never,
    views,
    clock: { wall: now, monotonic: () => 0 },
    exchangeNow: now,
    vault: openVault(Buffer.alloc(32, 1)),
    randomBytes: (count: number) => Buffer.alloc(count, 2),
    controls: {},
    faults: {},
    chain: {},
  } as unknown as HandlerParts;
  return { ...publicHandlers(parts), ...operatorHandlers(parts) } as unknown as Readonly<
    Record<string, AnyHandler>
  >;
}

async function answerOf(
  handlers: Readonly<Record<string, AnyHandler>>,
  { method, path, uid, fields }: Question,
): Promise<string> {
  const name = nameByCall.get(`${method} ${path}`) as keyof typeof endpoints | undefined;
  if (name === undefined) return JSON.stringify({ status: 404 });
  const dialect = dialectOf(path);
  const refused = ({ reason }: Rejection): string =>
    JSON.stringify({ status: errorStatus(reason), code: errorCode(reason, dialect) });
  const decoded = endpoints[name].request.decode(rawOf(fields));
  if (!decoded.ok) return refused(decoded.refusal);
  const caller: Caller = {
    uid: uid as Uid,
    permissions: new Set(),
    ip: '127.0.0.1',
    language: 'en',
  };
  try {
    const reply = await handlers[name]!(decoded.value, caller);
    return reply.ok
      ? JSON.stringify({ status: 200, data: reply.value ?? null })
      : refused(reply.refusal);
  } catch {
    // It needs a part that this program is without, or it is broken; either way both versions must agree.
    return JSON.stringify({ status: 500 });
  }
}

export function createProgram(seed: number): ComparedProgram {
  const engine = createEngine({ slices: slicesOf(seed) });
  const views = createViews(createMemoryHistory());
  const drawCommand = crowdOf(seed, engine);
  const handlers = handlersOf(engine, views);
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
    answer: (question) => answerOf(handlers, question),
  };
}
