import { expect, test } from 'vitest';
import { answerDifference, difference } from './difference.ts';
import { Place, vocabularyOf } from './renames.ts';

/** Two versions whose bundles contain these words. */
const placeFor = (
  old: string,
  renewed: string,
  input: ReadonlyMap<string, string> = new Map(),
): Place => new Place({ old: vocabularyOf(old), renewed: vocabularyOf(renewed), input });

const fee = (type: string, name: string, amount: bigint): unknown => ({
  type,
  uid: 7,
  [name]: amount,
});

test('[SIM-16] a renamed event with a renamed field is no difference, and both renames are reported', () => {
  const place = placeFor('feeTold amount', 'feeEmitted charged');
  expect(
    difference(place, [fee('feeTold', 'amount', 5n)], [fee('feeEmitted', 'charged', 5n)]),
  ).toBeUndefined();
  expect([...place.renames()]).toEqual([
    'feeTold.amount → charged',
    "type: 'feeTold' → 'feeEmitted'",
  ]);
});

test('[SIM-16] the value of a renamed field is still compared', () => {
  const place = placeFor('feeTold amount', 'feeTold charged');
  const found = difference(place, [fee('feeTold', 'amount', 5n)], [fee('feeTold', 'charged', 6n)]);
  expect(found).toBe('[0].amount: "5n" became "6n"');
});

test('[SIM-16] a word known to both versions is a difference, unless the caller declares the rename', () => {
  const words = 'buy sell';
  expect(difference(placeFor(words, words), { side: 'buy' }, { side: 'sell' })).toBe(
    '.side: "buy" became "sell"',
  );
  expect(
    difference(
      placeFor(words, words, new Map([['buy', 'sell']])),
      { side: 'buy' },
      { side: 'sell' },
    ),
  ).toBeUndefined();
});

test('[SIM-16] two words that become one are a difference, and one word that becomes two', () => {
  const place = placeFor('kept unknown', 'stale free');
  expect(difference(place, ['stale', 'kept'], ['stale', 'stale'])).toBe(
    '[1]: "kept" became "stale"',
  );
  expect(difference(placeFor('kept', 'stale free'), ['kept', 'kept'], ['stale', 'free'])).toBe(
    '[1]: "kept" became "free"',
  );
});

test('[SIM-16] two kinds of events that become one are a difference', () => {
  const place = placeFor('userTold keyTold', 'emitted');
  expect(difference(place, [{ type: 'userTold' }], [{ type: 'emitted' }])).toBeUndefined();
  expect(difference(place, [{ type: 'keyTold' }], [{ type: 'emitted' }])).toBe(
    '[0].type: "keyTold" became "emitted"',
  );
});

test('[SIM-16] two fields that become one are a difference', () => {
  const place = placeFor('a b', 'c');
  expect(difference(place, { a: 1 }, { c: 1 })).toBeUndefined();
  expect(difference(place, { b: 1 }, { c: 1 })).toBe('.b is missing, and .c is new');
});

test('[SIM-15] a missing field, new field, missing item or other number is named with its place', () => {
  const same = 'a b';
  expect(difference(placeFor(same, same), { a: 1, b: 2 }, { a: 1 })).toBe('.b is missing');
  expect(difference(placeFor(same, same), { a: 1 }, { a: 1, b: 2 })).toBe('.b is new');
  expect(difference(placeFor(same, same), [1, 2], [1])).toBe('[1]: 2 became nothing');
  expect(
    difference(placeFor(same, same), new Map([['a', { b: 1 }]]), new Map([['a', { b: 2 }]])),
  ).toBe('[0][1].b: 1 became 2');
});

test('[SIM-15] answers differ in any field but messages, in any order of their fields', () => {
  const answer = { code: '00000', msg: 'success', data: [{ price: '1', size: '2' }] };
  expect(
    answerDifference(answer, { data: [{ size: '2', price: '1' }], code: '00000', msg: 'fine' }),
  ).toBeUndefined();
  expect(answerDifference(answer, { ...answer, data: [{ price: '1', size: '3' }] })).toBe(
    '.data[0].size: "2" became "3"',
  );
  expect(answerDifference(answer, { ...answer, data: [{ price: '1', amount: '2' }] })).toBe(
    '.data[0].size: "2" became nothing',
  );
});
