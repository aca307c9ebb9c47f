/**
 * A whole exchange: its HTTP servers and the run behind them. A reset replaces the run and keeps
 * the servers open.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { wireRejection } from '../contract/wire-rejections.ts';
import type { FaultLaboratory } from '../gateway/faults/fault-laboratory.ts';
import { type Gateway, startGateway } from '../gateway/gateway.ts';
import type { OperatorControls } from '../gateway/handlers/parts.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { listFolder } from '../journal/reader.ts';
import { lockFolder, processOwner, type WriterLock } from '../journal/writer-lock.ts';
import type { Sequence, Uid } from '../kernel/ids.ts';
import { ok, refuse } from '../kernel/result.ts';
import type { Timestamp } from '../kernel/time.ts';
import { changedLimits } from './changed-limits.ts';
import { systemClock } from './clock.ts';
import type { ExchangeOptions } from './exchange-options.ts';
import { type ExchangeRun, type RunOptions, startRun } from './exchange-run.ts';
import { CREDENTIALS_FILE, journalFolder } from './files.ts';
import { lockGuarded } from './folder-guard.ts';
import { clearFolder, finishClearing } from './fresh-start.ts';
import { type Credentials, Keyring } from './keyring.ts';
import { trustedProxies } from './run-streams.ts';
import { worldRefusal } from './world/rehearse-world.ts';

export interface Exchange {
  readonly publicUrl: string;
  readonly operatorUrl: string;
  readonly credentials: Credentials;
  /** True if this start loaded the seed data. */
  readonly isFirst: boolean;
  /** A user that has a key and money; `usual` if that user has both. */
  traderOr(usual: string): string | undefined;
  /** Injected faults of public calls, and the true outcome of the calls they hit. */
  readonly faults: FaultLaboratory;
  stop(): Promise<void>;
}

const url = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

class RunningExchange implements Exchange {
  readonly #options: RunOptions;
  readonly #lock: WriterLock;
  readonly #onStart: () => void;
  #run: ExchangeRun | undefined;
  #gateway: Gateway | undefined;
  /** Set while one run ends and the next starts. */
  #startingOver: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  /** `onStart` is called once the folder is known to be usable: a refused start changes nothing. */
  constructor(options: ExchangeOptions, keyring: Keyring, lock: WriterLock, onStart: () => void) {
    this.#options = { ...options, keyring, reset: this.#reset };
    this.#lock = lock;
    this.#onStart = onStart;
  }

  get publicUrl(): string {
    return url(this.#gateway!.public);
  }

  get operatorUrl(): string {
    return url(this.#gateway!.operator);
  }

  get credentials(): Credentials {
    return this.#options.keyring.credentials;
  }

  get isFirst(): boolean {
    return this.#run!.isFirst;
  }

  traderOr(usual: string): string | undefined {
    const funded = this.credentials.users.filter(({ uid }) =>
      this.#run!.hasMoney(Number.parseInt(uid, 10) as Uid),
    );
    return (funded.find(({ name }) => name === usual) ?? funded[0])?.name;
  }

  get faults(): FaultLaboratory {
    return this.#run!.faults;
  }

  async open(): Promise<void> {
    const { settings, log, keyring, clock = systemClock } = this.#options;
    this.#run = await startRun(this.#options);
    this.#onStart();
    this.#gateway = await startGateway({
      host: settings.host,
      port: settings.port,
      operatorPort: settings.operatorPort,
      operatorToken: keyring.credentials.operatorToken,
      limits: settings.limits !== 'off',
      changedLimits: changedLimits(settings),
      proxies: trustedProxies(settings),
      clock,
      log,
      ...this.#run.parts(),
    });
    await this.#run.begin();
  }

  /** Idempotent: after a second close, a file descriptor could belong to another file. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  /** Refuses new requests, answers accepted ones, and closes files and ports. */
  async #end(): Promise<void> {
    this.#run?.close();
    await this.#gateway?.close();
    await this.#startingOver?.catch(() => undefined);
    await this.#run?.end();
    await this.#lock.release();
  }

  /** A reset request that arrives during a reset gets the same error as any call. */
  #reset: OperatorControls['reset'] = async () => {
    if (this.#startingOver !== undefined) return refuse(wireRejection('notServing'));
    const { settings, clock = systemClock } = this.#options;
    // Checked while the old run can still continue.
    const wrong = await worldRefusal(settings, (settings.startTime ?? clock.wall()) as Timestamp);
    // Another reset may have started during the check.
    if (this.#startingOver !== undefined) return refuse(wireRejection('notServing'));
    if (wrong !== undefined) return refuse(wireRejection('fieldInvalid', 'world', wrong));
    this.#startingOver = this.#startOver();
    try {
      await this.#startingOver;
    } finally {
      this.#startingOver = undefined;
    }
    return ok(undefined);
  };

  /**
   * Loads the same seed data again, with the same keys and token. Calls during the reset are
   * refused.
   */
  async #startOver(): Promise<void> {
    const { settings, onFatal } = this.#options;
    try {
      await this.#run!.end();
      clearFolder(settings.data);
      this.#run = await startRun(this.#options);
      this.#gateway!.replace(this.#run.parts());
      await this.#run.begin();
    } catch (error) {
      // The old run is gone and the new one has not started: the next start finishes the reset.
      onFatal({
        sequence: 0 as Sequence,
        stateHash: 'unknown',
        reason: `the exchange could not be reset: ${String(error)}`,
      });
      throw error;
    }
  }
}

async function prepareExchange(
  options: ExchangeOptions,
  lock: WriterLock,
): Promise<RunningExchange> {
  const { data, operatorToken } = options.settings;
  mkdirSync(data, { recursive: true });
  // From here on files are changed, and a master key is created if there is none.
  await lock.confirm();
  finishClearing(data);
  const { segments, snapshots } = await listFolder(nodeDisk, journalFolder(data));
  const besideJournal = segments.length + snapshots.length > 0;
  const isLost = besideJournal && !existsSync(join(data, CREDENTIALS_FILE));
  const keyring = new Keyring(data, operatorToken, besideJournal);
  if (isLost)
    options.log.warn(
      { data },
      'credentials.json is missing: a new one has a new operator token and no secrets of users',
    );
  const users = keyring.credentials.users.length;
  const logLostJournal = (): void => {
    if (users > 0 && !besideJournal)
      options.log.warn(
        { users, data },
        'credentials.json has users, but the journal is missing: the exchange starts from the beginning',
      );
  };
  return new RunningExchange(options, keyring, lock, logLostJournal);
}

/** An exchange with its history in memory has a private folder of its own. */
async function takeFolder({ settings, historyIn }: ExchangeOptions): Promise<WriterLock> {
  return historyIn === 'memory'
    ? await lockFolder(nodeDisk, settings.data, processOwner(settings.data))
    : await lockGuarded(settings.data);
}

export async function startExchange(options: ExchangeOptions): Promise<Exchange> {
  // Locked before anything else: keys and history have no lock of their own, and a program that
  // already runs in this folder must not be disturbed.
  const lock = await takeFolder(options);
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
