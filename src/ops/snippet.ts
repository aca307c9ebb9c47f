/** `rialto snippet`: prints code for a client of the running exchange. */
import { Complaint } from './complaint.ts';
import { runningExchange } from './running-exchange.ts';
import { snippets } from './snippets.ts';

export async function snippet(client: string, options: { readonly data: string; readonly user: string }): Promise<void> {
  const write = snippets[client];
  if (write === undefined) throw new Complaint(`no snippet for ${client}; there are ${Object.keys(snippets).join(', ')}`);
  const { publicUrl, credentials, operator } = runningExchange(options.data);
  const user = credentials.users.find(({ name }) => name === options.user);
  if (user === undefined)
    throw new Complaint(
      `no user ${options.user} in credentials.json; there are ${credentials.users.map(({ name }) => name).join(', ') || 'none'}`,
    );
  // Code for an exchange that has stopped would fail where it is pasted, and another may have its address by now.
  await operator.call('getClock');
  process.stdout.write(write({ url: publicUrl, user }));
}
