/**
 * Extracts the items that a call requests, in a form that compares, and the outcome of each item
 * from an answer.
 */
import { isAbsent, isRawObject, JsonNumber, type Raw, type RawObject } from '../../contract/raw.ts';
import { IN_ORDER } from '../handlers/order-answers.ts';

/** One requested item: an order of a batch, or the whole call. */
export interface AskedItem {
  /** Empty if absent. */
  readonly clientOid: string;
  /** All other fields in canonical order and spelling. */
  readonly content: string;
}

/** Fields that name a request; a take-profit/stop-loss call has a name for each trigger. */
const NAMES: readonly string[] = ['clientOid', 'stopSurplusClientOid', 'stopLossClientOid'];

/** Times are not compared, because a retry has a later time. */
const MOMENTS: readonly string[] = ['requestTime', 'receiveWindow'];

/**
 * In a cancel or change, the name identifies an existing order: another name is another request.
 */
const namesExistingOrder = (call: string): boolean =>
  call.startsWith('cancel') || call.startsWith('change');

function contentOf(raw: Raw, leftOut: readonly string[]): string {
  if (raw instanceof JsonNumber) return JSON.stringify(raw.source);
  if (Array.isArray(raw)) return `[${raw.map((item) => contentOf(item, leftOut)).join(',')}]`;
  if (!isRawObject(raw)) return JSON.stringify(raw ?? null);
  const input = [...raw].filter(([name, value]) => !leftOut.includes(name) && !isAbsent(value));
  return `{${input
    .map(([name, value]) => `${JSON.stringify(name)}:${contentOf(value, leftOut)}`)
    .sort()
    .join(',')}}`;
}

const textOf = (input: Raw): string => {
  if (input instanceof JsonNumber) return input.source;
  return typeof input === 'string' ? input : '';
};

const clientOidOf = (raw: RawObject): string =>
  NAMES.map((name) => textOf(raw.get(name))).find((input) => input !== '') ?? '';

/**
 * Splits a batch into its orders; any other call is one item. `call` is the name of its endpoint
 * row.
 */
export function askedItems(raw: Raw, call = ''): readonly AskedItem[] {
  const leftOut = namesExistingOrder(call) ? MOMENTS : [...NAMES, ...MOMENTS];
  const itemOf = (item: RawObject, shared = ''): AskedItem => ({
    clientOid: clientOidOf(item),
    content: shared + contentOf(item, leftOut),
  });
  if (Array.isArray(raw)) return raw.filter(isRawObject).map((item) => itemOf(item));
  if (!isRawObject(raw)) return [{ clientOid: '', content: '' }];
  const orders = raw.get('orderList');
  if (!Array.isArray(orders)) return [itemOf(raw)];
  const shared = contentOf(new Map([...raw].filter(([name]) => name !== 'orderList')), leftOut);
  return orders.filter(isRawObject).map((item) => itemOf(item, shared));
}

/** A created object: an order, a transfer, a loan. */
export interface Made {
  /** Null if the answer identifies the object by its client order ID only. */
  readonly id: string | null;
  readonly clientOid: string;
}

export type Row = Readonly<Record<string, unknown>>;
/** True for an object of an answer, alone or in a list. */
export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const ID_NAMES = ['orderId', 'transferId', 'loanId', 'repayId'] as const;
const textIn = (row: Row, name: string): string => (typeof row[name] === 'string' ? row[name] : '');

/** Undefined for a refused row, and for a row without an id. */
function madeOf(row: Row): Made | undefined {
  if (('code' in row && row.code !== '00000') || row.success === 'failure') return undefined;
  const name = ID_NAMES.find((each) => each in row);
  if (name === undefined) return undefined;
  const id = row[name];
  const clientOid = textIn(row, 'clientOid');
  if (id === null) return { id, clientOid };
  return typeof id === 'string' && id !== '' ? { id, clientOid } : undefined;
}

/** All objects created in an answer. Failed rows are skipped. */
export function madeIn(value: unknown): readonly Made[] {
  if (Array.isArray(value)) return value.flatMap(madeIn);
  if (!isRow(value)) return [];
  const own = madeOf(value);
  if (own !== undefined) return [own];
  return Object.entries(value).flatMap(([name, part]) =>
    name === 'failureList' ? [] : madeIn(part),
  );
}

const holdsList = (value: unknown): boolean =>
  Array.isArray(value) || (isRow(value) && Object.values(value).some(Array.isArray));

/** The outcome of one item: the created objects, and whether it took effect. */
export interface Outcome {
  readonly made: readonly Made[];
  readonly happened: boolean;
}

const outcomeOf = (made: readonly Made[]): Outcome => ({ made, happened: made.length > 0 });

/** The outcome of each item of a successful call. */
export function outcomesOf(
  value: unknown,
  items: readonly AskedItem[],
  isList: boolean,
): readonly Outcome[] {
  if (!isList) {
    const made = madeIn(value);
    // An empty list means that nothing was to be done. An answer without a list or an id means that
    // the call took effect.
    return [{ made, happened: made.length > 0 || !holdsList(value) }];
  }
  const rows = inOrder(value);
  return items.map((_, at) => outcomeOf(madeIn(rows[at])));
}

/** The answer's rows by item: by position in v3, in separate lists in v2. */
function inOrder(value: unknown): readonly unknown[] {
  const rows = isRow(value)
    ? (value as { readonly [IN_ORDER]?: readonly unknown[] })[IN_ORDER]
    : value;
  return Array.isArray(rows) ? rows : [];
}

export const asksForList = (raw: Raw): boolean =>
  Array.isArray(raw) || (isRawObject(raw) && Array.isArray(raw.get('orderList')));
