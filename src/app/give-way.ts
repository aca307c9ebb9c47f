/** Lets a thread give way to trading where both have only one core: what it does can wait. */
import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** Of a core that trading wants too, by how much lower its priority is; of one that nobody wants, each gets all. */
const LOWER = {
  /** Can wait. */
  tenth: 10,
  /** Can wait a moment and has to keep up. */
  quarter: 5,
} as const;
/** Names the thread that reads it. Systems without it have priorities for whole programs alone. */
const OWN_THREAD = '/proc/thread-self';

export function giveWay(share: keyof typeof LOWER): void {
  try {
    const thread = Number(readlinkSync(OWN_THREAD).split('/').at(-1));
    if (!(Number.isSafeInteger(thread) && thread > 0)) return;
    setPriority(thread, Math.min(getPriority(thread) + LOWER[share], constants.priority.PRIORITY_LOW));
  } catch {
    // It goes on as before.
  }
}
