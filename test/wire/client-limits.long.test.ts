/** The call rate of ccxt with its own rate limiter, compared with the limits of the rows. */
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

/**
 * Specified limits, limits counted together with a specified one, and calls that no method of ccxt
 * makes.
 */
const OTHERS = /copy|withdrawal|batch-modify/;

test('[LIM-11] ccxt with its own rate limiter is never refused', () => {
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
