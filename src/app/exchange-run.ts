/**
 * One life of an exchange, from its journal's first command to its last: engine, views, market and
 * clock in step, and what the handlers need of them. Starting over ends one life and begins another
 * behind the same doors.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openVault, type Vault } from '../gateway/auth/vault.ts';
import { FaultLaboratory } from '../gateway/faults/fault-laboratory.ts';
import type { GatewayParts } from '../gateway/gateway.ts';
import { operatorHandlers, publicHandlers } from '../gateway/handlers/handlers.ts';
import type { HandlerParts, OperatorControls, ServiceStatus } from '../gateway/handlers/parts.ts';
import type { Submit } from '../gateway/submit.ts';
import type { Uid } from '../kernel/ids.ts';
import { refuse } from '../kernel/result.ts';
import { type Clock, SECOND } from '../kernel/time.ts';
import type { Command } from '../messages/commands.ts';
import { rejection } from '../messages/rejections.ts';
import type { Scene } from '../messages/scenes.ts';
import { MarketRefused } from '../simulator/market/market-accounts.ts';
import { CHAIN_FILE, openChainFile } from './chains/chain-file.ts';
import { SimulatedChain } from './chains/simulated-chain.ts';
import { WithdrawalSender } from './chains/withdrawal-sender.ts';
import { systemClock } from './clock.ts';
import { type Core, isUrgent, startCore, stopCore } from './core.ts';
import type { ExchangeOptions } from './exchange-options.ts';
import { journalFolder } from './files.ts';
import { HeldClock } from './held-clock.ts';
import { roomIn, roomOrTrouble, tellOfFullHistory } from './history.ts';
import type { Keyring } from './keyring.ts';
import { KnownState } from './known-state.ts';
import { MarketDriver } from './market-driver.ts';
import { operatorControls } from './operator-controls.ts';
import { houseBalances, readings } from './operator-figures.ts';
import { PriceFeeds } from './price-feeds.ts';
import { checkRecordings, Recordings } from './recordings/recordings.ts';
import { RunClock } from './run-clock.ts';
import { Snapshots } from './snapshots.ts';
import { makeWorld } from './world/make-world.ts';

/** How often the exchange looks whether something has fallen due. */
const DUE_CHECK_MS = SECOND / 4;

/** What waits for it goes on once everything that is being done has been done. */
const AFTER_THIS = Promise.resolve();

export interface RunOptions extends ExchangeOptions {
  readonly keyring: Keyring;
  /** Ends this life and begins another. */
  readonly reset: OperatorControls['reset'];
}

/** What a gateway is given of a life. */
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
      onLateFailure: (error) =>
        options.log.error({ err: error }, 'a call that was to be carried out later failed'),
    });
    const { sequencer, history, started } = core;
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
        onFailure: this.#tellOfSnapshotFailure,
      },
      started.snapshotSequence,
    );
    // A scene whose end is not durable yet goes on after a crash: the views still have it.
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

  /** Whatever the gateway needs, ready before the first world is made. */
  parts(): RunParts {
    const { views, sequencer } = this.#core;
    const parts = this.#handlerParts();
    return {
      publicHandlers: publicHandlers(parts),
      operatorHandlers: operatorHandlers(parts),
      keys: {
        find: (apiKey) => {
          const key = views.keys.find(apiKey);
          if (key !== undefined) this.#time.begin();
          return key;
        },
      },
      vault: this.#vault,
      exchangeNow: parts.exchangeNow,
      isServing: () => this.#status === 'serving',
      afterWriting: (run) => sequencer.afterWriting(run),
      faults: this.faults,
      readings: readings(this.#core, () => this.#time.engineNow()),
      houseBalances: () => houseBalances(this.#core.engine.state),
    };
  }

  hasMoney(uid: Uid): boolean {
    return this.#core.views.accounts.balances(uid).some(({ equity }) => equity > 0n);
  }

  /** Makes the first world if there is none, and serves. */
  async begin(): Promise<void> {
    const { keyring } = this.#options;
    const { engine, views, history } = this.#core;
    checkRecordings(this.#options.settings.data, engine.state.recordings, false);
    // Any one of them: all are sealed under the same key.
    for (const key of engine.state.credentials.keys.values()) {
      keyring.checkOpens(key);
      break;
    }
    const behindMs = await this.#time.goOnFromLast();
    if (behindMs !== undefined)
      this.#options.log.warn(
        { behindMs },
        'the clock of this machine is behind the last command; the exchange clock goes on from that',
      );
    await this.#time.catchUp();
    if (views.clock.world() === undefined) await this.#makeWorld();
    else await this.#switchMarketAsAsked();
    // A history that was told a long journal anew may still be writing it down.
    await roomIn(history, this.#options.log);
    tellOfFullHistory(history, this.#options.log);
    this.#feeds.removeUnfollowed();
    this.#recordings.removeUnknown(engine.state.recordings);
    this.#dueCheck = setInterval(() => this.#lookWhatIsDue(), DUE_CHECK_MS);
    this.#followRecordings();
    this.#status = 'serving';
  }

  /** Takes nothing new from here on; what was taken is still answered. */
  close(): void {
    this.#status = 'stopping';
    clearInterval(this.#dueCheck);
    clearTimeout(this.#following);
    this.#market.breakOff();
    this.#snapshots.breakOff();
    this.faults.reset();
  }

  /** Answers what was taken and lets go of files. */
  async end(): Promise<void> {
    this.close();
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
    // Whoever moves the clock says himself where it goes on from; whoever releases it says that it
    // goes on.
    if (asked.type !== 'moveClock' || asked.frozen === false) this.#time.begin();
    const { clock } = engine.state;
    const outcome = sequencer.submit(command);
    this.#time.letGoIfMoved(clock);
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
   * Work that was left over goes on with ticks, one a turn of the event loop, so that the commands
   * of others get in between.
   */
  #continueDeferredWork(): void {
    const { engine } = this.#core;
    if (this.#goesOn || !engine.hasDeferredWork()) return;
    this.#goesOn = true;
    setImmediate(() => {
      this.#goesOn = false;
      const { sequence } = engine;
      // A tick that was turned away is tried again with the next look at what is due.
      void this.#core.sequencer.submit({ type: 'tick' });
      if (engine.sequence > sequence) this.#continueDeferredWork();
    });
  }

  #handlerParts(): HandlerParts {
    return {
      // When all that came together has been read and checked: the engine has a turn of its own.
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
        onSnapshotFailure: this.#tellOfSnapshotFailure,
        reset: () => this.#options.reset(),
      }),
      faults: this.faults,
      chain: this.#sender,
    };
  }

  /** What was said at this start; left unsaid, the market is as it was. */
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

  #tellOfSnapshotFailure = (error: Error): void =>
    this.#options.log.error({ err: error }, 'a snapshot could not be made');

  /** On a fast clock candles end more often than the market steps. */
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
    // Before a tick: what happens now can have nothing happen before it any more.
    const { room } = this.#core.sequencer.status();
    if (room) void this.#market.follow();
    const due = this.#core.engine.state.timers[0]?.due;
    if (due !== undefined && due <= this.#time.engineNow()) void this.#submit({ type: 'tick' });
    this.#continueDeferredWork();
    // While the disk has no room, all that the market could do is take its orders out of the books.
    if (room) this.#market.look();
    this.#sender.nudge();
    this.#snapshots.consider();
  }
}

/** Recovers a folder; nobody is served yet. */
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
    // History's thread would keep the program alive, and the journal its folder.
    await stopCore(core);
    throw error;
  }
}
