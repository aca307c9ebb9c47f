/**
 * A typical bot with a mistake: it treats every answer that is not a success as a failure, and
 * sends the order again.
 */
import type { RestClientV3 } from 'bitget-api';
import type { NewOrder } from './order.ts';

const ATTEMPTS_MAX = 3;

export async function placeNaively(client: RestClientV3, order: NewOrder): Promise<string> {
  for (let attempt = 1; ; attempt++)
    try {
      // A new name for each attempt: the exchange cannot know that it is the same order.
      const clientOid = `naive-${Date.now()}-${attempt}`;
      const { data } = await client.submitNewOrder({ ...order, clientOid });
      return data.orderId;
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) throw error;
    }
}
