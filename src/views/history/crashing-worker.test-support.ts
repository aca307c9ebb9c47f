/**
 * The history worker with a fault in it: it ends itself a number of turns after it is first asked
 * to store, wherever that finds it, or while it is asked for a page. How and when is said by
 * environment variables, which a test changes between one worker and the next.
 */
import { parentPort } from 'node:worker_threads';
import type { NumberedRequest } from './worker-messages.ts';
import './history-worker.ts';

const { CRASH_ON: crashOn, CRASH_AFTER_TURNS: turns } = process.env;

function crashAfter(left: number): void {
  if (left <= 0) process.exit(1);
  queueMicrotask(() => crashAfter(left - 1));
}

parentPort?.on('message', ({ request }: NumberedRequest) => {
  if (request.type === crashOn) crashAfter(Number.parseInt(turns ?? '0', 10));
});
