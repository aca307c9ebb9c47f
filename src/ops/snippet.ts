/** `rialto snippet`: prints code for a client of the running exchange. */
import { CliError } from './cli-error.ts';
import { runningExchange } from './running-exchange.ts';
import { snippets } from './snippets.ts';

interface SnippetOptions {
  readonly data: string;
  readonly user: string;
}

/** Lists the clients; needs no running exchange. */
function listClients(): void {
  const width = Math.max(...Object.keys(snippets).map((name) => name.length));
  for (const [name, { about }] of Object.entries(snippets))
    process.stdout.write(`${name.padEnd(width)}  ${about}\n`);
}

export async function snippet(client: string | undefined, options: SnippetOptions): Promise<void> {
  if (client === undefined) return listClients();
  const chosen = Object.hasOwn(snippets, client) ? snippets[client] : undefined;
  if (chosen === undefined)
    throw new CliError(`no snippet for ${client}; there are ${Object.keys(snippets).join(', ')}`);
  const { publicUrl, credentials, operator } = runningExchange(options.data);
  const user = credentials.users.find(({ name }) => name === options.user);
  if (user === undefined)
    throw new CliError(
      `no user ${options.user} in credentials.json; there are ${credentials.users.map(({ name }) => name).join(', ') || 'none'}`,
    );
  // Code for a stopped exchange would fail, and another one may have its address by now.
  await operator.call('getClock');
  process.stdout.write(chosen.write({ url: publicUrl, user }));
}
