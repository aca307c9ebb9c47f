/**
 * Proves that each test file runs in exactly one project, and that the commands together run every
 * project.
 */
import { describe, expect, test } from 'vitest';
import config from '../../vitest.config.ts';
import { expectTidy } from './expect-tidy.ts';
import { isTidyItself, packageJson, sources, tests } from './repository.ts';
import { shortClientFaults } from './rung-checks.ts';

const { scripts } = JSON.parse(packageJson) as { scripts: Record<string, string> };
const projectsOf = (script: string): string[] =>
  [...scripts[script]!.matchAll(/--project (\S+)/g)].map(([, name]) => name!);

/**
 * A pattern of the configuration as a regular expression. It uses only braces, two stars and one
 * star.
 */
function patternOf(glob: string): RegExp {
  const body = glob
    .replaceAll('.', '\\.')
    .replace(/\{([^}]*)\}/g, (_, words: string) => `(?:${words.replaceAll(',', '|')})`)
    .replaceAll('**/', '(?:.+/)?')
    .replaceAll('*', '[^/]*');
  return new RegExp(`^${body}$`);
}

const projects = (
  config.test!.projects as { test: { name: string; include: string[]; exclude?: string[] } }[]
).map(({ test: { name, include, exclude = [] } }) => ({
  name,
  include: include.map(patternOf),
  exclude: exclude.map(patternOf),
}));
const projectsFor = (path: string): string[] =>
  projects
    .filter(
      ({ include, exclude }) =>
        include.some((one) => one.test(path)) && !exclude.some((one) => one.test(path)),
    )
    .map(({ name }) => name);

test('[REP-26] every test file runs in exactly one project', () => {
  expect(tests.length).toBeGreaterThan(300);
  for (const { path } of tests) expect(projectsFor(path), path).toHaveLength(1);
});

test('[REP-26] npm test and npm run test:long divide the projects between them', () => {
  const shared = [...projectsOf('test'), ...projectsOf('test:long')];
  expect(shared.toSorted()).toEqual(projects.map(({ name }) => name).toSorted());
  expect(projectsOf('check')).toEqual(['tidy', 'unit']);
  expect(projectsOf('test')).toEqual(['tidy', 'unit', 'slow', 'wire']);
});

describe('the name and the folder determine the project of a file', () => {
  test.each([
    ['src/core/x.test.ts', 'unit'],
    ['src/core/x.slow.test.ts', 'slow'],
    ['src/core/x.long.test.ts', 'programme'],
    ['test/scenarios/x.test.ts', 'unit'],
    ['test/scenarios/x.long.test.ts', 'programme'],
    ['test/lockstep/x.long.test.ts', 'lockstep'],
    ['test/wire/x.test.ts', 'wire'],
    ['test/wire/x.slow.test.ts', 'wire'],
    ['test/wire/x.long.test.ts', 'clients'],
    ['test/simulation/x.test.ts', 'unit'],
    ['test/simulation/x.long.test.ts', 'simulation'],
    ['test/programme/x.long.test.ts', 'programme'],
    ['test/anything/x.slow.test.ts', 'slow'],
    ['test/anything/x.long.test.ts', 'programme'],
    ['test/tidy/x.test.ts', 'tidy'],
  ])('[REP-26] %s runs in %s', (path, project) => expect(projectsFor(path)).toEqual([project]));
});

test('[REP-27] tests with a real client or the built program are long', () =>
  expectTidy(shortClientFaults(sources.filter((file) => !isTidyItself(file)))));

describe('[REP-27] a test that reaches a client or the program', () => {
  const client = { path: 'test/wire/client.ts', text: "import ccxt from 'ccxt';" };
  const server = { path: 'test/programme/server.ts', text: '' };
  const found = (path: string, input: string) =>
    shortClientFaults([client, server, { path, text: `import { x } from '${input}';` }]).map(
      ({ message }) => message,
    );
  const fault = (what: string) => [
    `reaches ${what}. Name the file *.long.test.ts, or move these tests into such a file.`,
  ];

  test.each([
    ['test/wire/x.test.ts', 'bitget-api', 'bitget-api'],
    ['test/wire/x.slow.test.ts', './client.ts', 'ccxt'],
    ['test/simulation/x.test.ts', '../programme/server.ts', 'test/programme/server.ts'],
    ['test/programme/x.test.ts', './server.ts', 'test/programme/server.ts'],
  ])('[REP-27] %s that imports %s is refused', (path, input, what) =>
    expect(found(path, input)).toEqual(fault(what)),
  );

  test.each([
    ['test/wire/x.long.test.ts', 'bitget-api'],
    ['test/wire/x.test.ts', './exchange.ts'],
    ['test/programme/x.test.ts', './bench.ts'],
    ['src/ops/x.test.ts', './snippets.ts'],
  ])('[REP-27] %s that imports %s is accepted', (path, input) =>
    expect(found(path, input)).toEqual([]),
  );
});
