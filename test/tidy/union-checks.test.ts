/** The check on closed unions, on a planted comparison and on its tidy neighbours. */
import { expect, test } from 'vitest';
import { expectTidy } from './expect-tidy.ts';
import { sources } from './repository.ts';
import { faultText, type SourceFile } from './source-text.ts';
import { unionFaults } from './union-checks.ts';

const file = (path: string, text: string): SourceFile => ({ path, text });

test('[REP-36] the exchange compares no margin mode, order type or time in force with one word', () =>
  expectTidy(sources.flatMap(unionFaults)));

test('[REP-36] a comparison is named with the question to ask in its place', () => {
  const planted = file('src/core/x.ts', "const a = 1;\nif (order.marginMode === 'isolated') f();");
  expect(unionFaults(planted).map(faultText)).toEqual([
    "src/core/x.ts:2: marginMode === 'isolated' ignores a word that is added later. Ask isIsolated or isCrossed of messages/vocabulary.ts: the table behind it must decide.",
  ]);
});

test('[REP-36] a comment, a test, a type and a file outside the exchange may say the word', () => {
  const compared = "if (order.orderType !== 'limit') f();";
  expect(unionFaults(file('src/core/x.ts', `// ${compared}`))).toEqual([]);
  expect(unionFaults(file('src/core/x.test.ts', compared))).toEqual([]);
  expect(unionFaults(file('src/core/x.ts', "type A = Pick<Order, 'orderType'>;"))).toEqual([]);
  expect(unionFaults(file('src/gateway/handlers/x.ts', compared))).toEqual([]);
});
