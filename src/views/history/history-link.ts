/**
 * The main thread's end of the line to one history worker: starts it, sends requests, hands each
 * answer to whoever asked.
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
  /**
   * Which journal feeds it: a number that no other one has. A file of another one is not opened.
   */
  readonly journal?: number | undefined;
  /** Where the worker's code is, in the bundle. */
  readonly workerUrl: URL;
  /** Node options for the worker, instead of the main thread's. */
  readonly execArgv?: readonly string[];
}

/** The worker ended before it answered. Whatever was asked may or may not have happened. */
export class WorkerEnded extends Error {
  override readonly name = 'WorkerEnded';
}

/**
 * A worker holds one batch of rows and one page at a time; past this it is stopped and started
 * again rather than let it eat the machine.
 */
const WORKER_HEAP_MB_MAX = 128;

export interface HistoryLink {
  /** What the file had applied when it was opened. */
  readonly applied: Sequence;
  /**
   * Asks, and reads the answer by `read` at the moment it arrives, before any later answer is
   * looked at. Rejects with WorkerEnded, or with what `read` throws.
   */
  ask<Value>(request: HistoryRequest, read: (answer: HistoryAnswer) => Value): Promise<Value>;
  /** Resolves when the worker has ended, however that came. */
  readonly ended: Promise<void>;
  /** Ends the worker at once, in the middle of whatever it does. */
  terminate(): Promise<void>;
}

interface Waiting {
  take(answer: HistoryAnswer): void;
  giveUp(error: Error): void;
}

/** Who waits for which answer of one worker. Once the worker has ended nobody waits any more. */
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

  /** Waits for an answer and reads it the moment it arrives. */
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
 * Starts a worker and waits until it has opened the file; throws HistoryUnavailable when it cannot.
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
