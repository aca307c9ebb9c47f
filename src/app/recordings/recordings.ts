/**
 * The recordings of a data folder: made by a thread of their own, stored under their hash, and
 * opened at the first read.
 */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { KnownRecording } from '../../messages/recordings.ts';
import type { RecordedRows } from '../../views/past/recorded-past.ts';
import { recordingWorkerUrl } from '../workers.ts';
import {
  type MadeRecording,
  type RecordingTask,
  receiveTable,
  UNFINISHED,
} from './make-recording.ts';
import { PathOfRecording } from './path-of-recording.ts';
import { BadRecording, RecordingsClosed } from './recorded.ts';
import { hashOfFile, RecordingFile } from './recording-file.ts';
import type { MadeOrRefused } from './recording-worker.ts';
import { withFile } from './row-files.ts';

export const RECORDINGS_FOLDER = 'recordings';

/** The journal names a recording whose file is missing or differs. */
export class MissingRecording extends Error {
  override readonly name = 'MissingRecording';
}

interface OpenRecording {
  readonly file: RecordingFile;
  readonly path: PathOfRecording;
}

export class Recordings {
  readonly folder: string;
  readonly #open = new Map<string, OpenRecording>();
  readonly #workers = new Set<Worker>();
  #isClosed = false;
  #line: Promise<unknown> = Promise.resolve();

  constructor(data: string) {
    this.folder = join(data, RECORDINGS_FOLDER);
  }

  /** Resolves when it is on the disk. Throws BadRecording if a row is wrong. */
  make(task: Omit<RecordingTask, 'folder'>): Promise<MadeRecording> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw new RecordingsClosed();
      const workerData = { ...task, folder: this.folder } satisfies RecordingTask;
      const worker = new Worker(recordingWorkerUrl, { workerData, execArgv: [] });
      this.#workers.add(worker);
      worker.once('message', (made: MadeOrRefused) => {
        if ('refused' in made) reject(new BadRecording(made.refused));
        else resolve(made);
      });
      worker.once('error', reject);
      worker.once('exit', (code) => {
        this.#workers.delete(worker);
        if (this.#isClosed) reject(new RecordingsClosed());
        else reject(new Error(`the import thread ended with code ${code}`));
      });
    });
  }

  async receive(upload: AsyncIterable<Uint8Array>): Promise<string> {
    const path = await receiveTable(this.folder, upload);
    if (!this.#isClosed) return path;
    rmSync(path, { force: true });
    throw new RecordingsClosed();
  }

  file(hash: string): RecordingFile {
    return this.#opened(hash).file;
  }

  rows = (hash: string): RecordedRows => {
    const { head, candles, trades } = this.#opened(hash).file;
    return { intervalMs: head.intervalMs, candles, trades };
  };

  path = (hash: string): PathOfRecording => this.#opened(hash).path;

  /** One at a time. */
  inLine<Value>(run: () => Promise<Value>): Promise<Value> {
    const next = this.#line.then(run, run);
    this.#line = next.catch(() => undefined);
    return next;
  }

  /** Removes a recording that no command has named. */
  forget(hash: string): void {
    this.#open.get(hash)?.file.close();
    this.#open.delete(hash);
    rmSync(join(this.folder, hash), { force: true });
  }

  /** Removes unfinished files after a crash, and recordings that no command has named. */
  removeUnknown(known: ReadonlyMap<string, KnownRecording>): void {
    if (!existsSync(this.folder)) return;
    for (const name of readdirSync(this.folder))
      if (name.endsWith(UNFINISHED) || !known.has(name))
        rmSync(join(this.folder, name), { force: true });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
    for (const { file } of this.#open.values()) file.close();
    this.#open.clear();
  }

  #opened(hash: string): OpenRecording {
    const known = this.#open.get(hash);
    if (known !== undefined) return known;
    const file = new RecordingFile(join(this.folder, hash));
    const opened = { file, path: new PathOfRecording(file) };
    this.#open.set(hash, opened);
    return opened;
  }
}

/**
 * Throws if a recording that the journal names is missing or damaged. With `whole` it reads the
 * whole file, otherwise it checks only the length.
 */
export function checkRecordings(
  data: string,
  known: ReadonlyMap<string, KnownRecording>,
  whole: boolean,
): void {
  const folder = join(data, RECORDINGS_FOLDER);
  for (const [hash, { bytes }] of known) {
    const path = join(folder, hash);
    const fault = faultOf(path, hash, bytes, whole);
    if (fault !== undefined)
      throw new MissingRecording(
        `the journal names recording ${hash}, and ${fault} in ${folder}; restore that file`,
      );
  }
}

function faultOf(path: string, hash: string, bytes: number, whole: boolean): string | undefined {
  if (!existsSync(path)) return 'it is missing';
  if (statSync(path).size !== bytes) return 'it is incomplete';
  return whole && withFile(path, 'r', hashOfFile) !== hash ? 'it is damaged' : undefined;
}
