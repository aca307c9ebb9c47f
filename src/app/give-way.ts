/** Lets a thread give way to trading where both have only one core: what it does can wait. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** About a tenth of a core that others want, and all of one that nobody wants. */
const PRIORITY = 10;
/** Names the thread that reads it. Systems without it have priorities for whole programs alone. */
const OWN_THREAD = '/proc/thread-self';

export function giveWay(): void {
  try {
    const thread = Number(readlinkSync(OWN_THREAD).split('/').at(-1));
    if (Number.isSafeInteger(thread) && thread > 0) setPriority(thread, PRIORITY);
  } catch {
    // It goes on as before.
  }
}
