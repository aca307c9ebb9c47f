/**
 * Counts calls whose connection ended before the answer. Their outcome is unknown, so they are not
 * sent again; the report gives their number.
 */

/** A server without any answers is a failure, not a loss. */
const TRIALS_MAX = 5;
/** Node's error codes of a connection that ended before its answer. */
const LOSSES: readonly (string | undefined)[] = ['ECONNRESET', 'EPIPE'];

let lost = 0;

export const countLost = (calls: number): void => {
  lost += calls;
};

/** Since the program started. */
export const lostCalls = (): number => lost;

/** Makes another call after each lost one. `make` must not repeat an order. */
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
