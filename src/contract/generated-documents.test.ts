/** The documents in docs/api are those the code gives. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { coverageText, generatedDocuments, repositoryRoot } from '../../scripts/docs.ts';

test.each(generatedDocuments())('[API-42] $path is up to date', ({ path, text }) => {
  const file = join(repositoryRoot, path);
  const isFresh = existsSync(file) && readFileSync(file, 'utf8') === text;
  expect(isFresh ? 'up to date' : `${path} is stale: run \`npm run docs\``).toBe('up to date');
});

test('[API-43] coverage lists each rule with its tests, whatever order they were found in', () => {
  const rule = (id: string, planned = false) => ({ id, path: 'docs/rules/x.md', line: 1, sentence: `About [it](y.md#z).`, planned });
  const title = (path: string, text: string, ids: readonly string[]) => ({ path, line: 1, title: text, ids });
  const titles = [
    title('src/b.test.ts', '[XYZ-01] second', ['XYZ-01']),
    title('src/a.test.ts', '[XYZ-01][XYZ-02] first', ['XYZ-01', 'XYZ-02']),
  ];
  const text = coverageText([rule('XYZ-01'), rule('XYZ-02'), rule('XYZ-03'), rule('XYZ-04', true)], titles);
  expect(text).toBe(coverageText([rule('XYZ-01'), rule('XYZ-02'), rule('XYZ-03'), rule('XYZ-04', true)], titles.toReversed()));
  expect(text.split('\n').slice(4)).toEqual([
    '2 of 3 rules are proved by a test; 1 are planned.',
    '',
    '## [docs/rules/x.md](../../docs/rules/x.md)',
    '',
    '- **XYZ-01** About it.',
    '  - [src/a.test.ts](../../src/a.test.ts): first',
    '  - [src/b.test.ts](../../src/b.test.ts): second',
    '- **XYZ-02** About it.',
    '  - [src/a.test.ts](../../src/a.test.ts): first',
    '- **XYZ-03** About it.',
    '  - no test',
    '- **XYZ-04** About it.',
    '',
  ]);
});
