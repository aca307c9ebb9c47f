/**
 * Lowers the priority of background threads, so that trading goes first on a machine with one core.
 */
import { readdirSync, readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** How far the priority is lowered. It matters only on a core that trading also uses. */
const LOWER = {
  /** For work that can wait. */
  tenth: 10,
  /** For work that may be late but must not fall behind. */
  third: 3,
} as const;
/** The thread that reads it. Systems without this path have priorities for whole programs only. */
const OWN_THREAD = '/proc/thread-self';
/** Has one folder per thread of this program. */
const OWN_THREADS = '/proc/self/task';

type Share = keyof typeof LOWER;

function lower(thread: number, share: Share): void {
  if (Number.isSafeInteger(thread) && thread > 0)
    setPriority(
      thread,
      Math.min(getPriority(thread) + LOWER[share], constants.priority.PRIORITY_LOW),
    );
}

/** Where the system does not allow it, priorities stay unchanged. */
function tried<Value>(attempt: () => Value, otherwise: Value): Value {
  try {
    return attempt();
  } catch {
    return otherwise;
  }
}

/** Lowers the priority of the calling thread. */
export const lowerPriority = (share: Share): void =>
  tried(() => lower(Number(readlinkSync(OWN_THREAD).split('/').at(-1)), share), undefined);

/**
 * Lowers the priority of threads that `begin` starts. A worker could lower its own only after it
 * has loaded and compiled its code.
 */
export function startWithLowPriority<Begun>(share: Share, begin: () => Begun): Begun {
  const threads = (): readonly string[] => tried(() => readdirSync(OWN_THREADS), []);
  const before = new Set(threads());
  const begun = begin();
  for (const thread of threads())
    if (!before.has(thread)) tried(() => lower(Number(thread), share), undefined);
  return begun;
}
