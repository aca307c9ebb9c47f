/** Checks that both servers can listen on their addresses before anything is created for them. */
import { createServer } from 'node:net';
import type { Settings } from './settings.ts';

/** Listens on an address and closes it again, or throws the system's error. */
const tryAddress = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ host, port }, () => probe.close(() => resolve()));
  });

/** Throws early what would otherwise refuse the start after a long recovery. */
export async function tryAddresses({ host, port, operatorPort }: Settings): Promise<void> {
  for (const each of new Set([port, operatorPort])) await tryAddress(host, each);
}
