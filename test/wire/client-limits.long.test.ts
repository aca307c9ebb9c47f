/** How often ccxt calls when it holds itself back, against how often the rows let it. */
import ccxt from 'ccxt';
import { expect, test } from 'vitest';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { publicEndpoints } from '../../src/contract/endpoints.ts';

const client = new ccxt.bitget();

type Tree = { readonly [name: string]: Tree } | { readonly cost: number };

/** The weight of each call: a weight of one is a call every `rateLimit` milliseconds. */
const weightsIn = (tree: Tree, method = ''): readonly (readonly [string, number])[] =>
  Object.entries(tree).flatMap(([name, below]: [string, Tree]) =>
    typeof below.cost === 'number'
      ? [[`${method} /api/${name}`, below.cost] as const]
      : weightsIn(below, name.toUpperCase()),
  );
const weights = new Map(weightsIn(client.api as Tree));

/** Specified, or counted together with what is; and calls that no method of ccxt makes. */
const OTHERS = /copy|withdrawal|batch-modify/;

test('[LIM-11] ccxt is not refused for calls that come as it spaces them', () => {
  const rows: readonly Endpoint[] = Object.values(publicEndpoints);
  const compared = rows.filter(
    ({ method, path }) => weights.has(`${method} ${path}`) && !OTHERS.test(path),
  );
  expect(compared.length).toBeGreaterThan(80);
  const tooTight = compared.filter(({ method, path, limit }) => {
    const sent = 1_000 / (client.rateLimit! * weights.get(`${method} ${path}`)!);
    return limit !== undefined && limit.perSecond < sent;
  });
  expect(tooTight.map(({ path }) => path)).toEqual([]);
});
