/**
 * Compares an answer with the contract: the envelope, a known code with its status, and the row's
 * fields.
 */
import { type Dialect, dialectOf } from '../../../src/contract/dialects.ts';
import { errorCode, errorStatus } from '../../../src/contract/errors.ts';
import { REJECTIONS } from '../../../src/messages/rejections.ts';
import type { WireAnswer } from './line.ts';
import type { FuzzRequest } from './requests.ts';

/** The statuses of each code, by API version. */
function statusesByCode(dialect: Dialect): ReadonlyMap<string, ReadonlySet<number>> {
  const table = new Map<string, Set<number>>([['00000', new Set([200])]]);
  for (const reason of REJECTIONS) {
    const code = errorCode(reason, dialect);
    table.set(code, (table.get(code) ?? new Set()).add(errorStatus(reason)));
  }
  return table;
}
const DIALECTS: readonly Dialect[] = ['v2', 'v3', 'broker', 'operator'];
const tables = new Map(DIALECTS.map((dialect) => [dialect, statusesByCode(dialect)]));

/** The code of an internal error. No request may cause it. */
const FAILED_INSIDE = '40010';
const MEMBERS = 'code,msg,requestTime,data';

interface Envelope {
  readonly code: string;
  readonly msg: string;
  readonly requestTime: number;
  readonly data: unknown;
}

/** The envelope in a body, or its fault. */
export function envelopeOf({ headers, body }: WireAnswer): Envelope | string {
  if (headers.get('content-type') !== 'application/json')
    return `content type ${headers.get('content-type')}`;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return `no JSON: ${body.slice(0, 200)}`;
  }
  if (typeof value !== 'object' || value === null || Object.keys(value).join() !== MEMBERS)
    return `no envelope: ${body.slice(0, 200)}`;
  const envelope = value as Envelope;
  return typeof envelope.msg === 'string' && Number.isSafeInteger(envelope.requestTime)
    ? envelope
    : `odd envelope: ${body.slice(0, 200)}`;
}

/** The faults of an answer; empty if it keeps the contract. */
export function answerFaults(
  { row, codes }: Pick<FuzzRequest, 'row' | 'codes'>,
  answer: WireAnswer,
): readonly string[] {
  const envelope = envelopeOf(answer);
  if (typeof envelope === 'string') return [envelope];
  const { code, msg, data } = envelope;
  const faults: string[] = [];
  const dialect = row === undefined ? 'v2' : dialectOf(row.path);
  // A request that matches no row is refused in the words of v2.
  const statuses = new Set([
    ...(tables.get(dialect)!.get(code) ?? []),
    ...(tables.get('v2')!.get(code) ?? []),
  ]);
  if (!statuses.has(answer.status))
    faults.push(`HTTP ${answer.status} with code ${code} is not in the contract`);
  if (codes !== undefined && !codes.includes(code))
    faults.push(`code ${code} (${msg}), expected ${codes.join(' or ')}`);
  if (code === FAILED_INSIDE) faults.push('internal error');
  if (code === '00000') {
    if (msg !== 'success') faults.push(`success says ${msg}`);
    if (row !== undefined) faults.push(...row.response.faults(data, 'data'));
  } else if (data !== null) faults.push('a refusal carries data');
  return faults;
}
