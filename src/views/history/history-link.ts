/** The main thread's end of the line to one history worker: starts it, sends requests, hands each answer to whoever asked. */
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
  /** Where the worker's code is: `views/history/history-worker.js` in the bundle. */
  readonly workerUrl: URL;
  /** Node options for the worker, instead of the main thread's. */
  readonly execArgv?: readonly string[];
}

/** The worker ended before it answered. Whatever was asked may or may not have happened. */
export class WorkerEnded extends Error {
  override readonly name = 'WorkerEnded';
}

/** A worker holds one batch of rows and one page at a time; past this it is stopped and started again rather than let it eat the machine. */
const WORKER_HEAP_MB_MAX = 128;

export interface HistoryLink {
  /** What the file had applied when it was opened. */
  readonly applied: Sequence;
  /**
   * Asks, and reads the answer by `read` at the moment it arrives, before any later answer is looked at. Rejects with WorkerEnded, or with what
   * `read` throws.
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

/** Starts a worker and waits until it has opened the file; throws HistoryUnavailable when it cannot. */
export async function openHistoryLink(file: HistoryFile, fresh: boolean): Promise<HistoryLink> {
  const start: HistoryWorkerStart = { path: file.path, fresh };
  const worker = new Worker(file.workerUrl, {
    workerData: start,
    ...(file.execArgv === undefined ? {} : { execArgv: [...file.execArgv] }),
    resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB_MAX },
  });
  const waiting = new Map<number, Waiting>();
  let lastNumber = OPENING;
  let over = false;
  let reason = 'the history worker ended';

  const expect = <Value>(number: number, read: (answer: HistoryAnswer) => Value): Promise<Value> =>
    new Promise<Value>((resolve, reject) => {
      waiting.set(number, {
        take: (answer) => {
          try {
            resolve(read(answer));
          } catch (error) {
            reject(error as Error);
          }
        },
        giveUp: reject,
      });
    });

  worker.on('message', ({ number, answer }: NumberedAnswer) => {
    const asker = waiting.get(number);
    waiting.delete(number);
    asker?.take(answer);
  });
  worker.on('error', (error) => {
    reason = `the history worker failed: ${error.message}`;
  });
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      over = true;
      for (const asker of waiting.values()) asker.giveUp(new WorkerEnded(reason));
      waiting.clear();
      resolve();
    });
  });

  const opening = expect(OPENING, (answer) => {
    if (answer.type === 'failed') throw new HistoryUnavailable(`${file.path} cannot be opened: ${answer.message}`);
    return answer.applied;
  });
  let applied: Sequence;
  try {
    applied = await opening;
  } catch (error) {
    await worker.terminate();
    throw error instanceof HistoryUnavailable
      ? error
      : new HistoryUnavailable(`${file.path} cannot be opened: ${(error as Error).message}`);
  }

  return {
    applied,
    ask: (request, read) => {
      if (over) return Promise.reject(new WorkerEnded(reason));
      const number = ++lastNumber;
      const answered = expect(number, read);
      const message: NumberedRequest = { number, request };
      worker.postMessage(message);
      return answered;
    },
    ended,
    terminate: async () => {
      await worker.terminate();
    },
  };
}
