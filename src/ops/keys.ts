/**
 * `rialto keys`: makes an API key. The secret and passphrase are shown here once and nowhere again.
 */
import type { Permission } from '../messages/vocabulary.ts';
import { runningExchange } from './running-exchange.ts';
import { uidOf } from './user-named.ts';

interface KeysOptions {
  readonly data: string;
  readonly permissions?: string;
  readonly ips?: string;
}

const listed = (text: string): string[] => text.split(',').map((item) => item.trim());

export async function keys(user: string, options: KeysOptions): Promise<void> {
  const exchange = runningExchange(options.data);
  const key = await exchange.operator.call('createKey', {
    uid: await uidOf(user, exchange),
    // Words that are no permission are the exchange's to refuse.
    ...(options.permissions === undefined
      ? {}
      : { permissions: listed(options.permissions) as Permission[] }),
    ...(options.ips === undefined ? {} : { ips: listed(options.ips) }),
  });
  process.stdout.write(`${JSON.stringify(key, null, 2)}\n`);
}
