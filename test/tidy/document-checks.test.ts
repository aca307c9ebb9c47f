/** Tests the checks on documents with planted pages. */
import { expect, test } from 'vitest';
import * as checks from './document-checks.ts';
import { type Fault, faultText, type SourceFile } from './source-text.ts';

const file = (path: string, text: string): SourceFile => ({ path, text });
const input = (faults: readonly Fault[]): string[] => faults.map(faultText);

const pages: Readonly<Record<string, string>> = {
  'README.md': '# Rialto\n## Run it: now\n```\n# not a heading\n```',
  'docs/rules': '',
  'src/core/state/state.ts': '',
};
const textOf = (path: string): string | undefined => pages[path];

test('[REP-20] a link to a missing page or heading is a violation', () => {
  const planted = file(
    'docs/glossary.md',
    'See [a](../README.md), [b](missing.md),\n[c](../README.md#run-it-now), [d](../README.md#not-a-heading), [e](#words).',
  );
  expect(
    input(
      checks.linkFaults(planted, (path) =>
        path === 'docs/glossary.md' ? '# Words' : textOf(path),
      ),
    ),
  ).toEqual([
    'docs/glossary.md:1: links to missing.md, but there is no docs/missing.md. Correct the link or write the page.',
    'docs/glossary.md:2: links to ../README.md#not-a-heading, but README.md has no heading #not-a-heading. Correct the anchor.',
  ]);
});

test('[REP-20] folders, outside addresses and examples in fences are not checked', () => {
  const planted = file(
    'docs/glossary.md',
    '[a](rules/), [b](https://example.com/x), [c](mailto:x@example.com)\n```\n[d](missing.md)\n```',
  );
  expect(checks.linkFaults(planted, textOf)).toEqual([]);
});

test('[REP-21] a command that package.json does not have is a violation', () => {
  const planted = file(
    'README.md',
    '`npm ci && npm start`, `npm test`\n`npm run rialto -- --help`, `npm run nothing`',
  );
  expect(input(checks.commandFaults(planted, ['start', 'rialto']))).toEqual([
    'README.md:1: names `npm test`, but package.json has no script test. Correct the command or add the script.',
    'README.md:2: names `npm run nothing`, but package.json has no script nothing. Correct the command or add the script.',
  ]);
});

test('[REP-22] a named file that is missing is a violation; a pattern is not', () => {
  const planted = file(
    'README.md',
    '`src/core/state/state.ts`, `docs/rules/`, `src/core/gone.ts`, `docs/rules/<area>.md`, `src/**`',
  );
  expect(input(checks.namedPathFaults(planted, (path) => textOf(path) !== undefined))).toEqual([
    'README.md:1: names src/core/gone.ts, which is not there. Correct the name.',
  ]);
});

test('[REP-22] a file that is named without its folder and is missing is a violation', () => {
  const planted = file(
    'ARCHITECTURE.md',
    '`state.ts`, `state/state.ts`, `gone.ts`, `core/gone.ts`, `*.test.ts`, `.slow.test.ts`',
  );
  expect(input(checks.namedFileFaults(planted, Object.keys(pages)))).toEqual([
    'ARCHITECTURE.md:1: names gone.ts, but no file is called so. Correct the name.',
    'ARCHITECTURE.md:1: names core/gone.ts, but no file is called so. Correct the name.',
  ]);
});
