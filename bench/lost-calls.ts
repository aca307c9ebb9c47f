/**
 * Calls that lost their connection before their answer. What became of one is unknown, so it is not
 * sent again; the report says how many there were.
 */

/** A server that answers nothing at all is no loss but a failure. */
const TRIALS_MAX = 5;
/** What Node says of a connection that ended before its answer. */
const LOSSES: readonly (string | undefined)[] = ['ECONNRESET', 'EPIPE'];

let lost = 0;

export const countLost = (calls: number): void => {
  lost += calls;
};

/** Since the program began. */
export const lostCalls = (): number => lost;

/** Makes another call of its own after each that was lost. `make` must not repeat an order. */
export async function untilAnswered<Answer>(make: () => Promise<Answer>): Promise<Answer> {
  for (let trial = 1; ; trial++) {
    try {
      return await make();
    } catch (error) {
      if (!LOSSES.includes((error as NodeJS.ErrnoException).code) || trial === TRIALS_MAX)
        throw error;
      countLost(1);
    }
  }
}
