/** A whole exchange: recovers its folder, makes its first world, opens its doors. The only place that knows all the parts. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createEngine, type Engine } from '../core/engine.ts';
import { newKey } from '../gateway/auth/credentials.ts';
import { openVault } from '../gateway/auth/vault.ts';
import { type Gateway, startGateway } from '../gateway/gateway.ts';
import { operatorHandlers, publicHandlers } from '../gateway/handlers/handlers.ts';
import type { HandlerParts, OperatorControls, ServiceStatus } from '../gateway/handlers/parts.ts';
import type { Log } from '../gateway/log.ts';
import type { Submit } from '../gateway/submit.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { recover, type Started } from '../journal/recovery.ts';
import { createSequencer, type Fatality, type Sequencer } from '../journal/sequencer.ts';
import { lockFolder, processOwner, type WriterLock } from '../journal/writer-lock.ts';
import type { Uid } from '../kernel/ids.ts';
import { ok, refuse } from '../kernel/result.ts';
import { type Clock, SECOND, type Timestamp } from '../kernel/time.ts';
import { rejection } from '../messages/rejections.ts';
import type { HistoryStore } from '../views/history/history.ts';
import { createViews, type Views } from '../views/views.ts';
import { systemClock } from './clock.ts';
import { openHistory } from './history.ts';
import { type Credentials, Keyring } from './keyring.ts';
import type { Settings } from './settings.ts';
import { Snapshots } from './snapshots.ts';
import { viewsSection } from './views-section.ts';
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
  stop(): Promise<void>;
}

interface Core {
  readonly engine: Engine;
  readonly views: Views;
  readonly history: HistoryStore;
  readonly sequencer: Sequencer;
  readonly started: Started;
}

async function startCore({ settings, log, clock = systemClock, onFatal }: ExchangeOptions): Promise<Core> {
  const folder = journalFolder(settings.data);
  const engines: Engine[] = [];
  const createMachine = (): Engine => {
    const engine = createEngine();
    engines.push(engine);
    return engine;
  };
  const history = await openHistory(join(settings.data, 'history.db'), log);
  const views = createViews(history);
  const feed = (batch: readonly Parameters<Views['apply']>[0][]): void => {
    for (const executed of batch) views.apply(executed);
  };
  const recovering = recover({
    disk: nodeDisk,
    folder,
    createMachine,
    views: viewsSection(views),
    notAfter: history.applied(),
    onExecuted: feed,
  });
  const started = await recovering.catch(async (error: unknown) => {
    await history.close();
    throw error;
  });
  const engine = engines.find((candidate) => candidate === started.machine)!;
  const sequencer = createSequencer({ machine: engine, journal: started.journal, clock, publish: feed, onFatal });
  return { engine, views, history, sequencer, started };
}

const url = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

class RunningExchange implements Exchange {
  readonly #core: Core;
  readonly #options: ExchangeOptions;
  readonly #keyring: Keyring;
  readonly #clock: Clock;
  readonly #snapshots: Snapshots;
  readonly #lock: WriterLock;
  readonly #startedAt: number;
  #status: ServiceStatus = 'starting';
  #gateway: Gateway | undefined;
  #dueCheck: NodeJS.Timeout | undefined;

  constructor(options: ExchangeOptions, core: Core, keyring: Keyring, lock: WriterLock) {
    this.#lock = lock;
    this.#options = options;
    this.#core = core;
    this.#keyring = keyring;
    this.#clock = options.clock ?? systemClock;
    this.#startedAt = this.#clock.monotonic();
    const { sequencer, history, started } = core;
    this.#snapshots = new Snapshots(
      {
        folder: journalFolder(options.settings.data),
        durable: () => sequencer.status().durable,
        storedForGood: () => history.sync(),
        onFailure: (error) => options.log.error({ err: error }, 'a snapshot could not be made'),
      },
      started.snapshotSequence,
    );
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
    const { views, history } = this.#core;
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
      readings: () => this.#readings(),
      log,
    });
    if (views.clock.world() === undefined) await this.#makeFirstWorld(parts);
    // A history that was told a long journal anew may still be writing it down.
    await history.room();
    this.#dueCheck = setInterval(() => this.#lookWhatIsDue(), DUE_CHECK_MS);
    this.#status = 'serving';
  }

  /** Takes nothing new, answers what was taken, lets go of files and ports. */
  async stop(): Promise<void> {
    this.#status = 'stopping';
    clearInterval(this.#dueCheck);
    await this.#gateway?.close();
    await this.#snapshots.settle();
    await this.#core.sequencer.stop();
    await this.#core.history.close();
    await this.#lock.release();
  }

  #submit: Submit = (command) => {
    // Memory would grow without bound while history cannot be written.
    if (this.#core.history.lag().full) return Promise.resolve(refuse(rejection('notServing')));
    return this.#core.sequencer.submit(command);
  };

  #exchangeNow = (): Timestamp => this.#core.engine.exchangeTime(this.#clock.wall());

  #handlerParts(): HandlerParts {
    return {
      submit: this.#submit,
      views: this.#core.views,
      clock: this.#clock,
      exchangeNow: this.#exchangeNow,
      vault: openVault(this.#keyring.masterKey),
      randomBytes,
      controls: this.#controls(),
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
          coins: coins.map(({ coin, difference }) => ({ coin, difference: difference.toString() })),
          violations,
        };
      },
      snapshot: async () => ok({ sequence: (await this.#snapshots.make()).sequence }),
    };
  }

  #lookWhatIsDue(): void {
    const due = this.#core.engine.state.timers[0]?.due;
    if (due !== undefined && due <= this.#exchangeNow()) void this.#submit({ type: 'tick' });
    this.#snapshots.consider();
  }

  async #makeFirstWorld({ vault, views }: HandlerParts): Promise<void> {
    const { settings } = this.#options;
    await makeFirstWorld(settings.world, {
      submit: this.#core.sequencer.submit.bind(this.#core.sequencer),
      uidOf: (name) => views.accounts.findByName(name)?.uid,
      issueKey: (name, uid) => this.#issueKey(name, uid, vault),
      marketOn: settings.market === 'on',
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
    const { sequencer, history, views } = this.#core;
    const { sequence, durable, queued, room } = sequencer.status();
    return { sequence, durable, queued, disk_room: room ? 1 : 0, history_lag_rows: history.lag().rows, users: views.accounts.count() };
  }
}

async function prepareExchange(options: ExchangeOptions, lock: WriterLock): Promise<RunningExchange> {
  const { data, operatorToken } = options.settings;
  const keyring = new Keyring(data, operatorToken);
  return new RunningExchange(options, await startCore(options), keyring, lock);
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
