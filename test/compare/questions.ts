/**
 * Turns every list endpoint into requests with the required fields, whose values vary by account.
 */
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { operatorEndpoints, publicEndpoints } from '../../src/contract/endpoints.ts';
import type { State } from '../../src/core/state/state.ts';
import type { Question } from './compared.ts';
import { type Known, knownIn, valuesFor } from './known-values.ts';

/** Each account uses at most this many combinations of values. */
const COMBINATIONS_MAX = 4;

type Asked = Readonly<Record<string, string>>;

export const everyEndpoint: readonly Endpoint[] = Object.values({
  ...publicEndpoints,
  ...operatorEndpoints,
} as Readonly<Record<string, Endpoint>>);

export const isList = ({ method, access }: Endpoint): boolean =>
  method === 'GET' || (method === 'POST' && access.endsWith('.read'));

export const isKeyed = ({ access }: Endpoint): boolean =>
  access !== 'anybody' && access !== 'operator';

/**
 * All combinations of one value for each field, or an even selection of them that starts at `turn`.
 */
function combinations(
  fields: readonly (readonly [string, readonly string[]])[],
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

/** With required fields alone, and once more with a small page that has an end. */
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
  const lists = everyEndpoint.filter(isList);
  const ask = (rows: readonly Endpoint[], uid: number): Question[] => {
    const known = knownIn(state, uid);
    return rows.flatMap((row) => {
      const { method, path } = row;
      return asksOf(row, known, uid).map((content) => ({ method, path, uid, content }));
    });
  };
  const open = lists.filter((row) => !isKeyed(row));
  const keyed = lists.filter(isKeyed);
  return [...ask(open, 0), ...[...state.accounts.keys()].flatMap((uid) => ask(keyed, uid))];
}
