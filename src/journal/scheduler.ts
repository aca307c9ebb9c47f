/** Schedules background work. The simulator uses one that it advances by hand. */
export interface Scheduler {
  /** Runs after everything that arrived together has been accepted. */
  soon(run: () => void): void;
  /** Runs after a delay; returns a function that cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

export const nodeScheduler: Scheduler = {
  // `setImmediate` runs after all ready sockets have been read, so their commands share one sync.
  soon: (run) => {
    setImmediate(run);
  },
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
