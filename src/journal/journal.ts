/**
 * The journal as the sequencer sees it, on local files. It writes one batch at a time, whole and
 * synced, into segments prepared ahead of need. A write or a sync that fails is the end of it; a
 * disk that is full is not, because it shows before anything was promised.
 */
import type { Sequence } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import type { Cursor } from './batches.ts';
import type { Disk } from './disk.ts';
import { isDiskFull } from './disk.ts';
import { JournalFailure } from './failures.ts';
import { PREPARED_NAME, pathOf, UNSYNCED_NAME } from './file-names.ts';
import { BatchWriter, FOOTER_BYTES_MAX, wholeSectors } from './record.ts';
import type { Scheduler } from './scheduler.ts';
import {
  BATCHES_START,
  nameSegment,
  type Preparing,
  prepareSegment,
  type Segment,
} from './segment.ts';
import { writeWhole } from './whole-file.ts';

/**
 * Whether a command can be taken in: `later` while the next segment is being prepared, `noRoom`
 * while the disk has no room for one.
 */
export type Admission = 'yes' | 'later' | 'noRoom';

export interface Journal {
  /** The largest batch, footer included. */
  readonly batchBytesMax: number;
  /**
   * A writer for one batch after another; a batch is begun when the one before it has been handed
   * over.
   */
  newBatch(): BatchWriter;
  /** Starts the next batch in a writer. */
  begin(batch: BatchWriter): void;
  /**
   * Whether a batch that would need so many bytes can certainly be written. Urgent commands may use
   * what is kept in reserve.
   */
  admits(bytes: number, urgent: boolean): Admission;
  /** Returns when the batch is durable. Throws JournalFailure, and from then on always. */
  append(batch: BatchWriter, next: Sequence, digest: string): Promise<void>;
  /** False while the disk has no room for the next segment. */
  readonly room: boolean;
  /** Tells of the failure that ended it, also when nothing was being appended. */
  onFailure(listener: (failure: JournalFailure) => void): void;
  /** Marks the end as whole, and lets go of the files and the folder. */
  close(): Promise<void>;
}

/** Large enough that segments change every few seconds at full load, small enough to read whole. */
export const SEGMENT_BYTES = 16 * 1024 * 1024;
/**
 * A batch is at most this part of a segment: after a change of segment the batch being filled fits
 * too, whatever becomes of the disk.
 */
const BATCHES_PER_SEGMENT_MIN = 4;
/** A batch that takes longer to write than a few syncs only adds delay. */
const BATCH_BYTES_MAX = 1024 * 1024;
/**
 * Between two pieces of the next segment, which is then ready in half a second: batches find the
 * disk free.
 */
const PREPARING_PAUSE_MS = 5;
/** How often a full disk is asked again. */
export const ROOM_RETRY_MS = 1_000;

export interface FileJournalOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly segmentBytes: number;
  readonly seed: number;
  readonly scheduler: Scheduler;
  /** Gives the folder free. */
  readonly release: () => Promise<void>;
}

export class FileJournal implements Journal {
  readonly batchBytesMax: number;
  readonly #options: FileJournalOptions;
  #segment: Segment;
  /** Where the next batch goes; `offset` already counts the one being written. */
  #end: Cursor;
  #begun: number;
  #next: Segment | undefined;
  #room = true;
  #failure: JournalFailure | undefined;
  #emitted = false;
  #failureListener: (failure: JournalFailure) => void = () => {};
  #closing = false;
  #appending: Promise<void> = Promise.resolve();
  #preparing: Promise<void> = Promise.resolve();
  readonly #beside: Preparing = { givenUp: () => this.#givenUp(), pause: () => this.#pause() };
  #cancelRetry: () => void = () => {};
  #endPause: () => void = () => {};

  /** `end` is where the last whole batch ended, in a segment whose rest is zeros. */
  constructor(options: FileJournalOptions, segment: Segment, end: Cursor) {
    this.#options = options;
    this.#segment = segment;
    this.#end = end;
    this.#begun = end.batch;
    this.batchBytesMax = batchBytesMaxFor(options.segmentBytes);
    // Nobody trades yet.
    this.#preparing = this.#prepareNext({ givenUp: () => this.#givenUp() });
  }

  get room(): boolean {
    return this.#room;
  }

  newBatch(): BatchWriter {
    return new BatchWriter(this.batchBytesMax, this.#options.seed);
  }

  begin(batch: BatchWriter): void {
    batch.begin(this.#begun++);
  }

  admits(bytes: number, urgent: boolean): Admission {
    const left = this.#segment.size - this.#end.offset;
    if (!this.#room) return urgent && bytes <= left ? 'yes' : 'noRoom';
    if (this.#next !== undefined) return 'yes';
    return bytes <= (urgent ? left : left - this.batchBytesMax) ? 'yes' : 'later';
  }

  /**
   * Waits for the next segment when the present one is nearly full, so that a start does not begin
   * with refusals.
   */
  async ready(): Promise<void> {
    if (this.admits(this.batchBytesMax, false) === 'later') await this.#preparing;
  }

  onFailure(listener: (failure: JournalFailure) => void): void {
    this.#failureListener = listener;
    if (this.#emitted) listener(this.#failure!);
  }

  append(batch: BatchWriter, next: Sequence, digest: string): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const before = this.#end;
    invariant(batch.number === before.batch, 'batches are appended in the order they were begun');
    const { bytes, first, chain } = batch.finish(next, digest, before.chain);
    const needed = wholeSectors(bytes.length);
    const fits = before.offset + needed <= this.#segment.size;
    const offset = fits ? before.offset : BATCHES_START;
    this.#end = { offset: offset + needed, sequence: next, batch: before.batch + 1, chain };
    const old = this.#segment;
    if (!fits) {
      invariant(
        this.#next !== undefined,
        'a batch is taken in only when there is a segment for it',
      );
      this.#segment = this.#next;
      this.#next = undefined;
    }
    const rollOver = fits ? undefined : () => this.#rollOver(old, { ...before, sequence: first });
    this.#appending = this.#write(this.#segment, bytes, offset, rollOver);
    return this.#appending;
  }

  async #write(
    segment: Segment,
    bytes: Buffer,
    offset: number,
    rollOver: (() => Promise<void>) | undefined,
  ): Promise<void> {
    try {
      if (rollOver !== undefined) await rollOver();
      await writeWhole(segment.file, bytes, offset);
      await segment.file.sync();
    } catch (error) {
      this.#stop(error);
      await this.#markUnsynced();
      throw this.#fail(error);
    }
  }

  /**
   * For the next start, which has to know; as well as it can be done on a disk that fails. Once the
   * power goes it is not needed any more.
   */
  async #markUnsynced(): Promise<void> {
    const { disk, folder } = this.#options;
    try {
      const file = await disk.open(pathOf(folder, UNSYNCED_NAME), 'create');
      await file.close();
    } catch {
      // Where not even a name can be made, nothing can.
    }
  }

  /** Everything in the old segment is durable by now: the name of a new one says so. */
  async #rollOver(old: Segment, start: Cursor): Promise<void> {
    const { disk, folder, seed } = this.#options;
    await nameSegment(disk, folder, this.#segment, {
      seed,
      first: start.sequence,
      firstBatch: start.batch,
      previousChain: start.chain,
    });
    await old.file.close();
    this.#preparing = this.#prepareNext(this.#beside);
  }

  /** Nothing is appended from here on. */
  #stop(error: unknown): JournalFailure {
    if (this.#failure !== undefined) return this.#failure;
    const words = error instanceof Error ? error.message : String(error);
    this.#failure = new JournalFailure(
      `the journal in ${this.#options.folder} could not be written: ${words}`,
      { cause: error },
    );
    this.#cancelRetry();
    this.#endPause();
    return this.#failure;
  }

  /** Stops, and tells of it once. */
  #fail(error: unknown): JournalFailure {
    const failure = this.#stop(error);
    if (!this.#emitted) this.#failureListener(failure);
    this.#emitted = true;
    return failure;
  }

  #givenUp(): boolean {
    return this.#closing || this.#failure !== undefined;
  }

  async #prepareNext(preparing: Preparing): Promise<void> {
    const { disk, folder, segmentBytes } = this.#options;
    try {
      const segment = await prepareSegment(disk, folder, segmentBytes, preparing);
      if (this.#givenUp()) return await segment.file.close();
      this.#next = segment;
      this.#room = true;
    } catch (error) {
      if (isDiskFull(error)) await this.#tryLater();
      else this.#fail(error);
    }
  }

  /** Not while a batch waits for the segment. */
  #pause(): Promise<void> {
    if (this.#givenUp() || this.admits(this.batchBytesMax, false) === 'later')
      return Promise.resolve();
    return new Promise((resolve) => {
      const callOff = this.#options.scheduler.after(PREPARING_PAUSE_MS, resolve);
      this.#endPause = () => {
        callOff();
        resolve();
      };
    });
  }

  /** Gives back what was taken of a full disk, and asks again after a while. */
  async #tryLater(): Promise<void> {
    this.#room = false;
    await this.#removePrepared();
    if (this.#givenUp()) return;
    this.#cancelRetry = this.#options.scheduler.after(ROOM_RETRY_MS, () => {
      this.#preparing = this.#prepareAgain();
    });
  }

  async #prepareAgain(): Promise<void> {
    if (await this.#removePrepared()) await this.#prepareNext(this.#beside);
    else if (!this.#givenUp()) await this.#tryLater();
  }

  /**
   * Whether nothing stands in the way of preparing; a disk that is full may even refuse to remove.
   */
  async #removePrepared(): Promise<boolean> {
    const { disk, folder } = this.#options;
    try {
      const names = await disk.list(folder);
      if (names.includes(PREPARED_NAME)) await disk.remove(pathOf(folder, PREPARED_NAME));
      return true;
    } catch (error) {
      if (!isDiskFull(error)) this.#fail(error);
      return false;
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#cancelRetry();
    this.#endPause();
    await this.#appending.catch(() => {});
    await this.#preparing;
    await this.#seal();
    await this.#segment.file.close();
    await this.#next?.file.close();
    await this.#options.release();
  }

  /**
   * An empty batch behind the last one: with it, damage to that one can no longer pass for a write
   * torn by a crash.
   */
  async #seal(): Promise<void> {
    const needed = wholeSectors(FOOTER_BYTES_MAX);
    if (this.#failure !== undefined || this.#segment.size - this.#end.offset < needed) return;
    const seal = new BatchWriter(FOOTER_BYTES_MAX, this.#options.seed);
    seal.begin(this.#end.batch);
    await this.append(seal, this.#end.sequence, '').catch(() => {});
  }
}

/** The largest batch that a journal with segments of this size takes. */
function batchBytesMaxFor(segmentBytes: number): number {
  return Math.min(
    BATCH_BYTES_MAX,
    Math.floor((segmentBytes - BATCHES_START) / BATCHES_PER_SEGMENT_MIN),
  );
}
