/**
 * Operator actions on a run that are not commands: status, snapshots, clock, simulated market, and
 * reset.
 */

import { namedRejection, namedResult } from '../contract/field-names.ts';
import { wireRejection } from '../contract/wire-rejections.ts';
import { sceneFault } from '../core/world/scenes.ts';
import type { Reply } from '../gateway/handlers/handler.ts';
import type { MarketChange, OperatorControls, ServiceStatus } from '../gateway/handlers/parts.ts';
import type { Submit } from '../gateway/submit.ts';
import { ok, refuse } from '../kernel/result.ts';
import type { CommandOf } from '../messages/commands.ts';
import { MarketRefused } from '../simulator/market/market-accounts.ts';
import type { Core } from './core.ts';
import type { KnownState } from './known-state.ts';
import type { MarketDriver } from './market-driver.ts';
import { auditText } from './operator-figures.ts';
import type { PriceFeeds } from './price-feeds.ts';
import { type ImportParts, importRecording, importUpload } from './recordings/import-recording.ts';
import type { Recordings } from './recordings/recordings.ts';
import { sceneCommand } from './scene-requests.ts';
import { SnapshotBrokenOff, type Snapshots } from './snapshots.ts';

interface ControlledParts {
  readonly core: Core;
  readonly market: MarketDriver;
  readonly feeds: PriceFeeds;
  readonly recordings: Recordings;
  readonly knownState: KnownState;
  readonly snapshots: Snapshots;
  readonly submit: Submit;
  /** Submits a price and the makers' quotes at one exchange time. */
  readonly submitNow: Submit;
  readonly status: () => ServiceStatus;
  readonly uptimeMs: () => number;
  readonly onSnapshotFailure: (error: Error) => void;
  readonly reset: OperatorControls['reset'];
}

async function takeSnapshot({
  snapshots,
  onSnapshotFailure,
}: ControlledParts): ReturnType<OperatorControls['snapshot']> {
  try {
    return ok({ sequence: (await snapshots.make()).sequence });
  } catch (error) {
    if (!(error instanceof SnapshotBrokenOff)) onSnapshotFailure(error as Error);
    return refuse(wireRejection('notServing'));
  }
}

/** A scene that cannot be played changes nothing. */
async function changeMarket(
  parts: ControlledParts,
  { on, scene }: MarketChange,
): ReturnType<OperatorControls['changeMarket']> {
  const { core, market, feeds, submit } = parts;
  const { state } = core.engine;
  if (scene === undefined)
    return on === true ? switchOn(market) : namedResult(await market.switchOff(), 'operator');
  if (!(on ?? state.marketOn)) return refuse(wireRejection('marketOff', 'scene'));
  const command = sceneCommand(scene, feeds);
  if (!command.ok) return command;
  const fault = sceneFault(state, command.value);
  if (fault !== undefined) return namedResult(fault, 'operator');
  return on === undefined
    ? namedResult(await submit(command.value), 'operator')
    : switchOn(market, command.value);
}

/**
 * Returns the reason if the market cannot be on, for example if the house has too little for its
 * makers.
 */
async function switchOn(
  market: MarketDriver,
  scene?: CommandOf<'playScene'>,
): Promise<Reply<unknown>> {
  try {
    return namedResult(await market.switchOn(scene), 'operator');
  } catch (error) {
    if (error instanceof MarketRefused) return refuse(namedRejection(error.refusal, 'operator'));
    throw error;
  }
}

const importParts = (parts: ControlledParts): ImportParts => ({
  ...parts,
  state: () => parts.core.engine.state,
  submit: parts.submitNow,
});

export const operatorControls = (parts: ControlledParts): OperatorControls => ({
  health: async () => {
    const { sequence: stateHashSequence, stateHash } = await parts.knownState.latest();
    const { sequence, durable } = parts.core.sequencer.status();
    return {
      status: parts.status(),
      sequence,
      durable,
      stateHash,
      stateHashSequence,
      uptimeMs: parts.uptimeMs(),
    };
  },
  audit: () => auditText(parts.core.engine),
  snapshot: () => takeSnapshot(parts),
  moveClock: async (move) => namedResult(await parts.market.moveClock(move), 'operator'),
  clockWay: () => parts.market.clockWay(),
  changeMarket: (change) => changeMarket(parts, change),
  importRecording: (request) => importRecording(importParts(parts), request),
  importUpload: (upload, request) => importUpload(importParts(parts), upload, request),
  reset: parts.reset,
});
