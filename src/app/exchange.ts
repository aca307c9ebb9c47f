/**
 * A whole exchange: the doors, and the life behind them. It can start over without closing the
 * doors.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Proxies } from '../gateway/auth/proxies.ts';
import type { FaultLaboratory } from '../gateway/faults/fault-laboratory.ts';
import { type Gateway, startGateway } from '../gateway/gateway.ts';
import type { OperatorControls } from '../gateway/handlers/parts.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { listFolder } from '../journal/reader.ts';
import { lockFolder, processOwner, type WriterLock } from '../journal/writer-lock.ts';
import type { Sequence, Uid } from '../kernel/ids.ts';
import { ok, refuse } from '../kernel/result.ts';
import type { Timestamp } from '../kernel/time.ts';
import { rejection } from '../messages/rejections.ts';
import { changedLimits } from './changed-limits.ts';
import { systemClock } from './clock.ts';
import type { ExchangeOptions } from './exchange-options.ts';
import { type ExchangeRun, type RunOptions, startRun } from './exchange-run.ts';
import { CREDENTIALS_FILE, journalFolder } from './files.ts';
import { lockGuarded } from './folder-guard.ts';
import { clearFolder, finishClearing } from './fresh-start.ts';
import { type Credentials, Keyring } from './keyring.ts';
import { whyNoWorld } from './world/rehearse-world.ts';

export interface Exchange {
  readonly publicUrl: string;
  readonly operatorUrl: string;
  readonly credentials: Credentials;
  /** Whether this start made the first world. */
  readonly isFirst: boolean;
  /** The name of somebody who has a key and money; this one, if he has. */
  traderOr(usual: string): string | undefined;
  /** Faults of public calls, and the truth about the calls they struck. */
  readonly faults: FaultLaboratory;
  stop(): Promise<void>;
}

const url = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

class RunningExchange implements Exchange {
  readonly #options: RunOptions;
  readonly #lock: WriterLock;
  readonly #tellOfStart: () => void;
  #run: ExchangeRun | undefined;
  #gateway: Gateway | undefined;
  /** Kept while one life ends and the next begins. */
  #startingOver: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  /**
   * `tellOfStart` is called once the folder is known to be one that can be served: a start that is
   * refused begins nothing anew.
   */
  constructor(
    options: ExchangeOptions,
    keyring: Keyring,
    lock: WriterLock,
    tellOfStart: () => void,
  ) {
    this.#options = { ...options, keyring, reset: this.#reset };
    this.#lock = lock;
    this.#tellOfStart = tellOfStart;
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
    this.#tellOfStart();
    this.#gateway = await startGateway({
      host: settings.host,
      port: settings.port,
      operatorPort: settings.operatorPort,
      operatorToken: keyring.credentials.operatorToken,
      limits: settings.limits !== 'off',
      changedLimits: changedLimits(settings),
      proxies:
        settings.trustedProxies === undefined ? undefined : Proxies.read(settings.trustedProxies),
      clock,
      log,
      ...this.#run.parts(),
    });
    await this.#run.begin();
  }

  /**
   * Once, however often it is asked for: a file that is closed twice may be somebody else's by
   * then.
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  /** Takes nothing new, answers what was taken, lets go of files and ports. */
  async #end(): Promise<void> {
    this.#run?.close();
    await this.#gateway?.close();
    await this.#startingOver?.catch(() => undefined);
    await this.#run?.end();
    await this.#lock.release();
  }

  /**
   * Whoever asked while nobody had asked yet, and whose body came after another's, is told what he
   * would be told at the door.
   */
  #reset: OperatorControls['reset'] = async () => {
    if (this.#startingOver !== undefined) return refuse(rejection('notServing'));
    const { settings, clock = systemClock } = this.#options;
    // While there is still something to go back to.
    const wrong = await whyNoWorld(settings, (settings.startTime ?? clock.wall()) as Timestamp);
    // Somebody else may have asked meanwhile.
    if (this.#startingOver !== undefined) return refuse(rejection('notServing'));
    if (wrong !== undefined) return refuse(rejection('fieldInvalid', 'world', wrong));
    this.#startingOver = this.#startOver();
    try {
      await this.#startingOver;
    } finally {
      this.#startingOver = undefined;
    }
    return ok(undefined);
  };

  /**
   * The same world anew, with the same keys and the same token. Whoever calls meanwhile is told
   * that nobody serves.
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
      // The old life is gone and the new one has not begun: the next start finishes it.
      onFatal({
        sequence: 0 as Sequence,
        stateHash: 'unknown',
        reason: `the exchange could not start over: ${String(error)}`,
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
  // From here on files are changed, and a master key is made where there is none.
  await lock.confirm();
  finishClearing(data);
  const { segments, snapshots } = await listFolder(nodeDisk, journalFolder(data));
  const besideJournal = segments.length + snapshots.length > 0;
  const isLost = besideJournal && !existsSync(join(data, CREDENTIALS_FILE));
  const keyring = new Keyring(data, operatorToken, besideJournal);
  if (isLost)
    options.log.warn(
      { data },
      'credentials.json is gone: a new one has a new operator token, and no secrets of users',
    );
  const users = keyring.credentials.users.length;
  const tellOfLostJournal = (): void => {
    if (users > 0 && !besideJournal)
      options.log.warn(
        { users, data },
        'credentials.json knows users, but the journal is gone: all begins anew',
      );
  };
  return new RunningExchange(options, keyring, lock, tellOfLostJournal);
}

/** An exchange with its history in memory has a folder of its own, which nobody else knows of. */
async function takeFolder({ settings, historyIn }: ExchangeOptions): Promise<WriterLock> {
  return historyIn === 'memory'
    ? await lockFolder(nodeDisk, settings.data, processOwner(settings.data))
    : await lockGuarded(settings.data);
}

export async function startExchange(options: ExchangeOptions): Promise<Exchange> {
  // First of all: the keys and the history have no lock of their own, and whoever runs in this
  // folder must not notice us.
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
