/**
 * What the operator asks of a life that is no command: how it fares, snapshots, the clock, the
 * simulated market, and a new beginning.
 */
import { sceneFault } from '../core/world/scenes.ts';
import type { Reply } from '../gateway/handlers/handler.ts';
import type { MarketChange, OperatorControls, ServiceStatus } from '../gateway/handlers/parts.ts';
import type { Submit } from '../gateway/submit.ts';
import { ok, refuse } from '../kernel/result.ts';
import type { CommandOf } from '../messages/commands.ts';
import { rejection } from '../messages/rejections.ts';
import { MarketRefused } from '../simulator/market/market-accounts.ts';
import type { Core } from './core.ts';
import type { KnownState } from './known-state.ts';
import type { MarketDriver } from './market-driver.ts';
import { auditText } from './operator-figures.ts';
import type { PriceFeeds } from './price-feeds.ts';
import { importRecording } from './recordings/import-recording.ts';
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
  /** The same at one moment, with the makers' quotes beside a price. */
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
    return refuse(rejection('notServing'));
  }
}

/** A scene that cannot be played switches nothing. */
async function changeMarket(
  parts: ControlledParts,
  { on, scene }: MarketChange,
): ReturnType<OperatorControls['changeMarket']> {
  const { core, market, feeds, submit } = parts;
  const { state } = core.engine;
  if (scene === undefined) return on === true ? switchOn(market) : market.switchOff();
  if (!(on ?? state.marketOn)) return refuse(rejection('marketOff', 'scene'));
  const command = sceneCommand(scene, feeds);
  if (!command.ok) return command;
  return (
    sceneFault(state, command.value) ??
    (on === undefined ? submit(command.value) : switchOn(market, command.value))
  );
}

/**
 * Whoever asks is told why the market cannot be on, as when the house holds less than its makers
 * bring.
 */
async function switchOn(
  market: MarketDriver,
  scene?: CommandOf<'playScene'>,
): Promise<Reply<unknown>> {
  try {
    return await market.switchOn(scene);
  } catch (error) {
    if (error instanceof MarketRefused) return refuse(error.refusal);
    throw error;
  }
}

export const operatorControls = (parts: ControlledParts): OperatorControls => ({
  health: async () => {
    const { sequence: stateHashSequence, stateHash } = await parts.knownState.tell();
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
  moveClock: (move) => parts.market.moveClock(move),
  clockWay: () => parts.market.clockWay(),
  changeMarket: (change) => changeMarket(parts, change),
  importRecording: (request) =>
    importRecording(
      { ...parts, state: () => parts.core.engine.state, submit: parts.submitNow },
      request,
    ),
  reset: parts.reset,
});
