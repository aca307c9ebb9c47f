/** The sizes of the portions in which deferred work is done. */
export interface WorkPortions {
  /** Accounts charged with one command or timer: one or two milliseconds. */
  readonly pendingCharges: number;
  /**
   * Triggers fired at once. A command fires at most two portions: its own and one of the deferred
   * work. So in a crash, other commands wait for a few milliseconds at a time.
   */
  readonly triggers: number;
  /** Copies, closes and settlements: a few milliseconds, for which other orders wait. */
  readonly mirrors: number;
  /** Commission rows: about ten milliseconds. A customer's day is settled at once. */
  readonly commissions: number;
  /** Users whose level is computed: one or two milliseconds. */
  readonly levels: number;
}

/**
 * Every exchange uses these values, because replay depends on them; only simulations have others.
 */
export const WORK_PORTIONS: WorkPortions = {
  pendingCharges: 100,
  triggers: 500,
  mirrors: 50,
  commissions: 500,
  levels: 1_000,
};
