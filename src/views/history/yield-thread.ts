/**
 * Long work in a background thread yields after this time. Even a thread of low priority keeps its
 * core for up to five milliseconds, and trading on the same core would wait. A thread that sleeps
 * for a moment releases the core at once.
 */
const WORK_MS = 0.5;
/** The shortest possible sleep. It only has to end. */
const YIELD_MS = 0.1;

/** Never changes, so that a wait for a change always times out. */
const unchanged = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
let since = performance.now();

/** Called between two pieces of work. Sleeps for a moment if the last sleep was long enough ago. */
export function yieldThread(): void {
  if (performance.now() - since < WORK_MS) return;
  Atomics.wait(unchanged, 0, 0, YIELD_MS);
  since = performance.now();
}
