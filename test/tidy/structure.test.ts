import { expect, test } from 'vitest';
import { orderWay } from '../../scripts/order-way.ts';
import {
  cyclesIn,
  domainFigures,
  importsAmong,
  ruleFigures,
  shipped,
  sizeFigures,
} from '../../scripts/structure-figures.ts';
import type { SourceFile } from './source-text.ts';

const file = (path: string, ...imports: readonly string[]): SourceFile => ({
  path,
  text: `${imports.join('\n')}\n`,
});

const CIRCLE = [
  file('src/a.ts', "import { b } from './b.ts';"),
  file('src/b.ts', "import { type A, type C } from './a.ts';"),
  file('src/c.ts', "import { a } from './a.ts';"),
];

test('[SIM-18] a cycle counts type imports too, and one of value imports alone is counted separately', () => {
  expect(cyclesIn(importsAmong(CIRCLE, 'all'))).toEqual([['src/a.ts', 'src/b.ts']]);
  expect(cyclesIn(importsAmong(CIRCLE, 'values'))).toEqual([]);
  const mixed = [
    ...CIRCLE,
    file('src/d.ts', "import { type E, e } from './e.ts';"),
    file('src/e.ts', "import { d } from './d.ts';"),
  ];
  expect(cyclesIn(importsAmong(mixed, 'values'))).toEqual([['src/d.ts', 'src/e.ts']]);
});

test('[SIM-18] of domains that import each other the direction with fewer imports points up', () => {
  const core = [
    file('src/core/orders/one.ts', "import { m } from '../margin/one.ts';"),
    file('src/core/orders/two.ts', "import { m } from '../margin/one.ts';"),
    file(
      'src/core/margin/one.ts',
      "import { o } from '../orders/two.ts';",
      "import { step } from '../step.ts';",
    ),
    file('src/core/step.ts'),
  ];
  const imports = importsAmong(core, 'all');
  expect(domainFigures(imports, imports)).toEqual({
    twoWay: ['margin ⇄ orders'],
    order: ['margin', 'orders'],
    upward: 1,
  });
});

test('[SIM-18] lines, small files and long rules are counted', () => {
  const long = { path: 'src/core/long.ts', text: 'const one = 1;\n'.repeat(40) };
  const small = { path: 'src/core/small.ts', text: 'const one = 1;\n'.repeat(39) };
  const files = shipped([long, small, { path: 'src/core/small.test.ts', text: '' }]);
  expect(sizeFigures(files)).toEqual({ files: 2, coreFiles: 2, coreLines: 79, small: 1 });
  const text = `- **ABC-01** ${'x'.repeat(240)}\n- **ABC-02** ${'x'.repeat(301)}\n`;
  expect(ruleFigures([{ path: 'docs/rules/abc.md', text }])).toEqual({
    total: 2,
    over: { 240: 1, 300: 1, 400: 0 },
  });
});

test('[SIM-18] an order passes through more functions than files, and through the engine', () => {
  const [rests, trades] = [orderWay('rests'), orderWay('trades')];
  expect(rests.files).toBeGreaterThan(20);
  expect(trades.files).toBeGreaterThan(rests.files);
  for (const { files, functions } of [rests, trades]) expect(functions).toBeGreaterThan(files);
});
