/** How much is done at once of what is too much for one command (`backlog.ts`). */
export interface WorkPortions {
  /**
   * Charged with one command, and with each moment at which something falls due on the way to it: a
   * millisecond or two.
   */
  readonly pendingCharges: number;
  /**
   * Triggers fired; a command has at most two slices of them, one with what it caused and one of
   * the backlog. So a crash that reaches everybody holds the exchange up for a few milliseconds at
   * a time, and others' cancels get in between.
   */
  readonly triggers: number;
  /**
   * Copies, closings and settlements: a few milliseconds, which is what others' orders wait for.
   */
  readonly mirrors: number;
  /**
   * Rows of commission: some ten milliseconds; a customer's day is settled whole, and has no more
   * rows than there are markets and coins.
   */
  readonly commissions: number;
  /** Users whose level is reckoned: a millisecond or two. */
  readonly levels: number;
}

/**
 * What every exchange keeps to: journals are replayed by it. Only a simulation, whose crowd is
 * small, has others.
 */
export const WORK_PORTIONS: WorkPortions = {
  pendingCharges: 100,
  triggers: 500,
  mirrors: 50,
  commissions: 500,
  levels: 1_000,
};
