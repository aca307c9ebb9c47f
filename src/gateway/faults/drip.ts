/** Sends an answer so slowly that its reader can watch it come. */
import type { ServerResponse } from 'node:http';
import { SECOND } from '../../kernel/time.ts';

/** As often as this at most: slower rates send one byte at a time. */
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
  // Whoever has gone away is not written to.
  response.on('close', () => clearInterval(writing));
  response.flushHeaders();
}
