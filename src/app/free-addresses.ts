/**
 * Whether both planes could be served where they are asked for, found out before anything is made
 * for them.
 */
import { createServer } from 'node:net';
import type { Settings } from './settings.ts';

/** Takes an address and lets it go again, or throws what the machine says. */
const tryAddress = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ host, port }, () => probe.close(() => resolve()));
  });

/** Throws what would refuse the start behind a journal that is read and a world that is made. */
export async function tryAddresses({ host, port, operatorPort }: Settings): Promise<void> {
  for (const each of new Set([port, operatorPort])) await tryAddress(host, each);
}
