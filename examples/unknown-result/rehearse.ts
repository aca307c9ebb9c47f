/**
 * Rehearses the costliest bug: the order was placed, but its answer was lost. Both bots want one order; the exchange tells how many they got.
 *
 *   RIALTO_KEY=… RIALTO_SECRET=… RIALTO_PASSPHRASE=… RIALTO_OPERATOR_TOKEN=… npx tsx examples/unknown-result/rehearse.ts
 */
import { fileURLToPath } from 'node:url';
import { RestClientV3 } from 'bitget-api';
import { placeCarefully } from './careful-bot.ts';
import { placeNaively } from './naive-bot.ts';
import { wantedOrder } from './order.ts';

export interface Rehearsal {
  readonly publicUrl: string;
  readonly operatorUrl: string;
  readonly operatorToken: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly passphrase: string;
  /** A fault of docs/faults.md. */
  readonly fault: string;
}

interface Verdict {
  readonly clientOid: string;
  readonly attempts: number;
  readonly orders: readonly string[];
  readonly verdict: string;
}

async function operate<Data>({ operatorUrl, operatorToken }: Rehearsal, method: string, path: string, body?: object): Promise<Data> {
  const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' };
  const sent = body === undefined ? { headers: { authorization: headers.authorization } } : { headers, body: JSON.stringify(body) };
  const answer = await fetch(`${operatorUrl}${path}`, { method, ...sent });
  const { code, msg, data } = (await answer.json()) as { code: string; msg: string; data: Data };
  if (code !== '00000') throw new Error(`${path}: ${code} ${msg}`);
  return data;
}

/** What became of the one order each bot wanted. */
export async function rehearse(rehearsal: Rehearsal): Promise<{ readonly naive: Verdict; readonly careful: Verdict }> {
  const { publicUrl, apiKey, secretKey: apiSecret, passphrase: apiPass, fault } = rehearsal;
  const client = new RestClientV3({ baseUrl: publicUrl, apiKey, apiSecret, apiPass });
  const name = `careful-${Date.now()}`;
  const setFault = () => operate<{ id: string }>(rehearsal, 'POST', '/operator/v1/faults', { name: fault });

  const first = await setFault();
  await placeNaively(client, wantedOrder);
  const second = await setFault();
  // Another size, so that the two bots do not want the same order.
  await placeCarefully(client, { ...wantedOrder, qty: '0.02' }, name);

  const verdicts = await operate<(Verdict & { faults: readonly string[] })[]>(rehearsal, 'GET', '/operator/v1/verdicts');
  const struckBy = (id: string): Verdict => verdicts.find(({ faults }) => faults.includes(id))!;
  return { naive: struckBy(first.id), careful: struckBy(second.id) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { env } = process;
  const { naive, careful } = await rehearse({
    publicUrl: env.RIALTO_URL ?? 'http://127.0.0.1:8080',
    operatorUrl: env.RIALTO_OPERATOR_URL ?? 'http://127.0.0.1:8081',
    operatorToken: env.RIALTO_OPERATOR_TOKEN ?? '',
    apiKey: env.RIALTO_KEY ?? '',
    secretKey: env.RIALTO_SECRET ?? '',
    passphrase: env.RIALTO_PASSPHRASE ?? '',
    fault: process.argv[2] ?? 'connection-lost-after-commit',
  });
  console.log('naive  ', naive.verdict, naive.orders);
  console.log('careful', careful.verdict, careful.orders);
}
