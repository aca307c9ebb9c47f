/**
 * The program under test: its handlers, and its views with a history file behind a worker. It can
 * be stopped and restarted.
 */
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dialectOf } from '../../src/contract/dialects.ts';
import { operatorEndpoints, publicEndpoints } from '../../src/contract/endpoints.ts';
import { errorCode } from '../../src/contract/errors.ts';
import { openVault } from '../../src/gateway/auth/vault.ts';
import type { Caller } from '../../src/gateway/caller.ts';
import { operatorHandlers, publicHandlers } from '../../src/gateway/handlers/handlers.ts';
import type { ExchangeParts } from '../../src/gateway/handlers/parts.ts';
import { canonicalBytes, fromCanonicalBytes } from '../../src/kernel/canonical.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import type { Result } from '../../src/kernel/result.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import type { Rejection } from '../../src/messages/rejections.ts';
import {
  type BundledWorker,
  bundleWorker,
} from '../../src/views/history/bundled-worker.test-support.ts';
import type { HistoryStore } from '../../src/views/history/history.ts';
import { openSqliteHistory } from '../../src/views/history/sqlite-history.ts';
import { createViews, type Views } from '../../src/views/views.ts';
import type { RecordedRun } from './recorded-run.ts';

export type Asked = Readonly<Record<string, string>>;
/** The answer of an endpoint: its data, or its refusal code. */
export type Answered = { readonly data: unknown } | { readonly code: string };

const endpoints = { ...publicEndpoints, ...operatorEndpoints };
export type EndpointName = keyof typeof endpoints;

type AnyHandler = (
  request: unknown,
  caller: Caller,
) => Result<unknown, Rejection> | Promise<Result<unknown, Rejection>>;

/** The bundle of this file is at the same depth in the package. */
const WORKER = new URL('../../src/views/history/history-worker.ts', import.meta.url);

const PARTS = ['', '-wal', '-shm'];

export class Program {
  readonly #run: RecordedRun;
  readonly #worker: BundledWorker;
  readonly #folder: string;
  #path: string;
  #history!: HistoryStore;
  #views!: Views;
  #handlers!: Readonly<Record<string, AnyHandler>>;
  #snapshot:
    | { readonly bytes: Uint8Array; readonly sequence: number; readonly file: string }
    | undefined;
  #files = 0;

  private constructor(run: RecordedRun, worker: BundledWorker, folder: string) {
    this.#run = run;
    this.#worker = worker;
    this.#folder = folder;
    this.#path = join(folder, 'history.db');
  }

  static async start(run: RecordedRun): Promise<Program> {
    const worker = await bundleWorker(WORKER.href);
    const program = new Program(run, worker, mkdtempSync(join(tmpdir(), 'rialto-lists-')));
    await program.#open();
    run.listen((batch) => program.#views.apply(batch));
    return program;
  }

  async stop(): Promise<void> {
    await this.#history.close();
    this.#worker.remove();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Writes all rows in memory to the file. */
  async store(): Promise<void> {
    await this.#history.sync();
  }

  /** Keeps the views and a copy of the file for a later start. */
  async takeSnapshot(): Promise<void> {
    await this.#history.sync();
    const file = join(this.#folder, `history-${++this.#files}.db`);
    for (const part of PARTS)
      if (existsSync(this.#path + part)) copyFileSync(this.#path + part, file + part);
    this.#snapshot = {
      bytes: canonicalBytes(this.#views.save()),
      sequence: this.#views.sequence(),
      file,
    };
  }

  /** Restart from the journal: all commands run again, and history skips the rows it has. */
  async restartFromJournal(): Promise<void> {
    await this.#history.close();
    await this.#open();
    this.#tellFrom(0);
  }

  /**
   * Restart from the last snapshot. After a kill the file lacks later rows, which are emitted
   * again.
   */
  async restartFromSnapshot(how: 'stopped' | 'killed'): Promise<void> {
    if (this.#snapshot === undefined) throw new Error('there is no snapshot');
    const { bytes, sequence, file } = this.#snapshot;
    await this.#history.close();
    if (how === 'killed') this.#path = file;
    await this.#open();
    this.#views.restore(fromCanonicalBytes(bytes));
    this.#tellFrom(sequence);
  }

  async ask(name: EndpointName, asked: Asked, uid: number): Promise<Answered> {
    const { request, response, path } = endpoints[name];
    const refused = ({ reason }: Pick<Rejection, 'reason'>): Answered => ({
      code: errorCode(reason, dialectOf(path)),
    });
    const decoded = request.decode(new Map(Object.entries(asked)));
    if (!decoded.ok) return refused(decoded.refusal);
    const caller: Caller = {
      uid: uid as Uid,
      permissions: new Set(),
      ip: '127.0.0.1',
      language: 'en',
    };
    const reply = await this.#handlers[name]!(decoded.value, caller);
    if (!reply.ok) return refused(reply.refusal);
    const data = JSON.parse(JSON.stringify(reply.value)) as unknown;
    const faults = response.faults(data, name);
    if (faults.length > 0) throw new Error(faults.join('; '));
    return { data };
  }

  #tellFrom(sequence: number): void {
    for (const batch of this.#run.batches) if (batch.sequence > sequence) this.#views.apply(batch);
  }

  async #open(): Promise<void> {
    this.#history = await openSqliteHistory({
      path: this.#path,
      workerUrl: this.#worker.url,
      execArgv: [],
    });
    this.#views = createViews(this.#history);
    const now = (): Timestamp => this.#run.now;
    const never = (): never => {
      throw new Error('a list changes nothing');
    };
    const parts = {
      submit: never,
      views: this.#views,
      clock: { wall: now, monotonic: () => 0 },
      exchangeNow: now,
      vault: openVault(randomBytes(32)),
      randomBytes,
      controls: {},
      faults: {},
      chain: {},
    } as unknown as ExchangeParts;
    this.#handlers = {
      ...publicHandlers(parts),
      ...operatorHandlers(parts),
    } as unknown as Readonly<Record<string, AnyHandler>>;
  }
}
