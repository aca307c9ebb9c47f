/** Sends an answer slowly, a few bytes at a time. */
import type { ServerResponse } from 'node:http';
import { SECOND } from '../../kernel/time.ts';

/** Upper limit of writes; at slower rates, each write is one byte. */
const WRITES_PER_SECOND_MAX = 10;

export function drip(response: ServerResponse, text: string, bytesPerSecond: number): void {
  const bytes = Buffer.from(text);
  const writesPerSecond = Math.min(WRITES_PER_SECOND_MAX, bytesPerSecond);
  const step = Math.ceil(bytesPerSecond / writesPerSecond);
  let sent = 0;
  const writing = setInterval(() => {
    response.write(bytes.subarray(sent, sent + step));
    sent += step;
    if (sent < bytes.length) return;
    clearInterval(writing);
    response.end();
  }, SECOND / writesPerSecond);
  // Stops if the client disconnects.
  response.on('close', () => clearInterval(writing));
  response.flushHeaders();
}
