/** Tests the check on exports with planted violations and with valid code. */
import { expect, test } from 'vitest';
import { deadExportFaults } from './export-checks.ts';
import { faultText, type SourceFile } from './source-text.ts';

const file = (path: string, text: string): SourceFile => ({ path, text });
const fees = (text: string): SourceFile => file('src/formulas/fees.ts', text);
const input = (...files: readonly SourceFile[]): string[] => deadExportFaults(files).map(faultText);

test('[REP-23] an export that no other file names is refused; comments and texts do not count', () => {
  const mentions = file('src/core/charge.ts', "// spotFee\nconst name = 'spotFee';\n");
  const message =
    'src/formulas/fees.ts:1: spotFee is exported but not imported. Leave out `export`.';
  for (const kind of [
    'const spotFee = 1;',
    'function spotFee() {}',
    'async function spotFee() {}',
    'class spotFee {}',
  ])
    expect(input(fees(`export ${kind}\nspotFee;`), mentions)).toEqual([message]);
  expect(input(fees('const spotFee = 1;'), mentions)).toEqual([]);
  expect(
    input(
      fees('export const spotFee = 1;'),
      file('src/core/charge.ts', "import { spotFee } from '../formulas/fees.ts';"),
    ),
  ).toEqual([]);
});

test('[REP-23] an export that only tests use is refused, unless its own file needs it too', () => {
  const tests = [
    file('src/formulas/fees.test.ts', "import { spotFee } from './fees.ts';"),
    file('test/scenarios/fees.ts', "import { spotFee } from '../../src/formulas/fees.ts';"),
  ];
  expect(input(fees('\nexport const spotFee = 1;'), ...tests)).toEqual([
    'src/formulas/fees.ts:2: only tests use spotFee: they prove what the exchange does not do. Remove it, or move it into a `.test-support.ts`.',
  ]);
  expect(input(fees('export const spotFee = 1;\nconst charged = spotFee;'), ...tests)).toEqual([]);
  expect(
    input(fees('export const spotFee = 1; // tidy-ok: a bound that follows from others'), ...tests),
  ).toEqual([]);
  expect(
    input(
      fees('export const spotFee = 1;'),
      file('bench/fees.ts', "import { spotFee } from '../src/formulas/fees.ts';"),
    ),
  ).toEqual([]);
});

test('[REP-23] tests and test support may export anything', () => {
  expect(
    input(file('src/core/book/naive-book.test-support.ts', 'export const naive = 1;')),
  ).toEqual([]);
  expect(input(file('test/wire/exchange.ts', 'export const naive = 1;'))).toEqual([]);
});
