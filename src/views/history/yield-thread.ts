/**
 * Long work of a thread that gives way, taken in short stretches. However low a thread's priority
 * is, a core that it has is left to it for up to five milliseconds, and whoever trades on the same
 * core waits as long; a thread that sleeps for a moment lets others in at once.
 */
const STRETCH_MS = 0.5;
/** As short as a sleep gets: it is there to be ended, not to last. */
const YIELD_MS = 0.1;

/** Nobody changes it, so that who waits for a change sleeps his time. */
const unchanged = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
let since = performance.now();

/** Called between two pieces of work: sleeps for a moment when the last time is long enough ago. */
export function yieldThread(): void {
  if (performance.now() - since < STRETCH_MS) return;
  Atomics.wait(unchanged, 0, 0, YIELD_MS);
  since = performance.now();
}
