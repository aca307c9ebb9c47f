/**
 * Rehearses the costliest bug: the order was placed, but its answer was lost. Both bots want one
 * order; the exchange reports how many they got.
 *
 * RIALTO_KEY=… RIALTO_SECRET=… RIALTO_PASSPHRASE=… RIALTO_OPERATOR_TOKEN=… \
 * npx tsx examples/unknown-result/rehearse.ts
 */
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { RestClientV3 } from 'bitget-api';
import { placeCarefully } from './careful-bot.ts';
import { placeNaively } from './naive-bot.ts';
import { wantedOrder } from './order.ts';

/** How long the bots wait for an answer. */
const PATIENCE_MS = 5_000;
/** Faults that place an order after the answer do so after two seconds. */
const LATER_MS = 2_500;

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

/** The outcome of each bot's order; undefined if the fault hit none of the bot's calls. */
interface Verdicts {
  readonly naive: Verdict | undefined;
  readonly careful: Verdict | undefined;
}

async function operate<Data>(
  { operatorUrl, operatorToken }: Rehearsal,
  method: string,
  path: string,
  body?: object,
): Promise<Data> {
  const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' };
  const sent =
    body === undefined
      ? { headers: { authorization: headers.authorization } }
      : { headers, body: JSON.stringify(body) };
  const answer = await fetch(`${operatorUrl}${path}`, { method, ...sent });
  const { code, msg, data } = (await answer.json()) as { code: string; msg: string; data: Data };
  if (code !== '00000') throw new Error(`${path}: ${code} ${msg}`);
  return data;
}

/** Lets a bot place its order while the fault is set. Resolves to the fault's id. */
async function placeUnderFault(
  rehearsal: Rehearsal,
  place: () => Promise<string>,
): Promise<string> {
  const { id } = await operate<{ id: string }>(rehearsal, 'POST', '/operator/v1/faults', {
    name: rehearsal.fault,
  });
  try {
    await place();
  } catch {
    // The bot gave up. The verdict has its order's outcome.
  }
  await operate(rehearsal, 'DELETE', `/operator/v1/faults/${id}`);
  return id;
}

export async function rehearse(rehearsal: Rehearsal): Promise<Verdicts> {
  const { publicUrl, apiKey, secretKey: apiSecret, passphrase: apiPass } = rehearsal;
  const client = new RestClientV3(
    { baseUrl: publicUrl, apiKey, apiSecret, apiPass },
    { timeout: PATIENCE_MS },
  );
  const startedAt = Date.now();
  // A new price for each rehearsal: an equal order within a minute counts as another attempt.
  const price = (49_000 + (Math.floor(startedAt / 100) % 10_000) / 10).toFixed(1);

  const naiveFault = await placeUnderFault(rehearsal, () =>
    placeNaively(client, { ...wantedOrder, price }),
  );
  // Another size, so that the two bots do not want the same order.
  const carefulFault = await placeUnderFault(rehearsal, () =>
    placeCarefully(client, { ...wantedOrder, price, qty: '0.02' }, `careful-${startedAt}`),
  );

  await setTimeout(LATER_MS);
  const verdicts = await operate<(Verdict & { faults: readonly string[] })[]>(
    rehearsal,
    'GET',
    '/operator/v1/verdicts',
  );
  const hitBy = (id: string): Verdict | undefined =>
    verdicts.find(({ faults }) => faults.includes(id));
  return { naive: hitBy(naiveFault), careful: hitBy(carefulFault) };
}

const rowOf = (verdict: Verdict | undefined): readonly unknown[] =>
  verdict === undefined ? ['not hit by this fault'] : [verdict.verdict, verdict.orders];

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
  console.log('naive  ', ...rowOf(naive));
  console.log('careful', ...rowOf(careful));
}
