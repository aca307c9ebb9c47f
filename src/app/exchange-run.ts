/**
 * One run of an exchange, from its journal's first command to its last: engine, views, market and
 * clock in step, with what the handlers need. A reset ends one run and starts another behind the
 * same HTTP servers.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openVault, type Vault } from '../gateway/auth/vault.ts';
import { FaultLaboratory } from '../gateway/faults/fault-laboratory.ts';
import type { GatewayParts } from '../gateway/gateway.ts';
import { operatorHandlers, publicHandlers } from '../gateway/handlers/handlers.ts';
import type { ExchangeParts, OperatorControls, ServiceStatus } from '../gateway/handlers/parts.ts';
import type { Submit } from '../gateway/submit.ts';
import type { Uid } from '../kernel/ids.ts';
import { refuse } from '../kernel/result.ts';
import { type Clock, SECOND } from '../kernel/time.ts';
import type { Command } from '../messages/commands.ts';
import { rejection } from '../messages/rejections.ts';
import type { Scene } from '../messages/scenes.ts';
import { MarketRefused } from '../simulator/market/market-accounts.ts';
import type { StreamServer } from '../streams/stream-server.ts';
import type { KeyQueries } from '../views/keys.ts';
import { CHAIN_FILE, openChainFile } from './chains/chain-file.ts';
import { SimulatedChain } from './chains/simulated-chain.ts';
import { WithdrawalSender } from './chains/withdrawal-sender.ts';
import { systemClock } from './clock.ts';
import { type Core, isUrgent, startCore, stopCore } from './core.ts';
import type { ExchangeOptions } from './exchange-options.ts';
import { journalFolder } from './files.ts';
import { HeldClock } from './held-clock.ts';
import { logFullHistory, roomIn, roomOrTrouble } from './history.ts';
import type { Keyring } from './keyring.ts';
import { KnownState } from './known-state.ts';
import { MarketDriver } from './market-driver.ts';
import { operatorControls } from './operator-controls.ts';
import { houseBalances, readings } from './operator-figures.ts';
import { PriceFeeds } from './price-feeds.ts';
import { checkRecordings, Recordings } from './recordings/recordings.ts';
import { RunClock } from './run-clock.ts';
import { startStreams } from './run-streams.ts';
import { Snapshots } from './snapshots.ts';
import { makeWorld } from './world/make-world.ts';

/** How often the exchange checks for due timers. */
const DUE_CHECK_MS = SECOND / 4;

/** Resolves after the microtasks that are already queued. */
const AFTER_THIS = Promise.resolve();

export interface RunOptions extends ExchangeOptions {
  readonly keyring: Keyring;
  /** Ends this run and starts another. */
  readonly reset: OperatorControls['reset'];
}

/** What a run provides to a gateway. */
export type RunParts = Pick<
  GatewayParts,
  | 'publicHandlers'
  | 'operatorHandlers'
  | 'keys'
  | 'vault'
  | 'exchangeNow'
  | 'isServing'
  | 'afterWriting'
  | 'faults'
  | 'readings'
  | 'houseBalances'
  | 'streams'
>;

export class ExchangeRun {
  readonly #core: Core;
  readonly #options: RunOptions;
  readonly #clock: Clock;
  readonly #time: RunClock;
  readonly #vault: Vault;
  readonly #snapshots: Snapshots;
  readonly #knownState: KnownState;
  readonly #feeds: PriceFeeds;
  readonly #recordings: Recordings;
  readonly #market: MarketDriver;
  readonly #startedAt: number;
  readonly faults: FaultLaboratory;
  readonly #streams: StreamServer;
  readonly #chainFile: ReturnType<typeof openChainFile>;
  readonly #sender: WithdrawalSender;
  isFirst = false;
  #status: ServiceStatus = 'starting';
  #dueCheck: NodeJS.Timeout | undefined;
  #following: NodeJS.Timeout | undefined;
  #goesOn = false;

  constructor(options: RunOptions, core: Core, held: HeldClock, recordings: Recordings) {
    this.#options = options;
    this.#core = core;
    this.#clock = options.clock ?? systemClock;
    const isServing = (): boolean => this.#status === 'serving';
    this.#time = new RunClock({
      core,
      real: this.#clock,
      held,
      startTime: options.settings.startTime,
      isServing,
    });
    this.#startedAt = this.#clock.monotonic();
    this.#vault = openVault(options.keyring.masterKey);
    this.faults = new FaultLaboratory({
      views: core.views,
      clock: this.#clock,
      exchangeNow: this.#time.exchangeNow,
      onLateFailure: (error) => options.log.error({ err: error }, 'a delayed call failed'),
    });
    const { sequencer, history, started } = core;
    this.#streams = startStreams(core, options.settings, {
      keys: this.#keys,
      vault: this.#vault,
      clock: this.#clock,
      exchangeNow: this.#time.exchangeNow,
      log: options.log,
    });
    this.#chainFile = openChainFile(join(options.settings.data, CHAIN_FILE));
    const chain = new SimulatedChain({ now: this.#time.exchangeNow, memory: this.#chainFile });
    this.#sender = new WithdrawalSender({
      connector: chain,
      submit: (command) => this.#submit(command),
      withdrawals: core.views.withdrawals,
      listings: core.views.listings,
      now: this.#time.exchangeNow,
      log: options.log,
      plan: (fault, count) => chain.plan(fault, count),
    });
    this.#knownState = new KnownState(core.engine, this.#clock);
    this.#snapshots = new Snapshots(
      {
        folder: journalFolder(options.settings.data),
        durable: () => sequencer.status().durable,
        events: core.eventsExecuted,
        storedForGood: () => history.sync(),
        onMade: (made) => this.#knownState.learn(made),
        onFailure: this.#logSnapshotFailure,
      },
      started.snapshotSequence,
    );
    // A scene whose end is not durable yet continues after a crash, so the views still have it.
    const followed = (): readonly Scene[] => [
      ...core.engine.state.scenes.values(),
      ...core.views.clock.scenes(),
    ];
    const isFollowed = (file: string): boolean => followed().some((scene) => scene.file === file);
    this.#feeds = new PriceFeeds(options.settings.data, isFollowed, () => this.#clock.monotonic());
    this.#recordings = recordings;
    this.#market = new MarketDriver({
      engine: core.engine,
      wall: () => this.#clock.wall(),
      now: this.#time.engineNow,
      seed: options.settings.seed,
      submit: this.#submit,
      feeds: this.#feeds.rows,
      followed: async () => {
        await roomOrTrouble(history);
        await this.#snapshots.stayClose();
      },
      recorded: this.#recordings.path,
      atOneMoment: (run, agoMs) => this.#time.atOneMoment(run, agoMs),
      onFailure: (error) =>
        options.log.error({ err: error }, 'the simulated market could not take a step'),
    });
  }

  /** What the gateway needs, available before the seed data is loaded. */
  parts(): RunParts {
    const { sequencer } = this.#core;
    const parts = this.#exchangeParts();
    return {
      publicHandlers: publicHandlers(parts),
      operatorHandlers: operatorHandlers(parts),
      keys: this.#keys,
      vault: this.#vault,
      exchangeNow: parts.exchangeNow,
      isServing: () => this.#status === 'serving',
      afterWriting: (run) => sequencer.afterWriting(run),
      faults: this.faults,
      readings: [
        ...readings(this.#core, () => this.#time.engineNow()),
        ...this.#streams.readings(),
      ],
      houseBalances: () => houseBalances(this.#core.engine.state),
      streams: this.#streams,
    };
  }

  /** The first call with a key starts the clock. */
  #keys: Pick<KeyQueries, 'find'> = {
    find: (apiKey) => {
      const key = this.#core.views.keys.find(apiKey);
      if (key !== undefined) this.#time.begin();
      return key;
    },
  };

  hasMoney(uid: Uid): boolean {
    return this.#core.views.accounts.balances(uid).some(({ equity }) => equity > 0n);
  }

  /** Loads the seed data on a first start, and serves. */
  async begin(): Promise<void> {
    const { keyring } = this.#options;
    const { engine, views, history } = this.#core;
    checkRecordings(this.#options.settings.data, engine.state.recordings, false);
    // Any key works for the check: all are sealed under the same master key.
    for (const key of engine.state.credentials.keys.values()) {
      keyring.checkOpens(key);
      break;
    }
    const behindMs = await this.#time.continueFromLast();
    if (behindMs !== undefined)
      this.#options.log.warn(
        { behindMs },
        'the clock of this machine is behind the last command; the exchange clock continues from the last command',
      );
    await this.#time.catchUp();
    if (views.clock.world() === undefined) await this.#makeWorld();
    else await this.#switchMarketAsAsked();
    // A history that was rebuilt from a long journal may still be writing.
    await roomIn(history, this.#options.log);
    logFullHistory(history, this.#options.log);
    this.#feeds.removeUnfollowed();
    this.#recordings.removeUnknown(engine.state.recordings);
    this.#dueCheck = setInterval(() => this.#lookWhatIsDue(), DUE_CHECK_MS);
    this.#followRecordings();
    this.#status = 'serving';
  }

  /** Refuses new commands from here on; accepted commands are still answered. */
  close(): void {
    this.#status = 'stopping';
    clearInterval(this.#dueCheck);
    clearTimeout(this.#following);
    this.#market.breakOff();
    this.#snapshots.breakOff();
    this.faults.reset();
  }

  /** Answers accepted commands and closes the files. */
  async end(): Promise<void> {
    this.close();
    // A stop has closed them already.
    await this.#streams.reset();
    await this.#market.settle();
    await this.#recordings.close();
    await this.#sender.stop();
    await this.#snapshots.settle();
    await stopCore(this.#core);
    this.#chainFile.close();
  }

  #submit: Submit = (command) => {
    const { engine, history, sequencer } = this.#core;
    const asked = command as Command;
    // Memory would grow without bound while history cannot be written.
    if (history.lag().full && !isUrgent(asked))
      return Promise.resolve(refuse(rejection('notServing')));
    // A clock move sets the start time itself; releasing the clock starts it.
    if (asked.type !== 'moveClock' || asked.frozen === false) this.#time.begin();
    const { clock } = engine.state;
    const outcome = sequencer.submit(command);
    this.#time.releaseIfMoved(clock);
    this.#continueDeferredWork();
    return outcome;
  };

  #submitNow: Submit = (command) =>
    this.#time.atOneMoment(() => {
      this.#market.keepKnown();
      // Both kinds of price commands have the same outcome.
      return this.#submit(this.#market.withQuotes(command as Command) as typeof command);
    });

  /**
   * Deferred work continues with ticks, one per turn of the event loop, so that users' commands run
   * in between.
   */
  #continueDeferredWork(): void {
    const { engine } = this.#core;
    if (this.#goesOn || !engine.hasDeferredWork()) return;
    this.#goesOn = true;
    setImmediate(() => {
      this.#goesOn = false;
      const { sequence } = engine;
      // A rejected tick is retried at the next check for due timers.
      void this.#core.sequencer.submit({ type: 'tick' });
      if (engine.sequence > sequence) this.#continueDeferredWork();
    });
  }

  #exchangeParts(): ExchangeParts {
    return {
      // All requests that arrived together are read and checked first; the engine then has its own
      // turn.
      submit: (command) => AFTER_THIS.then(() => this.#submitNow(command)),
      views: this.#core.views,
      clock: this.#clock,
      exchangeNow: this.#time.exchangeNow,
      vault: this.#vault,
      randomBytes,
      controls: operatorControls({
        core: this.#core,
        market: this.#market,
        feeds: this.#feeds,
        knownState: this.#knownState,
        snapshots: this.#snapshots,
        recordings: this.#recordings,
        submit: this.#submit,
        submitNow: this.#submitNow,
        status: () => this.#status,
        uptimeMs: () => Math.round(this.#clock.monotonic() - this.#startedAt),
        onSnapshotFailure: this.#logSnapshotFailure,
        reset: () => this.#options.reset(),
      }),
      faults: this.faults,
      chain: this.#sender,
    };
  }

  /** Applies the market setting of this start; without one, the market stays as it was. */
  async #switchMarketAsAsked(): Promise<void> {
    const { market } = this.#options.settings;
    const isOn = this.#core.views.clock.marketOn();
    if (market === undefined || (market === 'on') === isOn) return;
    const switched = isOn ? await this.#market.switchOff() : await this.#market.switchOn();
    if (!switched.ok)
      throw new MarketRefused(
        `the simulated market cannot be switched ${market}`,
        switched.refusal,
      );
  }

  async #makeWorld(): Promise<void> {
    const { settings, keyring } = this.#options;
    this.isFirst = true;
    await makeWorld({
      settings,
      keyring,
      core: this.#core,
      vault: this.#vault,
      market: this.#market,
      feeds: this.#feeds,
      recordings: this.#recordings,
      now: this.#time.engineNow,
    });
  }

  #logSnapshotFailure = (error: Error): void =>
    this.#options.log.error({ err: error }, 'a snapshot could not be made');

  /** On a fast clock, candles end more often than the market steps. */
  #followRecordings(): void {
    if (this.#status === 'stopping') return;
    const { room } = this.#core.sequencer.status();
    const candleEndsInMs = room ? this.#market.followInMs() : undefined;
    this.#following = setTimeout(
      () => void this.#market.follow().finally(() => this.#followRecordings()),
      Math.min(DUE_CHECK_MS, candleEndsInMs ?? DUE_CHECK_MS),
    );
  }

  #lookWhatIsDue(): void {
    // Called before a tick, because no event can happen before a tick that is already submitted.
    const { room } = this.#core.sequencer.status();
    if (room) void this.#market.follow();
    const due = this.#core.engine.state.timers[0]?.due;
    if (due !== undefined && due <= this.#time.engineNow()) void this.#submit({ type: 'tick' });
    this.#continueDeferredWork();
    // While the disk is full, the market could only cancel its orders.
    if (room) this.#market.look();
    this.#sender.nudge();
    this.#snapshots.consider();
  }
}

/** Recovers a folder; it does not serve yet. */
export async function startRun(options: RunOptions): Promise<ExchangeRun> {
  const held = new HeldClock(options.clock ?? systemClock);
  const recordings = new Recordings(options.settings.data);
  const core = await startCore(
    { ...options, clock: held, recorded: recordings.rows },
    journalFolder(options.settings.data),
  );
  try {
    return new ExchangeRun(options, core, held, recordings);
  } catch (error) {
    // History's thread would keep the program alive, and the journal would keep its folder locked.
    await stopCore(core);
    throw error;
  }
}
