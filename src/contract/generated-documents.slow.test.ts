/** The generated documents match the code. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  builtDocuments,
  committedDocuments,
  coverageText,
  repositoryRoot,
} from '../../scripts/docs.ts';
import { endpointLine } from '../../scripts/endpoint-list.ts';
import { endpoint, perSecond, request, requestOfItems } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import * as shape from './shapes.ts';

test.each(committedDocuments())('[API-42] $path is up to date', ({ path, text }) => {
  const file = join(repositoryRoot, path);
  const isFresh = existsSync(file) && readFileSync(file, 'utf8') === text;
  expect(isFresh ? 'up to date' : `${path} is stale: run \`npm run docs\``).toBe('up to date');
});

test('[API-76] OpenAPI of both planes, the reference and the coverage page are built outside version control', () => {
  const built = new Map(builtDocuments().map(({ path, text }) => [path, text]));
  expect([...built.keys()]).toEqual([
    'dist/docs/openapi.json',
    'dist/docs/operator-openapi.json',
    'dist/docs/reference.md',
    'dist/docs/coverage.md',
  ]);
  expect(JSON.parse(built.get('dist/docs/openapi.json')!)).toHaveProperty([
    'paths',
    '/api/v3/trade/place-order',
  ]);
  expect(JSON.parse(built.get('dist/docs/operator-openapi.json')!)).toHaveProperty([
    'paths',
    '/operator/v1/users',
  ]);
  expect(built.get('dist/docs/reference.md')).toContain('`POST /operator/v1/users`');
  expect(readFileSync(join(repositoryRoot, '.gitignore'), 'utf8')).toMatch(/^dist\/$/m);
});

test('[API-78] a line of a call marks required fields with a star and optional fields with a question mark', () => {
  const place = endpoint({
    method: 'POST',
    path: '/place',
    aliases: ['/v2/place'],
    group: 'Orders',
    summary: 'Place',
    access: 'futures.write',
    limit: perSecond(10),
    request: requestOfItems(
      { symbol: identifier.symbol(), price: field.optional(number.decimal()) },
      5,
    ),
    response: shape.object({
      list: shape.listOf(
        shape.object({ id: shape.text(''), note: shape.sometimes(shape.text('')) }),
      ),
    }),
    rules: [],
  });
  expect(endpointLine(place)).toBe(
    'POST /place /v2/place | futures.write | 10/uid | []{symbol* price} | list[]{id note?}',
  );
  const { limit: _, aliases: __, ...unlimited } = place;
  expect(
    endpointLine({
      ...unlimited,
      access: 'operator',
      request: request({}),
      response: shape.nothing,
    }),
  ).toBe('POST /place | operator | - | - | -');
});

test('[API-43] coverage lists each rule with its tests, in any order of files', () => {
  const rule = (id: string, planned = false) => ({
    id,
    path: 'docs/rules/x.md',
    line: 1,
    sentence: `About [it](y.md#z).`,
    planned,
  });
  const title = (path: string, text: string, ids: readonly string[]) => ({
    path,
    line: 1,
    title: text,
    ids,
  });
  const titles = [
    title('src/b.test.ts', '[XYZ-01] second', ['XYZ-01']),
    title('src/a.test.ts', '[XYZ-01][XYZ-02] first', ['XYZ-01', 'XYZ-02']),
  ];
  const text = coverageText(
    [rule('XYZ-01'), rule('XYZ-02'), rule('XYZ-03'), rule('XYZ-04', true)],
    titles,
  );
  expect(text).toBe(
    coverageText(
      [rule('XYZ-01'), rule('XYZ-02'), rule('XYZ-03'), rule('XYZ-04', true)],
      titles.toReversed(),
    ),
  );
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
