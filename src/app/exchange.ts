/** A whole exchange: recovers its folder, makes its first world, opens its doors. The only place that knows all the parts. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { newKey } from '../gateway/auth/credentials.ts';
import { openVault } from '../gateway/auth/vault.ts';
import { FaultLaboratory } from '../gateway/faults/fault-laboratory.ts';
import { type Gateway, startGateway } from '../gateway/gateway.ts';
import { operatorHandlers, publicHandlers } from '../gateway/handlers/handlers.ts';
import type { HandlerParts, OperatorControls, SceneWish, ServiceStatus } from '../gateway/handlers/parts.ts';
import type { Log } from '../gateway/log.ts';
import type { Submit } from '../gateway/submit.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { listFolder } from '../journal/reader.ts';
import type { Fatality } from '../journal/sequencer.ts';
import { lockFolder, processOwner, type WriterLock } from '../journal/writer-lock.ts';
import type { Uid } from '../kernel/ids.ts';
import { moneyText } from '../kernel/money.ts';
import { ok, refuse } from '../kernel/result.ts';
import { type Clock, SECOND, type Timestamp } from '../kernel/time.ts';
import { rejection } from '../messages/rejections.ts';
import { SimulatedChain } from '../simulator/simulated-chain.ts';
import { CHAIN_FILE, openChainFile } from './chains/chain-file.ts';
import { Courier } from './chains/courier.ts';
import { systemClock } from './clock.ts';
import { type Core, startCore } from './core.ts';
import { type Credentials, Keyring } from './keyring.ts';
import { MarketDriver } from './market-driver.ts';
import { PriceFeeds } from './price-feeds.ts';
import { sceneCommand } from './scene-wishes.ts';
import type { Settings } from './settings.ts';
import { Snapshots } from './snapshots.ts';
import { makeFirstWorld } from './world/first-world.ts';

/** How often the exchange looks whether something has fallen due. */
const DUE_CHECK_MS = SECOND / 4;

export const journalFolder = (data: string): string => join(data, 'journal');

export interface ExchangeOptions {
  readonly settings: Settings;
  readonly log: Log;
  readonly clock?: Clock;
  /** The engine can no longer be trusted, or the disk has failed: end the program. */
  readonly onFatal: (fatality: Fatality) => void;
}

export interface Exchange {
  readonly publicUrl: string;
  readonly operatorUrl: string;
  readonly credentials: Credentials;
  /** Whether this start made the first world. */
  readonly isFirst: boolean;
  /** Faults of public calls, and the truth about the calls they struck. */
  readonly faults: FaultLaboratory;
  stop(): Promise<void>;
}

const url = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

class RunningExchange implements Exchange {
  readonly #core: Core;
  readonly #options: ExchangeOptions;
  readonly #keyring: Keyring;
  readonly #clock: Clock;
  readonly #snapshots: Snapshots;
  readonly #feeds: PriceFeeds;
  readonly #market: MarketDriver;
  readonly #lock: WriterLock;
  readonly #startedAt: number;
  readonly faults: FaultLaboratory;
  readonly #chainFile: ReturnType<typeof openChainFile>;
  readonly #courier: Courier;
  isFirst = false;
  #status: ServiceStatus = 'starting';
  #gateway: Gateway | undefined;
  #dueCheck: NodeJS.Timeout | undefined;
  #goesOn = false;

  constructor(options: ExchangeOptions, core: Core, keyring: Keyring, lock: WriterLock) {
    this.#lock = lock;
    this.#options = options;
    this.#core = core;
    this.#keyring = keyring;
    this.#clock = options.clock ?? systemClock;
    this.#startedAt = this.#clock.monotonic();
    this.faults = new FaultLaboratory({
      views: core.views,
      clock: this.#clock,
      exchangeNow: this.#exchangeNow,
      onLateFailure: (error) => options.log.error({ err: error }, 'a call that was to be carried out later failed'),
    });
    const { sequencer, history, started } = core;
    this.#chainFile = openChainFile(join(options.settings.data, CHAIN_FILE));
    const chain = new SimulatedChain({ now: this.#exchangeNow, memory: this.#chainFile });
    this.#courier = new Courier({
      connector: chain,
      submit: (command) => this.#submit(command),
      withdrawals: core.views.withdrawals,
      listings: core.views.listings,
      now: this.#exchangeNow,
      log: options.log,
      plan: (fault, count) => chain.plan(fault, count),
    });
    this.#snapshots = new Snapshots(
      {
        folder: journalFolder(options.settings.data),
        durable: () => sequencer.status().durable,
        storedForGood: () => history.sync(),
        onFailure: this.#tellOfSnapshotFailure,
      },
      started.snapshotSequence,
    );
    this.#feeds = new PriceFeeds(options.settings.data);
    this.#market = new MarketDriver({
      engine: core.engine,
      clock: this.#clock,
      seed: options.settings.seed,
      submit: this.#submit,
      feeds: this.#feeds.rows,
      queued: () => sequencer.status().queued,
      room: () => history.room(),
    });
  }

  get publicUrl(): string {
    return url(this.#gateway!.public);
  }

  get operatorUrl(): string {
    return url(this.#gateway!.operator);
  }

  get credentials(): Credentials {
    return this.#keyring.credentials;
  }

  async open(): Promise<void> {
    const { settings, log } = this.#options;
    const { engine, views, history } = this.#core;
    // Any one of them: all are sealed under the same key.
    for (const key of engine.state.credentials.keys.values()) {
      this.#keyring.checkOpens(key);
      break;
    }
    const parts = this.#handlerParts();
    this.#gateway = await startGateway({
      host: settings.host,
      port: settings.port,
      operatorPort: settings.operatorPort,
      operatorToken: this.#keyring.credentials.operatorToken,
      limits: settings.limits === 'on',
      publicHandlers: publicHandlers(parts),
      operatorHandlers: operatorHandlers(parts),
      keys: views.keys,
      vault: parts.vault,
      clock: this.#clock,
      exchangeNow: parts.exchangeNow,
      isServing: () => this.#status === 'serving',
      faults: this.faults,
      readings: () => this.#readings(),
      log,
    });
    if (views.clock.world() === undefined) await this.#makeFirstWorld(parts);
    else await this.#switchMarketAsAsked();
    // A history that was told a long journal anew may still be writing it down.
    await history.room();
    this.#dueCheck = setInterval(() => this.#lookWhatIsDue(), DUE_CHECK_MS);
    this.#status = 'serving';
  }

  /** Takes nothing new, answers what was taken, lets go of files and ports. */
  async stop(): Promise<void> {
    this.#status = 'stopping';
    clearInterval(this.#dueCheck);
    this.faults.reset();
    await this.#gateway?.close();
    await this.#market.settle();
    await this.#courier.stop();
    await this.#snapshots.settle();
    await this.#core.sequencer.stop();
    await this.#core.history.close();
    this.#chainFile.close();
    await this.#lock.release();
  }

  #submit: Submit = (command) => {
    // Memory would grow without bound while history cannot be written.
    if (this.#core.history.lag().full) return Promise.resolve(refuse(rejection('notServing')));
    const outcome = this.#core.sequencer.submit(command);
    this.#goOnWithBacklog();
    return outcome;
  };

  /** Work that was left over goes on with ticks, one a turn of the event loop, so that the commands of others get in between. */
  #goOnWithBacklog(): void {
    const { engine } = this.#core;
    if (this.#goesOn || !engine.hasBacklog()) return;
    this.#goesOn = true;
    setImmediate(() => {
      this.#goesOn = false;
      const { sequence } = engine;
      // A tick that was turned away is tried again with the next look at what is due.
      void this.#core.sequencer.submit({ type: 'tick' });
      if (engine.sequence > sequence) this.#goOnWithBacklog();
    });
  }

  /** By the views: the engine may have moved its clock by a command that is not durable yet. */
  #exchangeNow = (): Timestamp => this.#core.views.clock.exchangeTime(this.#clock.wall());

  #handlerParts(): HandlerParts {
    return {
      submit: this.#submit,
      views: this.#core.views,
      clock: this.#clock,
      exchangeNow: this.#exchangeNow,
      vault: openVault(this.#keyring.masterKey),
      randomBytes,
      controls: this.#controls(),
      faults: this.faults,
      chain: this.#courier,
    };
  }

  #controls(): OperatorControls {
    const { engine, sequencer } = this.#core;
    return {
      health: () => {
        const { sequence, durable } = sequencer.status();
        return {
          status: this.#status,
          sequence,
          durable,
          stateHash: engine.stateHash(),
          uptimeMs: Math.round(this.#clock.monotonic() - this.#startedAt),
        };
      },
      audit: () => {
        const { coins, violations } = engine.audit();
        const balanced = coins.every(({ difference }) => difference === 0n);
        return {
          ok: balanced && violations.length === 0,
          sequence: engine.sequence,
          stateHash: engine.stateHash(),
          coins: coins.map(({ coin, difference, held, owed }) => ({
            coin,
            difference: moneyText(difference),
            held: moneyText(held),
            owed: moneyText(owed),
          })),
          violations,
        };
      },
      snapshot: () => this.#takeSnapshot(),
      moveClock: (move) => this.#market.moveClock(move),
      switchMarket: (on) => this.#market.switchTo(on),
      playScene: (wish) => this.#playScene(wish),
    };
  }

  async #takeSnapshot(): ReturnType<OperatorControls['snapshot']> {
    try {
      return ok({ sequence: (await this.#snapshots.make()).sequence });
    } catch (error) {
      this.#tellOfSnapshotFailure(error as Error);
      return refuse(rejection('notServing'));
    }
  }

  async #playScene(wish: SceneWish): ReturnType<OperatorControls['playScene']> {
    if (!this.#core.engine.state.marketOn) return refuse(rejection('marketOff', 'scene'));
    const command = sceneCommand(wish, this.#feeds);
    return command.ok ? this.#submit(command.value) : command;
  }

  /** What was said at this start; left unsaid, the market is as it was. */
  async #switchMarketAsAsked(): Promise<void> {
    const { market } = this.#options.settings;
    const isOn = this.#core.views.clock.marketOn();
    if (market !== undefined && (market === 'on') !== isOn) await this.#market.switchTo(!isOn);
  }

  #tellOfSnapshotFailure = (error: Error): void => this.#options.log.error({ err: error }, 'a snapshot could not be made');

  #lookWhatIsDue(): void {
    const due = this.#core.engine.state.timers[0]?.due;
    if (due !== undefined && due <= this.#core.engine.exchangeTime(this.#clock.wall())) void this.#submit({ type: 'tick' });
    this.#goOnWithBacklog();
    this.#market.look();
    this.#courier.nudge();
    this.#snapshots.consider();
  }

  async #makeFirstWorld({ vault, views }: HandlerParts): Promise<void> {
    const { settings } = this.#options;
    this.isFirst = true;
    await makeFirstWorld(settings.world, {
      submit: this.#core.sequencer.submit.bind(this.#core.sequencer),
      uidOf: (name) => views.accounts.findByName(name)?.uid,
      issueKey: (name, uid) => this.#issueKey(name, uid, vault),
      openMarket: async () => {
        await this.#market.switchTo(true);
      },
      marketOn: (settings.market ?? (settings.world === 'demo' ? 'on' : 'off')) === 'on',
    });
  }

  async #issueKey(name: string, uid: Uid, vault: HandlerParts['vault']): Promise<void> {
    const kept = this.#keyring.credentials.users.find((user) => user.name === name);
    if (kept !== undefined && this.#core.views.keys.find(kept.apiKey) !== undefined) return;
    const key = newKey({ uid }, vault, randomBytes);
    if (!key.ok) throw new Error(`no key could be made for ${name}`);
    // Kept first: a crash in between leaves a key nobody knows of, never one nobody can use.
    this.#keyring.keep({ name, uid: String(uid), ...key.value.shown });
    const outcome = await this.#core.sequencer.submit(key.value.command);
    if (!outcome.ok) throw new Error(`no key could be made for ${name}: ${outcome.refusal.reason}`);
  }

  #readings(): Record<string, number> {
    const { sequencer, history, views, started } = this.#core;
    const { sequence, durable, queued, room } = sequencer.status();
    const lag = history.lag();
    return {
      sequence,
      durable,
      queued,
      disk_room: room ? 1 : 0,
      history_lag_rows: lag.rows,
      history_trouble: lag.trouble === undefined ? 0 : 1,
      users: views.accounts.count(),
      withdrawals_waiting: views.withdrawals.inStage('approval').length,
      bad_snapshots: started.badSnapshots.length,
      cut_bytes: started.cutBytes,
    };
  }
}

async function prepareExchange(options: ExchangeOptions, lock: WriterLock): Promise<RunningExchange> {
  const { data, operatorToken } = options.settings;
  const { segments, snapshots } = await listFolder(nodeDisk, journalFolder(data));
  const besideJournal = segments.length + snapshots.length > 0;
  const keyring = new Keyring(data, operatorToken, besideJournal);
  const users = keyring.credentials.users.length;
  if (users > 0 && !besideJournal)
    options.log.warn({ users, data }, 'credentials.json knows users, but the journal is gone: all begins anew');
  return new RunningExchange(options, await startCore(options, journalFolder(data)), keyring, lock);
}

export async function startExchange(options: ExchangeOptions): Promise<Exchange> {
  // First of all: the keys and the history have no lock of their own, and whoever runs in this folder must not notice us.
  const lock = await lockFolder(nodeDisk, options.settings.data, processOwner());
  const exchange = await prepareExchange(options, lock).catch(async (error: unknown) => {
    await lock.release();
    throw error;
  });
  try {
    await exchange.open();
  } catch (error) {
    await exchange.stop();
    throw error;
  }
  return exchange;
}
