/** Creates a world in memory before the real start, to find out what the exchange would refuse. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '../../core/engine.ts';
import type { Uid } from '../../kernel/ids.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Command } from '../../messages/commands.ts';
import type { Outcomes } from '../../messages/outcomes.ts';
import {
  ensureMarketAccounts,
  MarketRefused,
  type Submit,
} from '../../simulator/market/market-accounts.ts';
import { readFeed } from '../../simulator/market/price-feed.ts';
import { importRecording } from '../recordings/import-recording.ts';
import { Recordings } from '../recordings/recordings.ts';
import type { Settings } from '../settings.ts';
import { BadWorld } from './bad-world.ts';
import { builtPlay, marketSetting } from './make-world.ts';
import { makeOwnWorld, type OwnWorldBuilder } from './own-world.ts';
import { readWorldFile } from './world-file.ts';

type Requested = Pick<Settings, 'world' | 'market' | 'past' | 'seed'>;

/** Recordings of a rehearsal are temporary. */
async function withRecordings<Value>(
  use: (recordings: Recordings) => Promise<Value>,
): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-rehearsal-'));
  const recordings = new Recordings(folder);
  try {
    return await use(recordings);
  } finally {
    await recordings.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function rehearsal({ market, past, seed }: Requested, at: Timestamp): OwnWorldBuilder {
  const engine = createEngine();
  const uids = new Map<string, Uid>();
  const submit = (async (command: Command) => {
    const { outcome } = engine.execute(command, at);
    if (command.type === 'createUser' && outcome.ok)
      uids.set(command.name ?? '', (outcome.value as Outcomes['createUser']).uid);
    return outcome;
  }) as Submit;
  return {
    submit,
    uidOf: (name) => uids.get(name),
    // A rehearsal creates no keys.
    issueKeys: async () => undefined,
    openMarket: () => ensureMarketAccounts(() => engine.state, submit),
    marketOn: marketSetting(market),
    past: { seed, spanMs: past },
    now: () => at,
    isMarketOn: () => engine.state.marketOn,
    scenesPlayed: () => 0,
    playScene: builtPlay(submit, { keep: (text) => ({ file: 'rehearsed', rows: readFeed(text) }) }),
    importRecording: (request) =>
      withRecordings((recordings) =>
        importRecording({ state: () => engine.state, submit, recordings }, request),
      ),
  };
}

/** The reason why this world, built in or a file, cannot be created; undefined if it can. */
export async function worldRefusal(
  requested: Requested,
  at: Timestamp,
): Promise<string | undefined> {
  const { world } = requested;
  if (world === 'demo' || world === 'empty') return undefined;
  try {
    const read = readWorldFile(world);
    await makeOwnWorld(read, rehearsal(requested, at)).catch((error: unknown) => {
      throw error instanceof BadWorld || error instanceof MarketRefused
        ? new BadWorld(`${world}: ${error.message}`)
        : error;
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof BadWorld)) throw error;
    return error.message;
  }
}
