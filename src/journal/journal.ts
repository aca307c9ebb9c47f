/**
 * The sequencer's journal on local files. It writes one whole, synced batch at a time into segments
 * prepared in advance. A failed write or sync ends it. A full disk does not, because it is detected
 * before any promise is made.
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
 * Whether a command is accepted: `later` while the next segment is being prepared, `noRoom` while
 * the disk has no space for one.
 */
export type Admission = 'yes' | 'later' | 'noRoom';

export interface Journal {
  /** Includes the footer. */
  readonly batchBytesMax: number;
  /** A reusable writer. A batch begins only after the previous one is handed over. */
  newBatch(): BatchWriter;
  begin(batch: BatchWriter): void;
  /** Whether a batch of `bytes` can certainly be written. Urgent commands may use the reserve. */
  admits(bytes: number, urgent: boolean): Admission;
  /** Resolves when the batch is durable. Throws JournalFailure, and then on every later call. */
  append(batch: BatchWriter, next: Sequence, digest: string): Promise<void>;
  /** False while the disk has no room for the next segment. */
  readonly room: boolean;
  /** Reports the failure that ended the journal, even if no append was running. */
  onFailure(listener: (failure: JournalFailure) => void): void;
  /** Marks the end as whole, and releases the files and the folder. */
  close(): Promise<void>;
}

/** At full load, segments change every few seconds. A segment is small enough to read whole. */
export const SEGMENT_BYTES = 16 * 1024 * 1024;
/**
 * A batch is at most this fraction of a segment. So after a change of segment, the batch being
 * filled still fits, even if the disk then fills up.
 */
const BATCHES_PER_SEGMENT_MIN = 4;
/** A batch that takes longer to write than a few syncs only adds delay. */
const BATCH_BYTES_MAX = 1024 * 1024;
/**
 * Pause between two pieces of the next segment, so that batches find the disk free. The segment is
 * then ready in half a second.
 */
const PREPARING_PAUSE_MS = 5;
/** Retry interval on a full disk. */
export const ROOM_RETRY_MS = 1_000;

export interface FileJournalOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly segmentBytes: number;
  readonly seed: number;
  readonly scheduler: Scheduler;
  /** Releases the lock on the folder. */
  readonly release: () => Promise<void>;
}

export class FileJournal implements Journal {
  readonly batchBytesMax: number;
  readonly #options: FileJournalOptions;
  #segment: Segment;
  /** Position of the next batch; `offset` already includes the batch being written. */
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

  /** `end` is the end of the last whole batch; the rest of the segment is zeros. */
  constructor(options: FileJournalOptions, segment: Segment, end: Cursor) {
    this.#options = options;
    this.#segment = segment;
    this.#end = end;
    this.#begun = end.batch;
    this.batchBytesMax = batchBytesMaxFor(options.segmentBytes);
    // No batch is waiting yet at a start.
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
   * Waits for the next segment if the current one is nearly full, so that a start does not begin
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
        'a batch is accepted only when there is a segment for it',
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
   * Marks the folder for the next start, as well as a failing disk allows. After a power failure
   * the mark is not needed, because memory is lost too.
   */
  async #markUnsynced(): Promise<void> {
    const { disk, folder } = this.#options;
    try {
      const file = await disk.open(pathOf(folder, UNSYNCED_NAME), 'create');
      await file.close();
    } catch {
      // If even a name cannot be created, no other mark is possible either.
    }
  }

  /** Everything in the old segment is durable by now; the new segment's name proves it. */
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

  /** Refuses all further appends. */
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

  /** Stops, and reports the failure once. */
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

  /** Skips the pause while a batch waits for the segment. */
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

  /** Frees what was allocated on the full disk, and retries later. */
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

  /** Whether preparing can begin; a full disk may even refuse to remove a file. */
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
   * Appends an empty batch. With it, damage to the last real batch cannot look like a write torn by
   * a crash.
   */
  async #seal(): Promise<void> {
    const needed = wholeSectors(FOOTER_BYTES_MAX);
    if (this.#failure !== undefined || this.#segment.size - this.#end.offset < needed) return;
    const seal = new BatchWriter(FOOTER_BYTES_MAX, this.#options.seed);
    seal.begin(this.#end.batch);
    await this.append(seal, this.#end.sequence, '').catch(() => {});
  }
}

/** The largest batch for segments of this size. */
function batchBytesMaxFor(segmentBytes: number): number {
  return Math.min(
    BATCH_BYTES_MAX,
    Math.floor((segmentBytes - BATCHES_START) / BATCHES_PER_SEGMENT_MIN),
  );
}
