/** `rialto fund`: credits a user from the outside world. */
import { runningExchange } from './running-exchange.ts';

export async function fund(uid: string, coin: string, size: string, options: { readonly data: string }): Promise<void> {
  const { operator } = runningExchange(options.data);
  const { orderId } = await operator.call('deposit', { uid, coin, size });
  process.stdout.write(`credited ${size} ${coin} to ${uid}, deposit ${orderId}\n`);
}
