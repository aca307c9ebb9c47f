/**
 * The thread that makes snapshots. It stays for a while after each: under load the next is due
 * within seconds, and code that must be compiled again doubles the processor time.
 */
import { Worker } from 'node:worker_threads';
import type { HashedState } from './known-state.ts';
import { startWithLowPriority } from './lower-priority.ts';
import type { SnapshotTask } from './snapshot-worker.ts';
import { snapshotWorkerUrl } from './workers.ts';

/** Long enough under load, and short enough to free the memory of an idle exchange. */
const IDLE_MS_MAX = 60_000;

interface Asked {
  readonly of: Worker;
  readonly resolve: (made: HashedState) => void;
  readonly reject: (error: Error) => void;
}

export class SnapshotThread {
  readonly #idleMsMax: number;
  #worker: Worker | undefined;
  #asked: Asked | undefined;
  #idle: NodeJS.Timeout | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(idleMsMax = IDLE_MS_MAX) {
    this.#idleMsMax = idleMsMax;
  }

  /** Runs one task at a time. */
  async make(task: SnapshotTask): Promise<HashedState> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#begin();
    const worker = this.#worker;
    worker.ref();
    const made = await new Promise<HashedState>((resolve, reject) => {
      this.#asked = { of: worker, resolve, reject };
      worker.postMessage(task);
    });
    // An idle thread must not keep the program alive.
    worker.unref();
    this.#idle = setTimeout(() => void this.end(), this.#idleMsMax).unref();
    return made;
  }

  /** Aborts the current task; resolves when the thread has ended. */
  async end(): Promise<void> {
    clearTimeout(this.#idle);
    if (this.#worker !== undefined) this.#ended = this.#worker.terminate();
    this.#worker = undefined;
    await this.#ended;
  }

  /** A failed thread is gone; the next task starts another. */
  #begin(): Worker {
    const worker = startWithLowPriority(
      'tenth',
      () => new Worker(snapshotWorkerUrl, { execArgv: [] }),
    );
    const fail = (error: Error): void => {
      if (this.#worker === worker) this.#worker = undefined;
      if (this.#asked?.of === worker) this.#asked.reject(error);
    };
    worker.on('message', (made: HashedState) => {
      if (this.#asked?.of === worker) this.#asked.resolve(made);
    });
    worker.once('error', fail);
    worker.once('exit', (code) =>
      fail(new Error(`the snapshot worker ended with code ${code} and no snapshot`)),
    );
    return worker;
  }
}
