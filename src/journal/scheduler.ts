/** When things happen that nobody is waiting for. The simulator passes one it moves by hand. */
export interface Scheduler {
  /** Runs once what has arrived together has been taken in. */
  soon(run: () => void): void;
  /** Runs after a while; answers how to call it off. */
  after(delayMs: number, run: () => void): () => void;
}

export const nodeScheduler: Scheduler = {
  // After the sockets that are ready now have been read, so that their commands share one sync.
  soon: (run) => {
    setImmediate(run);
  },
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
