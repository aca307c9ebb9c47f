/**
 * What a call asks for, item by item, in a form in which two calls can be compared; and what an
 * answer says came of each item.
 */
import { isAbsent, isRawObject, JsonNumber, type Raw, type RawObject } from '../../contract/raw.ts';
import { IN_ORDER } from '../handlers/order-answers.ts';

/** One thing asked for: an order of a batch, or the whole call. */
export interface AskedItem {
  /** Empty when none was said. */
  readonly clientOid: string;
  /** Everything else that was said, in one order and spelling. */
  readonly content: string;
}

/** The fields that name what is asked for; a call for two ways out has a name for each. */
const NAMES: readonly string[] = ['clientOid', 'stopSurplusClientOid', 'stopLossClientOid'];

/** When it is asked for is no part of it: whoever asks again asks later. */
const MOMENTS: readonly string[] = ['requestTime', 'receiveWindow'];

/**
 * To whoever cancels or changes, a name says which order is meant: by another name he asks for
 * something else.
 */
const namesWhatIsThere = (call: string): boolean =>
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

/** The first name that was given. */
const clientOidOf = (raw: RawObject): string =>
  NAMES.map((name) => textOf(raw.get(name))).find((input) => input !== '') ?? '';

/**
 * A list of orders asks for each of them; any other call asks for one thing. `call` is the name of
 * its row.
 */
export function askedItems(raw: Raw, call = ''): readonly AskedItem[] {
  const leftOut = namesWhatIsThere(call) ? MOMENTS : [...NAMES, ...MOMENTS];
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

/** A thing that was made: an order, a transfer, a loan. */
export interface Made {
  /** Null when the exchange tells it by its client order ID only. */
  readonly id: string | null;
  readonly clientOid: string;
}

export type Row = Readonly<Record<string, unknown>>;
/** Of an answer: what stands by itself or in a list, with names. */
export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const ID_NAMES = ['orderId', 'transferId', 'loanId', 'repayId'] as const;
const textIn = (row: Row, name: string): string => (typeof row[name] === 'string' ? row[name] : '');

/** Undefined for a row that was refused or makes nothing with an id. */
function madeOf(row: Row): Made | undefined {
  if (('code' in row && row.code !== '00000') || row.success === 'failure') return undefined;
  const name = ID_NAMES.find((each) => each in row);
  if (name === undefined) return undefined;
  const id = row[name];
  const clientOid = textIn(row, 'clientOid');
  if (id === null) return { id, clientOid };
  return typeof id === 'string' && id !== '' ? { id, clientOid } : undefined;
}

/** Everything made anywhere in an answer. Rows of failures are not looked at. */
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

/** What came of one item: what was made, and whether anything happened at all. */
export interface Outcome {
  readonly made: readonly Made[];
  readonly happened: boolean;
}

const outcomeOf = (made: readonly Made[]): Outcome => ({ made, happened: made.length > 0 });

/** What came of each item of a call that was answered with success. */
export function outcomesOf(
  value: unknown,
  items: readonly AskedItem[],
  isList: boolean,
): readonly Outcome[] {
  if (!isList) {
    const made = madeIn(value);
    // An empty list means that there was nothing to do; an answer without any list or id means that
    // it is done.
    return [{ made, happened: made.length > 0 || !holdsList(value) }];
  }
  const rows = inOrder(value);
  return items.map((_, at) => outcomeOf(madeIn(rows[at])));
}

/** What is said of each item: in its place on v3, beside the lists on v2. */
function inOrder(value: unknown): readonly unknown[] {
  const rows = isRow(value)
    ? (value as { readonly [IN_ORDER]?: readonly unknown[] })[IN_ORDER]
    : value;
  return Array.isArray(rows) ? rows : [];
}

export const asksForList = (raw: Raw): boolean =>
  Array.isArray(raw) || (isRawObject(raw) && Array.isArray(raw.get('orderList')));
