/**
 * The exchange without its HTTP servers: recovers engine, journal, views and history, and keeps
 * them in step.
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
import type { StreamFeed } from '../streams/feed.ts';
import type { HistoryStore } from '../views/history/history.ts';
import { createMemoryHistory } from '../views/history/memory-history.ts';
import type { RecordedSource } from '../views/past/recorded-past.ts';
import { createViews, type Views } from '../views/views.ts';
import { systemClock } from './clock.ts';
import type { ExchangeOptions } from './exchange-options.ts';
import { HISTORY_FILE } from './files.ts';
import { openHistory, roomIn } from './history.ts';
import { viewsSection } from './views-section.ts';

/** Options for recovering a folder; a whole exchange has more. */
export type CoreOptions = Omit<ExchangeOptions, 'settings'> & {
  readonly settings: Pick<ExchangeOptions['settings'], 'data'>;
  /** Reads recordings for the views; omitted if there are no queries. */
  readonly recorded?: RecordedSource;
};

export interface Core {
  readonly engine: Engine;
  readonly views: Views;
  readonly history: HistoryStore;
  readonly sequencer: Sequencer;
  readonly started: Started;
  /** Events since the snapshot used at the start: replayed ones and new ones. */
  readonly eventsExecuted: () => number;
  /** Feeds streams with each batch from here on, once it is durable and the views have it. */
  readonly follow: (feed: StreamFeed) => void;
}

/** The largest value of one random draw. */
const SALT_MAX = 2 ** 48 - 1;
/** Journal ids are 32 bits. */
const JOURNALS = 2 ** 32;

/**
 * Cancels reduce exposure, so they are allowed when the disk is full. History accepts them when it
 * is behind, because there are no more of them than open orders.
 */
const URGENT: ReadonlySet<CommandType> = new Set([
  'cancelOrders',
  'cancelAllOrders',
  'cancelTriggers',
  'cancelWithdrawal',
]);
export const isUrgent = ({ type }: Pick<Command, 'type'>): boolean => URGENT.has(type);

/** The id that identifies a journal; undefined if no segment has a header. */
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
 * The first segment whose commands this program can execute; earlier ones belong to an older engine
 * version.
 */
async function firstExecutable(folder: string): Promise<Sequence | undefined> {
  const { segments } = await listFolder(nodeDisk, folder);
  for (const segment of segments) {
    // A damaged segment matters only when it is executed, and is reported then.
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
 * The sequence from which the journal must be replayed so that history has no gap. If an empty
 * history has already missed some, the earliest possible sequence.
 */
async function historyReach(folder: string, history: HistoryStore): Promise<HistoryReach> {
  if (history.applied() > 0) return { notAfter: history.applied() };
  const { segments } = await listFolder(nodeDisk, folder);
  if (segments.length === 0) return { notAfter: history.applied() };
  const first = await firstExecutable(folder);
  if (first === 1) return { notAfter: history.applied() };
  return first === undefined ? {} : { emitAgainFrom: (first - 1) as Sequence };
}

/** Logs what a start recovered without: the disk may be failing. */
function logRecovery(
  { badSnapshots, cutBytes, lastSequence, snapshotSequence }: Started,
  { notAfter }: HistoryReach,
  log: Log,
): void {
  for (const { reason } of badSnapshots)
    log.warn({ reason }, 'a snapshot could not be used and was skipped');
  if (cutBytes > 0)
    log.warn({ cutBytes, lastSequence }, 'the incomplete end of the journal was cut off');
  if (notAfter === undefined)
    log.error(
      { lost: snapshotSequence },
      'rows up to this sequence are missing from the history store, and the journal cannot restore them',
    );
}

/** A long silent start looks as if it hangs. */
const SILENCE_MS = 5_000;

/** Logs the progress of a start that replays a long journal. */
function progressLogger(clock: Clock, log: Log): (batch: readonly Executed[]) => void {
  let loggedAt = clock.monotonic();
  return (batch) => {
    const now = clock.monotonic();
    if (now - loggedAt < SILENCE_MS) return;
    loggedAt = now;
    log.warn(
      { sequence: batch.at(-1)?.sequence },
      'the start replays the journal and has reached this sequence',
    );
  };
}

/** Feeds the views, then the streams if there are any, and counts the events. */
function feedOf(views: Pick<Views, 'apply'>): {
  feed: (batch: readonly Executed[]) => void;
  eventsExecuted: () => number;
  follow: (feed: StreamFeed) => void;
} {
  let events = 0;
  let streams: StreamFeed | undefined;
  const feed = (batch: readonly Executed[]): void => {
    for (const executed of batch) {
      events += executed.events.length;
      views.apply(executed);
      streams?.batch(executed);
    }
  };
  return {
    feed,
    eventsExecuted: () => events,
    follow: (followed) => {
      streams = followed;
    },
  };
}

/**
 * Recovers the journal in a folder, with history and views at the same sequence, and opens it for
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
  // Checked first: the journal of a newer program refuses the start before its history is opened.
  const journal = await journalNumber(folder);
  const history =
    historyIn === 'memory'
      ? createMemoryHistory()
      : await openHistory(join(settings.data, HISTORY_FILE), log, journal);
  const views = createViews(history, recorded);
  const { feed, eventsExecuted, follow } = feedOf(views);
  const logProgress = progressLogger(clock, log);
  // Replays a long journal no faster than history can store it.
  const feedSlowly = (batch: readonly Executed[]): Promise<void> => {
    feed(batch);
    logProgress(batch);
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
    logRecovery(recovered, reach, log);
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
  return { engine, views, history, sequencer, started, eventsExecuted, follow };
}

/** Answers accepted commands, then closes the journal and history. */
export async function stopCore({ sequencer, history }: Core): Promise<void> {
  await sequencer.stop();
  await history.close();
}
