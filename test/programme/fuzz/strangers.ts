/**
 * An order of another account and an unknown order must get the same answer, so that a caller
 * cannot probe for orders of others.
 */
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import type { Line } from './line.ts';
import { type Input, type Keys, publicRows, sayTo, signedCall } from './requests.ts';

const NEVER_WAS = '1999999999999999999';
const rows = publicRows.filter(
  ({ row }) =>
    row.access !== 'anybody' &&
    'orderId' in row.request.fields &&
    row.request.schema.type !== 'array',
);

/** The same call with another order id. */
function naming(_row: Endpoint, { target, body }: Input, orderId: string): Input {
  if (body !== undefined)
    return {
      target,
      body: JSON.stringify({ ...(JSON.parse(body) as object), orderId, clientOid: undefined }),
    };
  const [path = '', query = ''] = target.split('?');
  const fields = new URLSearchParams(query);
  fields.delete('clientOid');
  fields.set('orderId', orderId);
  return { target: `${path}?${fields.toString()}`, body };
}

/** The endpoints whose answer differs for an order of another account. */
export async function strangerFaults(
  line: Line,
  stranger: Keys,
  ids: readonly string[],
  seed: number,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const random = seededRandom(seed);
  for (const { name, row } of rows)
    for (const id of ids.slice(-5)) {
      const input = sayTo(row, 'right', random, { ids: [id], uids: ['1000000001'] });
      const answers: string[] = [];
      for (const orderId of [id, NEVER_WAS]) {
        const { bytes } = signedCall('stranger', row, stranger, naming(row, input, orderId));
        const { status, body } = await line.ask(bytes);
        answers.push(`${status} ${body.replaceAll(orderId, '…').replace(/"requestTime":\d+/, '')}`);
      }
      if (answers[0] !== answers[1])
        faults.push(
          `${name} answers differently for an order of another account and for an unknown one:\n    ${answers.join('\n    ')}`,
        );
    }
  return faults;
}
