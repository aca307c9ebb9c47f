/**
 * The history worker with a fault. It ends a number of turns after the first request to store, or
 * during a request for a page. Environment variables choose the fault, and a test changes them
 * between workers.
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
