/**
 * The thread that makes snapshots. It stays for a while after each: under load the next one is due
 * within seconds, and code that has yet to be compiled takes twice the processor time.
 */
import { Worker } from 'node:worker_threads';
import { beginGivingWay } from './give-way.ts';
import type { HashedState } from './known-state.ts';
import type { SnapshotTask } from './snapshot-worker.ts';
import { snapshotWorkerUrl } from './workers.ts';

/** Long enough for an exchange under load, short enough that one without gets the memory back. */
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

  /** One task at a time. */
  async make(task: SnapshotTask): Promise<HashedState> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#begin();
    const worker = this.#worker;
    worker.ref();
    const made = await new Promise<HashedState>((resolve, reject) => {
      this.#asked = { of: worker, resolve, reject };
      worker.postMessage(task);
    });
    // A thread that waits keeps no program alive.
    worker.unref();
    this.#idle = setTimeout(() => void this.end(), this.#idleMsMax).unref();
    return made;
  }

  /** Breaks off what it is making; answers when it is gone. */
  async end(): Promise<void> {
    clearTimeout(this.#idle);
    if (this.#worker !== undefined) this.#ended = this.#worker.terminate();
    this.#worker = undefined;
    await this.#ended;
  }

  /** One that has failed is gone, and the next task begins another. */
  #begin(): Worker {
    const worker = beginGivingWay('tenth', () => new Worker(snapshotWorkerUrl, { execArgv: [] }));
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
