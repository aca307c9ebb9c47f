/**
 * Writes the documents that follow from the code. Short ones are committed, so that a review shows
 * what changes. Long ones go to `dist/docs`, which the npm package contains and version control
 * ignores.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../src/contract/openapi.ts';
import { referenceMarkdown } from '../src/contract/reference-markdown.ts';
import {
  type ApiSurface,
  operatorSurface,
  publicSurface,
  surfaces,
} from '../src/contract/surfaces.ts';
import { worldSchema } from '../src/contract/world.ts';
import { ruleDocuments, tests } from '../test/tidy/repository.ts';
import { type Rule, rulesIn, type TestTitle, testTitlesIn } from '../test/tidy/rule-checks.ts';
import { endpointList } from './endpoint-list.ts';
import { faultsDocument } from './faults-document.ts';

export interface GeneratedDocument {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

const MADE_BY = '<!-- Made by `npm run docs`. -->';

const ofOrder = (left: string, right: string): number => (left < right ? -1 : Number(left > right));
/** A rule's links are relative to its own page. */
const withoutLinks = (text: string): string => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
const withoutIds = (title: string): string => title.replace(/^(?:\[[^\]]*\])+ /, '');

function ruleText(
  { id, sentence, planned }: Rule,
  titles: readonly TestTitle[],
): readonly string[] {
  const proofs = titles
    .filter(({ ids }) => ids.includes(id))
    .map(({ path, title }) => `  - [${path}](../../${path}): ${withoutIds(title ?? '')}`)
    .sort(ofOrder);
  const unproved = planned ? [] : ['  - no test'];
  return [`- **${id}** ${withoutLinks(sentence)}`, ...(proofs.length === 0 ? unproved : proofs)];
}

/** Each rule with the tests whose titles begin with its id. */
export function coverageText(rules: readonly Rule[], titles: readonly TestTitle[]): string {
  const proved = new Set(titles.flatMap(({ ids }) => ids));
  const built = rules.filter(({ planned }) => !planned);
  const files = [...new Set(rules.map(({ path }) => path))].sort(ofOrder);
  const parts = files.flatMap((path) => [
    `## [${path}](../../${path})`,
    '',
    ...rules.filter((rule) => rule.path === path).flatMap((rule) => ruleText(rule, titles)),
    '',
  ]);
  const provedCount = built.filter(({ id }) => proved.has(id)).length;
  const counts =
    `${provedCount} of ${built.length} rules are proved by a test; ` +
    `${rules.length - built.length} are planned.`;
  const lines = [MADE_BY, '', '# Which test proves which rule', '', counts, '', ...parts];
  return `${lines.join('\n').trimEnd()}\n`;
}

const openApiText = (surface: ApiSurface): string =>
  `${JSON.stringify(openApiDocument(surface), null, 2)}\n`;

const worldSchemaText = (): string =>
  `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...worldSchema() }, null, 2)}\n`;

/** The short documents, as they must be in the repository. */
export const committedDocuments = (): readonly GeneratedDocument[] => [
  { path: 'docs/endpoints.txt', text: endpointList(surfaces) },
  { path: 'docs/faults.md', text: faultsDocument(MADE_BY) },
  { path: 'docs/world-schema.json', text: worldSchemaText() },
];

/**
 * The long documents, for the npm package and for reading offline; a running exchange serves all of
 * them but the last.
 */
export const builtDocuments = (): readonly GeneratedDocument[] => [
  { path: 'dist/docs/openapi.json', text: openApiText(publicSurface) },
  { path: 'dist/docs/operator-openapi.json', text: openApiText(operatorSurface) },
  { path: 'dist/docs/reference.md', text: referenceMarkdown(surfaces) },
  {
    path: 'dist/docs/coverage.md',
    text: coverageText(ruleDocuments.flatMap(rulesIn), tests.flatMap(testTitlesIn)),
  },
];

export const repositoryRoot = fileURLToPath(new URL('..', import.meta.url));

function writeDocuments(): void {
  for (const { path, text } of [...committedDocuments(), ...builtDocuments()]) {
    const file = `${repositoryRoot}${path}`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(path);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeDocuments();
