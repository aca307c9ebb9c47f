/** `rialto keys`: makes an API key. The secret and passphrase are shown here once and nowhere again. */
import { runningExchange } from './running-exchange.ts';

interface KeysOptions {
  readonly data: string;
  readonly permissions?: string;
  readonly ips?: string;
}

const listed = (text: string): string[] => text.split(',').map((item) => item.trim());

export async function keys(uid: string, options: KeysOptions): Promise<void> {
  const key = await runningExchange(options.data).call('POST', '/operator/v1/keys', {
    uid,
    ...(options.permissions === undefined ? {} : { permissions: listed(options.permissions) }),
    ...(options.ips === undefined ? {} : { ips: listed(options.ips) }),
  });
  process.stdout.write(`${JSON.stringify(key, null, 2)}\n`);
}
