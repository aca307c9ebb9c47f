/**
 * Full collections come rarely while memory is small. Each marks whatever is alive, about a
 * millisecond for a megabyte, and where trading has only one core it waits for that. Left to
 * itself, V8 collects a small exchange under load every other second.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** Memory may grow to four times what was alive before it is collected again. */
const RARELY = '--heap-growing-percent=300';
/**
 * As V8 thinks best, which is sparing: a large exchange would need several times its memory, and
 * its snapshots as much again.
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

/** Holds from here on, for as long as the program runs. */
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
