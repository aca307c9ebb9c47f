/**
 * Makes full garbage collections rare while memory is small. A full collection takes about a
 * millisecond per megabyte, and trading waits for it on a machine with one core. By default, V8
 * collects a small exchange under load every two seconds.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** Memory may grow to four times the size of live objects before a full collection. */
const RARELY = '--heap-growing-percent=300';
/**
 * V8's default, for large heaps: a large exchange would need several times its memory, and its
 * snapshots as much again.
 */
const BY_ITSELF = '--heap-growing-percent=0';

const SMALL_BYTES_MAX = 512 * 1024 * 1024;
const LOOK_MS = 2_000;

interface Heap {
  usedBytes(): number;
  setFlag(flag: string): void;
}

const ownHeap: Heap = {
  usedBytes: () => getHeapStatistics().used_heap_size,
  setFlag: setFlagsFromString,
};

/** Stays in effect as long as the program runs. */
export function collectRarely(heap: Heap = ownHeap): void {
  let current = '';
  const look = (): void => {
    const wanted = heap.usedBytes() <= SMALL_BYTES_MAX ? RARELY : BY_ITSELF;
    if (wanted !== current) heap.setFlag(wanted);
    current = wanted;
  };
  look();
  setInterval(look, LOOK_MS).unref();
}
