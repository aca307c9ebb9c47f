/** Creates the world of the settings in a run that has none yet. */
import { namedResult } from '../../contract/field-names.ts';
import type { Vault } from '../../gateway/auth/vault.ts';
import type { Submit } from '../../gateway/submit.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { MarketRefused } from '../../simulator/market/market-accounts.ts';
import type { Core } from '../core.ts';
import type { Keyring } from '../keyring.ts';
import type { MarketDriver } from '../market-driver.ts';
import type { PriceFeeds } from '../price-feeds.ts';
import { importRecording } from '../recordings/import-recording.ts';
import type { Recordings } from '../recordings/recordings.ts';
import { sceneCommand } from '../scene-requests.ts';
import type { Settings } from '../settings.ts';
import { BadWorld } from './bad-world.ts';
import { type FileNames, makeFirstWorld, worldRefused } from './first-world.ts';
import { makeOwnWorld, type OwnWorldBuilder } from './own-world.ts';
import { readWorldFile } from './world-file.ts';
import { issueKeys } from './world-keys.ts';

export interface WorldParts {
  readonly settings: Pick<Settings, 'world' | 'market' | 'past' | 'seed'>;
  readonly core: Core;
  readonly keyring: Keyring;
  readonly vault: Vault;
  readonly market: MarketDriver;
  readonly feeds: PriceFeeds;
  readonly recordings: Recordings;
  readonly now: () => Timestamp;
}

/** The market switch of the settings; undefined lets the world decide. */
export const marketSetting = (market: Settings['market']): boolean | undefined =>
  market === undefined ? undefined : market === 'on';

const SCENE_NAMES: Readonly<Record<string, string>> = { delayMs: 'atMs', 'csv, file': 'file' };
const nameOfScene: FileNames = (field) => SCENE_NAMES[field] ?? field;

export const builtPlay =
  (submit: Submit, feeds: Pick<PriceFeeds, 'keep'>): OwnWorldBuilder['playScene'] =>
  async (request, place) => {
    const command = sceneCommand(request, feeds);
    const played = command.ok ? namedResult(await submit(command.value), 'operator') : command;
    if (!played.ok) throw worldRefused(place, played.refusal, nameOfScene);
  };

/**
 * Directly to the sequencer: the exchange does not serve yet, and its clock is held at the world's
 * start.
 */
function builderOf({
  settings,
  core,
  keyring,
  vault,
  market,
  feeds,
  recordings,
  now,
}: WorldParts): OwnWorldBuilder {
  const { sequencer, views } = core;
  const submit: Submit = sequencer.submit.bind(sequencer);
  return {
    submit,
    uidOf: (name) => views.accounts.findByName(name)?.uid,
    issueKeys: (wanted) => issueKeys({ keyring, vault, keys: views.keys, submit }, wanted),
    openMarket: async () => {
      const opened = await market.switchOn();
      if (!opened.ok)
        throw new MarketRefused('the simulated market cannot be switched on', opened.refusal);
    },
    marketOn: marketSetting(settings.market),
    past: { seed: settings.seed, spanMs: settings.past },
    now,
    isMarketOn: () => core.engine.state.marketOn,
    scenesPlayed: () => views.clock.scenes().length,
    playScene: builtPlay(submit, feeds),
    importRecording: (request) =>
      importRecording({ state: () => core.engine.state, submit, recordings }, request),
  };
}

export async function makeWorld(parts: WorldParts): Promise<void> {
  const { world } = parts.settings;
  const builder = builderOf(parts);
  if (world === 'demo' || world === 'empty') return makeFirstWorld(world, builder);
  await makeOwnWorld(readWorldFile(world), builder).catch((error: unknown) => {
    throw error instanceof BadWorld ? new BadWorld(`${world}: ${error.message}`) : error;
  });
}
