/**
 * A bot that handles unknown outcomes: after an ambiguous answer it queries the order, and it never
 * gives one order two names.
 */
import type { RestClientV3 } from 'bitget-api';
import type { NewOrder } from './order.ts';

/** The order may exist, may not exist, or may be placed later. */
const CODES_IN_DOUBT = new Set(['40010', '40725', '45001']);
/** Refused before anything happened: sent again under the same name after a pause. */
const STATUSES_TO_REPEAT = new Set([429, 503]);
const ATTEMPTS_MAX = 5;
const PAUSE_MS = 300;

/** What this client throws: the answer's status and body, or a connection's own error. */
interface Failure {
  readonly code?: number | string;
  readonly body?: { readonly code?: string };
}

const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, PAUSE_MS));

/**
 * No answer, a gateway's own error, or a code for an unknown outcome: the order may have been
 * placed.
 */
function leavesDoubt({ code, body }: Failure): boolean {
  if (typeof code !== 'number') return true;
  return code >= 500 || CODES_IN_DOUBT.has(body?.code ?? '');
}

/**
 * The order by its own name, if it exists. Reads may lag behind writes and may fail, so one miss
 * proves nothing.
 */
async function findByName(client: RestClientV3, clientOid: string): Promise<string | undefined> {
  for (let look = 0; look < 2; look++) {
    await pause();
    try {
      return (await client.getOrderInfo({ clientOid })).data.orderId;
    } catch {
      // Not found, or no answer: query again, and then send it again under the same name.
    }
  }
  return undefined;
}

export async function placeCarefully(
  client: RestClientV3,
  order: NewOrder,
  clientOid: string,
): Promise<string> {
  for (let attempt = 1; ; attempt++)
    try {
      // The same name for each attempt: within six hours the exchange places it at most once.
      const { data } = await client.submitNewOrder({ ...order, clientOid });
      return data.orderId;
    } catch (thrown) {
      const failure = thrown as Failure;
      const isRepeatable = leavesDoubt(failure) || STATUSES_TO_REPEAT.has(failure.code as number);
      if (!isRepeatable || attempt === ATTEMPTS_MAX) throw thrown;
      const found = await findByName(client, clientOid);
      if (found !== undefined) return found;
    }
}
