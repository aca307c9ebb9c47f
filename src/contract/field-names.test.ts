/** A refusal names the field of the call in every API version. */
import { expect, test } from 'vitest';
import { ok } from '../kernel/result.ts';
import { rejection } from '../messages/rejections.ts';
import { dialectOf } from './dialects.ts';
import { operatorEndpoints, publicEndpoints } from './endpoints.ts';
import { fieldNames, namedRejection, namedResult } from './field-names.ts';
import type { JsonSchema } from './schema.ts';
import { type WireRejection, wireRejection } from './wire-rejections.ts';

test.each([
  ['size', 'size', 'qty'],
  ['price', 'price', 'price'],
  ['positionSide', 'holdSide', 'posSide'],
  ['takeProfitTriggerPrice', 'stopSurplusTriggerPrice', 'takeProfit'],
  ['takeProfitLimitPrice', 'stopSurplusExecutePrice', 'tpLimitPrice'],
  ['stopLossTriggerPrice', 'stopLossTriggerPrice', 'stopLoss'],
  ['stopLossLimitPrice', 'stopLossExecutePrice', 'slLimitPrice'],
  ['settings[2].takeProfitRatio', 'settings[2].stopSurplusRatio', 'settings[2].stopSurplusRatio'],
  ['tiers[1].leverageMax', 'tiers[1].leverageMax', 'tiers[1].leverageMax'],
] as const)('[API-33] %s is %s in v2 and %s in v3', (field, v2, v3) => {
  const refused = rejection('fieldInvalid', field, 'why');
  const named = (name: string) => ({ reason: 'fieldInvalid', field: name, detail: 'why' });
  expect(namedRejection(refused, 'v2')).toEqual(named(v2));
  expect(namedRejection(refused, 'v3')).toEqual(named(v3));
  expect(namedRejection(refused, 'operator')).toEqual(named(v2));
});

const namesIn = ({ properties = {}, items }: JsonSchema): readonly string[] => [
  ...Object.entries(properties).flatMap(([name, schema]) => [name, ...namesIn(schema)]),
  ...(items === undefined ? [] : namesIn(items)),
];

test.each(['v2', 'v3'] as const)(
  '[API-33] the names that %s changes are fields of one of its calls',
  (version) => {
    const rows = Object.values({ ...publicEndpoints, ...operatorEndpoints });
    const called = new Set(
      rows
        .filter(({ path }) => (dialectOf(path) === 'v3') === (version === 'v3'))
        .flatMap(({ request }) => namesIn(request.schema)),
    );
    const renamed = Object.entries(fieldNames[version]).filter(
      ([word, name]) =>
        name !== word && (version === 'v2' || name !== fieldNames.v2[word as 'size']),
    );
    expect(renamed.length).toBeGreaterThan(8);
    expect(renamed.filter(([, name]) => !called.has(name))).toEqual([]);
  },
);

test('[API-33] a call may rename one field and keeps the other names', () => {
  const call = { size: 'newSize' };
  expect(namedRejection(rejection('sizeTooSmall', 'size'), 'v2', call).field).toBe('newSize');
  expect(namedRejection(rejection('sizeTooSmall', 'leader'), 'v2', call).field).toBe('traderId');
  expect(namedRejection(rejection('sizeTooSmall', 'size'), 'v2').field).toBe('size');
});

test('[API-33] a refusal that requires one of two fields names both', () => {
  const either = rejection('oneOfFieldsNeeded', 'prices[3].index, prices[3].mark');
  expect(namedRejection(either, 'operator').field).toBe('prices[3].index, prices[3].mark');
});

test('[API-33] a refusal without a field, and an accepted result, are unchanged', () => {
  expect(namedRejection(rejection('noLiquidity'), 'v3')).toEqual({ reason: 'noLiquidity' });
  expect(namedResult(ok(5), 'v3')).toEqual({ ok: true, value: 5 });
});

test('[API-33] the core has no wire names, and the wire shows no words of the core', () => {
  // @ts-expect-error v3 says `qty`, and the core `size`
  const wireName = rejection('sizeTooSmall', 'qty');
  // @ts-expect-error its field has no name of a call as yet
  const unnamed: WireRejection = rejection('sizeTooSmall', 'size');
  // @ts-expect-error a name of the wire is no word of the core
  const asCore: ReturnType<typeof rejection> = wireRejection('sizeTooSmall', 'qty');
  expect([wireName, unnamed, asCore]).toHaveLength(3);
});
