/** The part of an exchange that has no doors: engine, journal, views and history, brought back to where they were and kept in step. */
import { join } from 'node:path';
import { createEngine, type Engine } from '../core/engine.ts';
import type { Log } from '../gateway/log.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { listFolder } from '../journal/reader.ts';
import { recover, type Started } from '../journal/recovery.ts';
import { createSequencer, type Sequencer } from '../journal/sequencer.ts';
import { given } from '../kernel/given.ts';
import type { Sequence } from '../kernel/ids.ts';
import type { CommandType } from '../messages/commands.ts';
import type { HistoryStore } from '../views/history/history.ts';
import { createMemoryHistory } from '../views/history/memory-history.ts';
import { createViews, type Views } from '../views/views.ts';
import { systemClock } from './clock.ts';
import type { ExchangeOptions } from './exchange.ts';
import { HISTORY_FILE } from './files.ts';
import { openHistory } from './history.ts';
import { viewsSection } from './views-section.ts';

/** What recovering a folder takes; a whole exchange has more. */
export type CoreOptions = Omit<ExchangeOptions, 'settings'> & { readonly settings: Pick<ExchangeOptions['settings'], 'data'> };

export interface Core {
  readonly engine: Engine;
  readonly views: Views;
  readonly history: HistoryStore;
  readonly sequencer: Sequencer;
  readonly started: Started;
}

/** Who wants out is let out: these may use what a full disk has left. */
const URGENT: ReadonlySet<CommandType> = new Set(['cancelOrders', 'cancelAllOrders', 'cancelTriggers', 'cancelWithdrawal']);

/** Where the journal has to take up for history to miss nothing. An empty history beside a pruned journal has missed it already. */
async function historyReach(folder: string, history: HistoryStore, log: Log): Promise<Sequence | undefined> {
  const { segments } = await listFolder(nodeDisk, folder);
  const oldest = segments[0]?.sequence ?? 1;
  if (history.applied() > 0 || oldest === 1) return history.applied();
  log.error({ oldest }, 'what ended before the oldest journal segment is gone from the history store');
  return undefined;
}

/** A start that had to do without something says so: the disk may be failing. */
function tellOfRecovery({ badSnapshots, cutBytes, lastSequence }: Started, log: Log): void {
  for (const { reason } of badSnapshots) log.warn({ reason }, 'a snapshot could not be used, and was passed over');
  if (cutBytes > 0) log.warn({ cutBytes, lastSequence }, 'the remains of a batch were cut off the end of the journal');
}

/** Recovers the journal in a folder, with history and the views at the same place, and opens it for commands. */
export async function startCore({ settings, log, clock = systemClock, onFatal, historyIn }: CoreOptions, folder: string): Promise<Core> {
  const engines: Engine[] = [];
  const createMachine = (): Engine => {
    const engine = createEngine();
    engines.push(engine);
    return engine;
  };
  const history = historyIn === 'memory' ? createMemoryHistory() : await openHistory(join(settings.data, HISTORY_FILE), log);
  const views = createViews(history);
  const feed = (batch: readonly Parameters<Views['apply']>[0][]): void => {
    for (const executed of batch) views.apply(executed);
  };
  // A long journal is fed no faster than history can store it.
  const feedSlowly = (batch: readonly Parameters<Views['apply']>[0][]): Promise<void> => {
    feed(batch);
    return history.room();
  };
  const recovering = historyReach(folder, history, log).then((notAfter) =>
    recover({
      disk: nodeDisk,
      folder,
      createMachine,
      views: viewsSection(views),
      ...given({ notAfter }),
      onExecuted: feedSlowly,
    }),
  );
  const started = await recovering.catch(async (error: unknown) => {
    await history.close();
    throw error;
  });
  tellOfRecovery(started, log);
  const engine = engines.find((candidate) => candidate === started.machine)!;
  const sequencer = createSequencer({
    machine: engine,
    journal: started.journal,
    clock,
    publish: feed,
    onFatal,
    isUrgent: ({ type }) => URGENT.has(type),
  });
  return { engine, views, history, sequencer, started };
}

/** Answers what was taken, and lets go of the journal and of history. */
export async function stopCore({ sequencer, history }: Core): Promise<void> {
  await sequencer.stop();
  await history.close();
}
