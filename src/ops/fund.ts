/** `rialto fund`: credits a user's account from outside the exchange. */
import { decimalText } from '../kernel/decimal-text.ts';
import { CliError } from './cli-error.ts';
import { runningExchange } from './running-exchange.ts';
import { uidOf } from './user-named.ts';

export async function fund(
  user: string,
  coin: string,
  size: string,
  options: { readonly data: string },
): Promise<void> {
  const exchange = runningExchange(options.data);
  const uid = await uidOf(user, exchange);
  if (decimalText(size) === undefined || !/[1-9]/.test(size))
    throw new CliError(`the size is a number above 0 such as 12.5, not "${size}"`);
  const { orderId } = await exchange.operator.call('deposit', { uid, coin, size });
  process.stdout.write(`credited ${size} ${coin} to ${uid}, deposit ${orderId}\n`);
}
