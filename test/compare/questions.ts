/** Every list endpoint as requests: fields that are required take each value that fits, and those that are not are left out. */
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { operatorEndpoints, publicEndpoints } from '../../src/contract/endpoints.ts';
import { JsonNumber, type Raw } from '../../src/contract/raw.ts';
import type { JsonSchema } from '../../src/contract/schema.ts';
import type { State } from '../../src/core/state.ts';
import { idText } from '../../src/kernel/ids.ts';
import type { Question } from './compared.ts';

const DAY = 86_400_000;
/** Of the ways to combine values each account asks at most so many, and another choice than the account before it. */
const COMBINATIONS_MAX = 4;
const SYMBOLS_MAX = 6;

type Value = string | boolean | readonly unknown[] | Readonly<Record<string, unknown>>;
type Asked = Readonly<Record<string, Value>>;

/** A request's plain fields as the gateway reads them. */
export function rawOf(value: unknown): Raw {
  if (Array.isArray(value)) return value.map(rawOf);
  if (typeof value === 'object' && value !== null)
    return new Map(Object.entries(value).map(([name, item]) => [name, rawOf(item)]));
  if (typeof value === 'number') return new JsonNumber(String(value));
  return value as Raw;
}

const isList = ({ method, access }: Endpoint): boolean =>
  method === 'GET' || (method === 'POST' && access.endsWith('.read'));

/** Values by what the name of a field says about them. */
interface Known {
  readonly symbols: readonly string[];
  readonly uids: readonly string[];
  readonly ids: readonly string[];
  readonly now: number;
}

function knownIn(state: State, uid: number): Known {
  const traded = [
    ...new Set(
      [...state.symbolPrices]
        .filter(([, { last }]) => last !== undefined)
        .map(([key]) => key.split(':')[1]!),
    ),
  ];
  const own = [...state.accounts].find(([account]) => account === uid)?.[1].openOrders ?? [];
  return {
    symbols: traded.slice(0, SYMBOLS_MAX),
    uids: [...state.accounts.keys()].map(String),
    ids: [...own.slice(-2), ...own.slice(0, 1)].map(idText),
    now: state.at,
  };
}

function valuesFor(name: string, schema: JsonSchema, known: Known): readonly Value[] {
  if (schema.enum !== undefined) return schema.enum.map(String);
  if (schema.type === 'boolean') return [true];
  if (name === 'startTime') return [String(known.now - 29 * DAY)];
  if (name === 'endTime') return [String(known.now)];
  if (/symbol$/i.test(name)) return known.symbols;
  if (/coin$/i.test(name)) return ['USDT', 'BTC'];
  if (/uid$|traderId$/i.test(name)) return known.uids;
  if (/Id$|No$/.test(name)) return known.ids;
  const [example] = schema.examples ?? [];
  return [typeof schema.default === 'string' ? schema.default : String(example ?? '1')];
}

/** Each combination of one value for each field, or an even choice of them that begins at a turn. */
function combinations(
  fields: readonly (readonly [string, readonly Value[]])[],
  turn: number,
): readonly Asked[] {
  const count = fields.reduce((product, [, values]) => product * values.length, 1);
  const asked = Math.min(count, COMBINATIONS_MAX);
  return Array.from({ length: asked }, (_, place) => {
    let rest = (Math.floor((place * count) / asked) + turn) % count;
    return Object.fromEntries(
      fields.map(([name, values]) => {
        const value = values[rest % values.length]!;
        rest = Math.floor(rest / values.length);
        return [name, value];
      }),
    );
  });
}

/** With required fields alone, and once more with a page so small that it has an end. */
function asksOf({ request, path }: Endpoint, known: Known, turn: number): readonly Asked[] {
  const fields = Object.entries(request.fields);
  const needed = fields.filter(([name, { required }]) => required || path.includes(`/:${name}`));
  const choices = needed.map(
    ([name, { schema }]) => [name, valuesFor(name, schema, known)] as const,
  );
  const plain = combinations(choices, turn);
  const size = ['limit', 'pageSize'].find((name) => name in request.fields);
  const [first] = plain;
  return size === undefined || first === undefined ? plain : [...plain, { ...first, [size]: '2' }];
}

export function questionsOf(state: State): readonly Question[] {
  const lists = Object.values({ ...publicEndpoints, ...operatorEndpoints } as Readonly<
    Record<string, Endpoint>
  >).filter(isList);
  const ask = (rows: readonly Endpoint[], uid: number): Question[] => {
    const known = knownIn(state, uid);
    return rows.flatMap((row) =>
      asksOf(row, known, uid).map((fields) => ({
        method: row.method,
        path: row.path,
        uid,
        fields,
      })),
    );
  };
  const isKeyed = ({ access }: Endpoint): boolean => access !== 'anybody' && access !== 'operator';
  return [
    ...ask(
      lists.filter((row) => !isKeyed(row)),
      0,
    ),
    ...[...state.accounts.keys()].flatMap((uid) => ask(lists.filter(isKeyed), uid)),
  ];
}
