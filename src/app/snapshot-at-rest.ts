/**
 * A snapshot of an exchange that is not running: what a program of the next engine version goes on
 * from.
 */
import { createEngine } from '../core/engine.ts';
import type { Log } from '../gateway/log.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { makeSnapshot } from '../journal/recovery.ts';
import type { Sequence } from '../kernel/ids.ts';
import { type Core, startCore, stopCore } from './core.ts';
import { journalFolder } from './files.ts';
import { lockGuarded } from './folder-guard.ts';
import type { HashedState } from './known-state.ts';
import { viewsForSnapshot } from './views-section.ts';

/**
 * What is durable and what history holds for good; whatever comes of it, the folder is closed
 * again.
 */
async function reachOf(
  core: Core,
): Promise<{ readonly upTo: Sequence; readonly neededFrom: Sequence }> {
  try {
    return { upTo: core.sequencer.status().durable, neededFrom: await core.history.sync() };
  } finally {
    await stopCore(core);
  }
}

/**
 * Recovers a data folder with its history, closes it again, and writes what was found as its newest
 * snapshot.
 */
export async function snapshotAtRest(data: string, log: Log): Promise<HashedState> {
  const lock = await lockGuarded(data);
  try {
    const folder = journalFolder(data);
    const onFatal = (): void => undefined;
    const core = await startCore({ settings: { data }, log, onFatal }, folder);
    const { upTo, neededFrom } = await reachOf(core);
    const { section, feed } = viewsForSnapshot();
    return await makeSnapshot({
      disk: nodeDisk,
      folder,
      createMachine: createEngine,
      views: section,
      onExecuted: feed,
      upTo,
      neededFrom,
    });
  } finally {
    await lock.release();
  }
}
