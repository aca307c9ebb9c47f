/**
 * The batch: bodies that are refused as a whole, and orders that are refused alone. Also the list
 * of prices.
 */
import { expect, test } from 'vitest';
import type { RejectionReason } from '../messages/rejections.ts';
import { operatorEndpoints, publicEndpoints } from './endpoints.ts';
import type { Raw } from './raw.ts';

const item = (entries: Readonly<Record<string, Raw>>): Raw => new Map(Object.entries(entries));
const order = (changes: Readonly<Record<string, Raw>> = {}): Raw =>
  item({
    category: 'SPOT',
    symbol: 'btcusdt',
    qty: '1',
    side: 'buy',
    orderType: 'market',
    ...changes,
  });

const { request: batch } = publicEndpoints.placeBatch;
const refused = (raw: Raw, reason: RejectionReason): void =>
  expect(batch.decode(raw)).toMatchObject({ ok: false, refusal: { reason } });

test('[API-12] a batch has one to twenty orders', () => {
  expect(batch.decode([order()])).toMatchObject({ ok: true });
  expect(batch.decode(Array.from({ length: 20 }, () => order()))).toMatchObject({ ok: true });
  refused(
    Array.from({ length: 21 }, () => order()),
    'batchTooLarge',
  );
  refused([], 'fieldMissing');
});
test('[API-12] a body that is not a list of objects is no batch', () => {
  refused(order(), 'malformedRequest');
  refused('[]', 'malformedRequest');
  refused(undefined, 'malformedRequest');
  refused([order(), 'x'], 'fieldInvalid');
  expect(batch.decode([order(), order(), 'x'])).toMatchObject({ refusal: { field: 'body[2]' } });
  refused([order(), null], 'fieldInvalid');
});
test('[API-12] all orders of a batch have the same category, in any spelling', () => {
  expect(batch.decode([order(), order({ category: 'spot' })])).toMatchObject({ ok: true });
  refused([order(), order({ category: 'MARGIN' })], 'categoriesMixed');
  refused([order({ qty: 'x' }), order({ category: 'MARGIN' })], 'categoriesMixed');
});
test('[API-13] a malformed order is refused alone and keeps its clientOid', () => {
  const decoded = batch.decode([
    order({ clientOid: 'good' }),
    order({ clientOid: 'bad', qty: '-1' }),
    order({ clientOid: 'two words' }),
    order({ category: 'NONSENSE', clientOid: 'c' }),
  ]);
  expect(decoded).toMatchObject({
    ok: true,
    value: [
      {
        clientOid: 'good',
        input: { ok: true, value: { symbol: 'BTCUSDT', timeInForce: 'gtc', reduceOnly: false } },
      },
      { clientOid: 'bad', input: { ok: false, refusal: { reason: 'fieldInvalid', field: 'qty' } } },
      {
        clientOid: 'two words',
        input: { ok: false, refusal: { reason: 'fieldInvalid', field: 'clientOid' } },
      },
      {
        clientOid: 'c',
        input: { ok: false, refusal: { reason: 'fieldInvalid', field: 'category' } },
      },
    ],
  });
});
test('[API-13] a refused order keeps a clientOid of 256 characters; a longer or unprintable one is dropped', () => {
  const input = ['x'.repeat(256), 'x'.repeat(257), 'a\u0007b'];
  const decoded = batch.decode(input.map((clientOid) => order({ clientOid })));
  expect(
    decoded.ok && decoded.value.map(({ clientOid, input: read }) => [clientOid, read.ok]),
  ).toEqual([
    [input[0], false],
    [undefined, false],
    [undefined, false],
  ]);
});

test('[API-14] prices are accepted as a whole or not at all', () => {
  const { request: prices } = operatorEndpoints.setPrices;
  const good = item({ category: 'USDT-FUTURES', symbol: 'btcusdt', index: '60000', mark: null });
  const value = {
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    index: '60000',
    mark: null,
    force: false,
  };
  expect(prices.decode([good])).toEqual({ ok: true, value: [value] });
  const refuses = (raw: Raw, reason: RejectionReason, field?: string): void =>
    expect(prices.decode(raw)).toMatchObject({
      ok: false,
      refusal: field === undefined ? { reason } : { reason, field },
    });
  refuses([good, item({ category: 'USDT-FUTURES' })], 'fieldMissing', 'body[1].symbol');
  refuses([good, 'x'], 'fieldInvalid', 'body[1]');
  refuses([], 'fieldMissing', 'body');
  refuses(good, 'malformedRequest');
  refuses(
    Array.from({ length: 501 }, () => good),
    'tooManyItems',
  );
});
