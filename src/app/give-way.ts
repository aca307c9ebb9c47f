/** Lets a thread give way to trading where both have only one core: what it does can wait. */
import { readdirSync, readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Of a core that trading wants too, by how much lower its priority is; of one that nobody wants,
 * each gets all.
 */
const LOWER = {
  /** Can wait. */
  tenth: 10,
  /** Can wait a moment and has to keep up. */
  third: 3,
} as const;
/** Names the thread that reads it. Systems without it have priorities for whole programs alone. */
const OWN_THREAD = '/proc/thread-self';
/** Has a folder for each thread of this program. */
const OWN_THREADS = '/proc/self/task';

type Share = keyof typeof LOWER;

function lower(thread: number, share: Share): void {
  if (Number.isSafeInteger(thread) && thread > 0)
    setPriority(
      thread,
      Math.min(getPriority(thread) + LOWER[share], constants.priority.PRIORITY_LOW),
    );
}

/** Where it cannot be done everything goes on as before. */
function tried<Value>(attempt: () => Value, otherwise: Value): Value {
  try {
    return attempt();
  } catch {
    return otherwise;
  }
}

/** The thread that calls gives way from now on. */
export const lowerPriority = (share: Share): void =>
  tried(() => lower(Number(readlinkSync(OWN_THREAD).split('/').at(-1)), share), undefined);

/**
 * Threads that `begin` begins give way from their beginning: a worker has loaded and compiled all
 * its code before it could do so itself.
 */
export function beginGivingWay<Begun>(share: Share, begin: () => Begun): Begun {
  const threads = (): readonly string[] => tried(() => readdirSync(OWN_THREADS), []);
  const before = new Set(threads());
  const begun = begin();
  for (const thread of threads())
    if (!before.has(thread)) tried(() => lower(Number(thread), share), undefined);
  return begun;
}
