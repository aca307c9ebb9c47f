/**
 * `rialto keys`: creates an API key. This is the only time that its secret and passphrase are
 * shown.
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
    // The exchange refuses unknown permissions.
    ...(options.permissions === undefined
      ? {}
      : { permissions: listed(options.permissions) as Permission[] }),
    ...(options.ips === undefined ? {} : { ips: listed(options.ips) }),
  });
  process.stdout.write(`${JSON.stringify(key, null, 2)}\n`);
}
