/**
 * A bot that knows what it does not know: after an answer that leaves doubt it asks, and it never
 * gives one order two names.
 */
import type { RestClientV3 } from 'bitget-api';
import type { NewOrder } from './order.ts';

/** The order may be there, may not be there, and may come later. */
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
 * No answer at all, a gateway's own error, or a code that says so: nobody can tell what became of
 * the order.
 */
function leavesDoubt({ code, body }: Failure): boolean {
  if (typeof code !== 'number') return true;
  return code >= 500 || CODES_IN_DOUBT.has(body?.code ?? '');
}

/**
 * The order under its own name, if it is there. Reads may lag behind writes and may fail too, so
 * that one miss proves nothing.
 */
async function findByName(client: RestClientV3, clientOid: string): Promise<string | undefined> {
  for (let look = 0; look < 2; look++) {
    await pause();
    try {
      return (await client.getOrderInfo({ clientOid })).data.orderId;
    } catch {
      // Not there yet, or not told: look again, and then send it again under the same name.
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
      // The same name for each attempt: within six hours the exchange places it once, however often
      // it is sent.
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
