/**
 * The part of an exchange that has no doors: engine, journal, views and history, brought back to
 * where they were and kept in step.
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { createEngine, type Engine } from '../core/engine.ts';
import type { Log } from '../gateway/log.ts';
import { DamagedJournal } from '../journal/failures.ts';
import type { Executed } from '../journal/machine.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { listFolder, readSegment } from '../journal/reader.ts';
import { type RecoverOptions, recover, type Started } from '../journal/recovery.ts';
import { createSequencer, type Sequencer } from '../journal/sequencer.ts';
import { ENGINE_VERSION_OLDEST } from '../journal/version.ts';
import type { Sequence } from '../kernel/ids.ts';
import type { Clock } from '../kernel/time.ts';
import type { Command, CommandType } from '../messages/commands.ts';
import type { HistoryStore } from '../views/history/history.ts';
import { createMemoryHistory } from '../views/history/memory-history.ts';
import type { RecordedSource } from '../views/past/recorded-past.ts';
import { createViews, type Views } from '../views/views.ts';
import { systemClock } from './clock.ts';
import type { ExchangeOptions } from './exchange-options.ts';
import { HISTORY_FILE } from './files.ts';
import { openHistory, roomIn } from './history.ts';
import { viewsSection } from './views-section.ts';

/** What recovering a folder takes; a whole exchange has more. */
export type CoreOptions = Omit<ExchangeOptions, 'settings'> & {
  readonly settings: Pick<ExchangeOptions['settings'], 'data'>;
  /** Reads recordings for the views; left out where nobody asks them. */
  readonly recorded?: RecordedSource;
};

export interface Core {
  readonly engine: Engine;
  readonly views: Views;
  readonly history: HistoryStore;
  readonly sequencer: Sequencer;
  readonly started: Started;
  /** Events since the snapshot that the start began with: those it caused again, and all since. */
  readonly eventsExecuted: () => number;
}

/** As large as chance is given at once. */
const SALT_MAX = 2 ** 48 - 1;
/** So many numbers there are for journals. */
const JOURNALS = 2 ** 32;

/**
 * Who wants out is let out: these may use what a full disk has left, and history takes them when it
 * is behind, for they are no more than what is open.
 */
const URGENT: ReadonlySet<CommandType> = new Set([
  'cancelOrders',
  'cancelAllOrders',
  'cancelTriggers',
  'cancelWithdrawal',
]);
export const isUrgent = ({ type }: Pick<Command, 'type'>): boolean => URGENT.has(type);

/** What tells a journal from every other one; undefined where no segment has a header any more. */
async function journalNumber(folder: string): Promise<number | undefined> {
  const { segments } = await listFolder(nodeDisk, folder);
  for (const segment of segments.toReversed()) {
    try {
      return (await readSegment(nodeDisk, folder, segment)).header.seed;
    } catch (error) {
      if (!(error instanceof DamagedJournal)) throw error;
    }
  }
  return segments.length === 0 ? randomInt(1, JOURNALS) : undefined;
}

type HistoryReach = Pick<RecoverOptions, 'notAfter' | 'emitAgainFrom'>;

/**
 * The first segment whose commands this program executes; those before it belong to a program of an
 * older engine version.
 */
async function firstExecutable(folder: string): Promise<Sequence | undefined> {
  const { segments } = await listFolder(nodeDisk, folder);
  for (const segment of segments) {
    // One that is damaged matters only to whoever executes it, and is met there.
    const engineVersion = await readSegment(nodeDisk, folder, segment).then(
      ({ header }) => header.engineVersion,
      (error: unknown) => {
        if (error instanceof DamagedJournal) return 0;
        throw error;
      },
    );
    if (engineVersion >= ENGINE_VERSION_OLDEST) return segment.sequence;
  }
  return undefined;
}

/**
 * Where the journal has to take up for history to miss nothing, or as little as can be where an
 * empty one has missed something already.
 */
async function historyReach(folder: string, history: HistoryStore): Promise<HistoryReach> {
  if (history.applied() > 0) return { notAfter: history.applied() };
  const { segments } = await listFolder(nodeDisk, folder);
  if (segments.length === 0) return { notAfter: history.applied() };
  const first = await firstExecutable(folder);
  if (first === 1) return { notAfter: history.applied() };
  return first === undefined ? {} : { emitAgainFrom: (first - 1) as Sequence };
}

/** A start that had to do without something says so: the disk may be failing. */
function tellOfRecovery(
  { badSnapshots, cutBytes, lastSequence, snapshotSequence }: Started,
  { notAfter }: HistoryReach,
  log: Log,
): void {
  for (const { reason } of badSnapshots)
    log.warn({ reason }, 'a snapshot could not be used, and was passed over');
  if (cutBytes > 0)
    log.warn(
      { cutBytes, lastSequence },
      'the remains of a batch were cut off the end of the journal',
    );
  if (notAfter === undefined)
    log.error(
      { lost: snapshotSequence },
      'what ended up to this sequence is gone from the history store, and the journal cannot tell it again',
    );
}

/** Nobody waits so long for a start without asking himself whether it goes on. */
const SILENCE_MS = 5_000;

/** Says now and then how far a start has come that executes a long journal again. */
function tellsOfProgress(clock: Clock, log: Log): (batch: readonly Executed[]) => void {
  let toldAt = clock.monotonic();
  return (batch) => {
    const now = clock.monotonic();
    if (now - toldAt < SILENCE_MS) return;
    toldAt = now;
    log.warn(
      { sequence: batch.at(-1)?.sequence },
      'the start executes the journal again, and has come so far',
    );
  };
}

/** Feeds the views, and counts what they were fed. */
function feedOf(views: Pick<Views, 'apply'>): {
  feed: (batch: readonly Executed[]) => void;
  eventsExecuted: () => number;
} {
  let events = 0;
  const feed = (batch: readonly Executed[]): void => {
    for (const executed of batch) {
      events += executed.events.length;
      views.apply(executed);
    }
  };
  return { feed, eventsExecuted: () => events };
}

/**
 * Recovers the journal in a folder, with history and the views at the same place, and opens it for
 * commands.
 */
export async function startCore(
  { settings, log, clock = systemClock, onFatal, historyIn, recorded }: CoreOptions,
  folder: string,
): Promise<Core> {
  const engines: Engine[] = [];
  const createMachine = (): Engine => {
    const engine = createEngine({ salt: randomInt(SALT_MAX) });
    engines.push(engine);
    return engine;
  };
  // First: the journal of a newer program refuses the start before its history is looked at.
  const journal = await journalNumber(folder);
  const history =
    historyIn === 'memory'
      ? createMemoryHistory()
      : await openHistory(join(settings.data, HISTORY_FILE), log, journal);
  const views = createViews(history, recorded);
  const { feed, eventsExecuted } = feedOf(views);
  const tell = tellsOfProgress(clock, log);
  // A long journal is fed no faster than history can store it.
  const feedSlowly = (batch: readonly Executed[]): Promise<void> => {
    feed(batch);
    tell(batch);
    return roomIn(history, log);
  };
  const recoverWithHistory = async (): Promise<Started> => {
    const reach = await historyReach(folder, history);
    const recovered = await recover({
      disk: nodeDisk,
      folder,
      createMachine,
      views: viewsSection(views),
      ...reach,
      onExecuted: feedSlowly,
      drawSeed: () => journal!,
    });
    tellOfRecovery(recovered, reach, log);
    return recovered;
  };
  const started = await recoverWithHistory().catch(async (error: unknown) => {
    await history.close();
    throw error;
  });
  const engine = engines.find((candidate) => candidate === started.machine)!;
  const sequencer = createSequencer({
    machine: engine,
    journal: started.journal,
    clock,
    publish: feed,
    onFatal,
    isUrgent,
  });
  return { engine, views, history, sequencer, started, eventsExecuted };
}

/** Answers what was taken, and lets go of the journal and of history. */
export async function stopCore({ sequencer, history }: Core): Promise<void> {
  await sequencer.stop();
  await history.close();
}
