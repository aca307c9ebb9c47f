/**
 * The connection of the main thread to a history worker: starts it, sends requests, and passes each
 * answer to its request.
 */
import { Worker } from 'node:worker_threads';
import type { Sequence } from '../../kernel/ids.ts';
import { HistoryUnavailable } from './history.ts';
import {
  type HistoryAnswer,
  type HistoryRequest,
  type HistoryWorkerStart,
  type NumberedAnswer,
  type NumberedRequest,
  OPENING,
} from './worker-messages.ts';

export interface HistoryFile {
  readonly path: string;
  /** The unique number of the journal that feeds it. A file of another journal is not opened. */
  readonly journal?: number | undefined;
  /** The place of the worker's code in the bundle. */
  readonly workerUrl: URL;
  /** Node options for the worker, which replace those of the main thread. */
  readonly execArgv?: readonly string[];
}

/** The worker ended before it answered. The request may or may not have been executed. */
export class WorkerEnded extends Error {
  override readonly name = 'WorkerEnded';
}

/**
 * A worker holds one batch of rows and one page at a time. Beyond this memory limit it is
 * restarted, so that it cannot use up the machine.
 */
const WORKER_HEAP_MB_MAX = 128;

export interface HistoryLink {
  /** The applied sequence of the file when it was opened. */
  readonly applied: Sequence;
  /**
   * Sends a request, and calls `read` as soon as the answer arrives, before any later answer.
   * Rejects with WorkerEnded or with the error of `read`.
   */
  ask<Value>(request: HistoryRequest, read: (answer: HistoryAnswer) => Value): Promise<Value>;
  /** Resolves when the worker has ended for any reason. */
  readonly ended: Promise<void>;
  /** Ends the worker at once, in the middle of its work. */
  terminate(): Promise<void>;
}

interface Waiting {
  take(answer: HistoryAnswer): void;
  giveUp(error: Error): void;
}

/** The open requests of a worker. When the worker ends, all are rejected. */
class Conversation {
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastNumber = OPENING;
  #over = false;
  #reason = 'the history worker ended';

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', ({ number, answer }: NumberedAnswer) => {
      const asker = this.#waiting.get(number);
      this.#waiting.delete(number);
      asker?.take(answer);
    });
    worker.on('error', (error) => {
      this.#reason = `the history worker failed: ${error.message}`;
    });
    this.ended = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#giveUpAll();
        resolve();
      });
    });
  }

  /** Waits for an answer and reads it as soon as it arrives. */
  expect<Value>(number: number, read: (answer: HistoryAnswer) => Value): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      const take = (answer: HistoryAnswer): void => {
        try {
          resolve(read(answer));
        } catch (error) {
          reject(error as Error);
        }
      };
      this.#waiting.set(number, { take, giveUp: reject });
    });
  }

  ask<Value>(request: HistoryRequest, read: (answer: HistoryAnswer) => Value): Promise<Value> {
    if (this.#over) return Promise.reject(new WorkerEnded(this.#reason));
    const number = ++this.#lastNumber;
    const answered = this.expect(number, read);
    const message: NumberedRequest = { number, request };
    this.#worker.postMessage(message);
    return answered;
  }

  #giveUpAll(): void {
    this.#over = true;
    for (const asker of this.#waiting.values()) asker.giveUp(new WorkerEnded(this.#reason));
    this.#waiting.clear();
  }
}

/**
 * Starts a worker and waits until it has opened the file. Throws HistoryUnavailable if it cannot.
 */
export async function openHistoryLink(file: HistoryFile, fresh: boolean): Promise<HistoryLink> {
  const start: HistoryWorkerStart = { path: file.path, journal: file.journal, fresh };
  const worker = new Worker(file.workerUrl, {
    workerData: start,
    ...(file.execArgv === undefined ? {} : { execArgv: [...file.execArgv] }),
    resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB_MAX },
  });
  const conversation = new Conversation(worker);
  const cannotOpen = (why: string): HistoryUnavailable =>
    new HistoryUnavailable(`${file.path} cannot be opened: ${why}`);
  try {
    const applied = await conversation.expect(OPENING, (answer) => {
      if (answer.type === 'failed') throw cannotOpen(answer.message);
      return answer.applied;
    });
    return {
      applied,
      ask: (request, read) => conversation.ask(request, read),
      ended: conversation.ended,
      terminate: async () => {
        await worker.terminate();
      },
    };
  } catch (error) {
    await worker.terminate();
    throw error instanceof HistoryUnavailable ? error : cannotOpen((error as Error).message);
  }
}
