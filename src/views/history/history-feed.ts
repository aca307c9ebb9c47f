/**
 * Feeds the history worker: keeps rows until they are stored, batches the writes, and recovers from
 * an ended worker or a full disk.
 */
import type { Sequence } from '../../kernel/ids.ts';
import type { PageQuery } from '../pages.ts';
import { type HistoryLag, HistoryUnavailable } from './history.ts';
import {
  type HistoryFile,
  type HistoryLink,
  openHistoryLink,
  WorkerEnded,
} from './history-link.ts';
import { PendingRows } from './pending-rows.ts';
import type { HistoryBatch } from './recorded-events.ts';
import type { HistoryRow } from './table.ts';
import type { TableName } from './tables.ts';
import type { HistoryAnswer, HistoryRequest } from './worker-messages.ts';

/**
 * The delay before rows are stored, unless there are many. More rows of one user in a write cost
 * less each. Lists do not wait for it.
 */
const STORE_PAUSE_MS = 250;
/** The number of rows that starts a write without delay. */
const ROWS_AT_ONCE = 20_000;
/**
 * Without rows only the sequence moves. Storing it sometimes keeps the replay of the journal at a
 * start short.
 */
const PROGRESS_PAUSE_MS = 1_000;
/** The delay before a write to a full disk is repeated. */
const TROUBLE_PAUSE_MS = 250;
const REOPEN_PAUSE_MS = 50;
/**
 * Several workers that end without storing anything point to a fault of the file or the program.
 */
const ENDED_WORKERS_MAX = 4;
/**
 * A query is repeated if its worker ends, but only a few times, because the query may be the cause.
 */
const QUERY_TRIES_MAX = 2;

class StoreTrouble extends HistoryUnavailable {
  readonly passing: boolean;
  constructor(message: string, passing: boolean) {
    super(message);
    this.passing = passing;
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

function appliedBy(answer: HistoryAnswer): Sequence {
  if (answer.type === 'failed') throw new StoreTrouble(answer.message, answer.passing);
  return answer.applied;
}

export interface FeedOptions extends HistoryFile {
  /**
   * Called once when the store is given up, with the reason. From then on lists of history are
   * refused.
   */
  readonly onGivenUp?: (failure: HistoryUnavailable) => void;
  /**
   * Called when storing begins to fail, with the reason, and with undefined when it works again.
   */
  readonly onTrouble?: (trouble: string | undefined) => void;
}

export class HistoryFeed {
  readonly #file: FeedOptions;
  readonly #pendingRowsMax: number;
  readonly #pending = new PendingRows();
  #link: HistoryLink;
  #applied: Sequence;
  #stored: Sequence;
  #storing: Promise<void> | undefined;
  #reopening: Promise<void> | undefined;
  #timer: { readonly handle: NodeJS.Timeout; readonly wait: number } | undefined;
  #trouble: string | undefined;
  /** Set when the store is given up. Until a rebuild, lists are refused and no rows are kept. */
  #failure: HistoryUnavailable | undefined;
  #endedWorkers = 0;
  #waitingForRoom: (() => void)[] = [];

  private constructor(file: FeedOptions, pendingRowsMax: number, link: HistoryLink) {
    this.#file = file;
    this.#pendingRowsMax = pendingRowsMax;
    this.#link = link;
    this.#applied = link.applied;
    this.#stored = link.applied;
    this.#watch(link);
  }

  static async open(
    file: FeedOptions,
    pendingRowsMax: number,
    fresh: boolean,
  ): Promise<HistoryFeed> {
    return new HistoryFeed(file, pendingRowsMax, await openHistoryLink(file, fresh));
  }

  get applied(): Sequence {
    return this.#applied;
  }

  get stored(): Sequence {
    return this.#stored;
  }

  apply(batch: HistoryBatch): void {
    if (batch.sequence <= this.#applied || this.#failure !== undefined) return;
    this.#pending.add(batch);
    this.#applied = batch.sequence;
    this.#schedule();
  }

  lag(): HistoryLag {
    const trouble = this.#failure?.message ?? this.#trouble;
    return {
      rows: this.#pending.count,
      full: this.#pending.count >= this.#pendingRowsMax,
      ...(trouble === undefined ? {} : { trouble }),
    };
  }

  async room(): Promise<void> {
    while (this.#pending.count >= this.#pendingRowsMax)
      await new Promise<void>((resolve) => this.#waitingForRoom.push(resolve));
  }

  page(table: TableName, query: PageQuery): Promise<readonly HistoryRow[]> {
    return this.#ask({ type: 'page', table, query }, (answer) => {
      if (answer.type === 'failed') throw new HistoryUnavailable(answer.message);
      // The store was given up meanwhile, so the pending rows are gone. The stored rows alone would
      // be a list with a gap.
      if (this.#failure !== undefined) throw this.#failure;
      return this.#pending.pageWith(answer.rows, answer.applied, table, query);
    });
  }

  async sync(): Promise<Sequence> {
    await this.#storeThrough(this.#applied);
    return this.#ask({ type: 'sync' }, appliedBy);
  }

  async rebuild(): Promise<void> {
    this.#giveUp(new HistoryUnavailable(`${this.#file.path} is being rebuilt`));
    await this.#storing?.catch(() => undefined);
    await this.#reopening;
    await this.#letGo();
    this.#adopt(await openHistoryLink(this.#file, true));
    this.#stored = this.#link.applied;
    this.#applied = this.#link.applied;
    this.#failure = undefined;
    this.#trouble = undefined;
    this.#endedWorkers = 0;
  }

  /**
   * The journal feeds rows that cannot be stored again at the next start. So closing never waits
   * for a disk to recover.
   */
  async close(): Promise<void> {
    await this.#storeThrough(this.#applied).catch(() => undefined);
    this.#giveUp(new HistoryUnavailable(`${this.#file.path} is closed`));
    await this.#reopening;
    await this.#letGo();
  }

  async #letGo(): Promise<void> {
    await this.#link.ask({ type: 'close' }, () => undefined).catch(() => undefined);
    await this.#link.terminate();
  }

  #schedule(): void {
    if (this.#failure !== undefined || this.#storing !== undefined || this.#pending.isEmpty) return;
    const wait = this.#waitBeforeStoring();
    if (this.#timer !== undefined && this.#timer.wait <= wait) return;
    clearTimeout(this.#timer?.handle);
    const handle = setTimeout(() => {
      this.#timer = undefined;
      // `lag` reports the trouble. The timer below tries again, unless the store has been given up.
      this.#store().catch(() => undefined);
    }, wait);
    this.#timer = { handle, wait };
  }

  #waitBeforeStoring(): number {
    if (this.#trouble !== undefined) return TROUBLE_PAUSE_MS;
    if (this.#pending.count >= Math.min(ROWS_AT_ONCE, this.#pendingRowsMax / 2)) return 0;
    return this.#pending.count > 0 ? STORE_PAUSE_MS : PROGRESS_PAUSE_MS;
  }

  async #storeThrough(sequence: Sequence): Promise<void> {
    while (this.#stored < sequence && !this.#pending.isEmpty) await this.#store();
  }

  /** Stores the oldest share of the pending rows. Only one share is written at a time. */
  #store(): Promise<void> {
    this.#storing ??= this.#storeShare().finally(() => {
      this.#storing = undefined;
      this.#schedule();
    });
    return this.#storing;
  }

  async #storeShare(): Promise<void> {
    const share = this.#pending.take();
    if (share === undefined) return;
    try {
      await this.#ask({ type: 'store', through: share.through, rows: share.packed() }, (answer) =>
        this.#acknowledge(appliedBy(answer)),
      );
      this.#meet(undefined);
      this.#endedWorkers = 0;
    } catch (error) {
      const trouble = error as HistoryUnavailable;
      if (trouble instanceof StoreTrouble && !trouble.passing)
        this.#fail(`${this.#file.path}: ${trouble.message}`);
      this.#meet(trouble.message);
      throw trouble;
    }
  }

  /**
   * Reports only the begin and the end of trouble, because repeated tries fail in the same way. A
   * store that is given up has its own report.
   */
  #meet(trouble: string | undefined): void {
    const isNews = (this.#trouble === undefined) !== (trouble === undefined);
    this.#trouble = trouble;
    if (isNews && this.#failure === undefined) this.#file.onTrouble?.(trouble);
  }

  #acknowledge(applied: Sequence): void {
    this.#stored = applied;
    this.#pending.dropThrough(applied);
    if (this.#pending.count < this.#pendingRowsMax) this.#openRoom();
  }

  #openRoom(): void {
    const waiting = this.#waitingForRoom;
    this.#waitingForRoom = [];
    for (const resolve of waiting) resolve();
  }

  async #ask<Value>(
    request: HistoryRequest,
    read: (answer: HistoryAnswer) => Value,
  ): Promise<Value> {
    for (let tries = 1; ; tries++) {
      await this.#reopening;
      if (this.#failure !== undefined) throw this.#failure;
      const link = this.#link;
      try {
        return await link.ask(request, read);
      } catch (error) {
        if (!(error instanceof WorkerEnded)) throw error;
        if (request.type === 'page' && tries >= QUERY_TRIES_MAX)
          throw new HistoryUnavailable(error.message);
        this.#recover(link);
      }
    }
  }

  #watch(link: HistoryLink): void {
    void link.ended.then(() => this.#recover(link));
  }

  #recover(link: HistoryLink): void {
    if (this.#link !== link || this.#failure !== undefined || this.#reopening !== undefined) return;
    this.#reopening = this.#reopen().finally(() => {
      this.#reopening = undefined;
    });
  }

  async #reopen(): Promise<void> {
    for (this.#endedWorkers++; this.#endedWorkers <= ENDED_WORKERS_MAX; this.#endedWorkers++) {
      await pause(REOPEN_PAUSE_MS);
      const link = await openHistoryLink(this.#file, false).catch((error: HistoryUnavailable) => {
        this.#meet(error.message);
      });
      if (link === undefined) continue;
      this.#adopt(link);
      if (link.applied < this.#stored)
        return this.#fail(`${this.#file.path} lost what it had stored`);
      return this.#acknowledge(link.applied);
    }
    this.#fail(
      `${this.#file.path}: its worker keeps ending${this.#trouble === undefined ? '' : ` (${this.#trouble})`}`,
    );
  }

  #adopt(link: HistoryLink): void {
    this.#link = link;
    this.#watch(link);
  }

  /** Gives the store up after a failure, and reports it. */
  #fail(reason: string): void {
    if (this.#failure !== undefined) return;
    const failure = new HistoryUnavailable(reason);
    this.#giveUp(failure);
    this.#file.onGivenUp?.(failure);
  }

  /**
   * Trading continues without history. Memory is freed. The file is unchanged, and the next start
   * feeds it from its applied sequence.
   */
  #giveUp(failure: HistoryUnavailable): void {
    this.#failure = failure;
    clearTimeout(this.#timer?.handle);
    this.#timer = undefined;
    this.#pending.clear();
    this.#applied = this.#stored;
    this.#openRoom();
  }
}
