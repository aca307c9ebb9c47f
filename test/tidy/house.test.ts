/** Proves the files around the source: CI, Node version, and documents for contributors. */
import { expect, test } from 'vitest';
import { packageJson, textOf } from './repository.ts';

const text = (path: string): string => textOf(path) ?? expect.fail(`${path} is missing`);

test('[REP-29] the workflow runs .ci/run on a full clone, and .ci/run the commands of README', () => {
  const workflow = text('.github/workflows/ci.yml');
  expect(workflow).toMatch(/^ +- run: \.ci\/run$/m);
  expect(workflow).toMatch(/^ +fetch-depth: 0$/m);
  expect(workflow).toContain('node-version-file: .nvmrc');
  expect(text('.ci/run')).toMatch(/^npm ci && npm test && npm run test:long$/m);
  for (const command of ['npm ci && npm test', 'npm run test:long'])
    expect(text('README.md')).toContain(command);
});

test('[REP-29] .nvmrc names the oldest Node that the package accepts', () => {
  const { engines } = JSON.parse(packageJson) as { engines: { node: string } };
  expect(engines.node).toMatch(new RegExp(`^>=${text('.nvmrc').trim()}\\.`));
});

test('[REP-38] the package names the newest Node that it was tried on, and so does README', () => {
  const { engines } = JSON.parse(packageJson) as { engines: { node: string } };
  const [, oldest, refused] = /^>=(\d+\.\d+) <(\d+)$/.exec(engines.node) ?? [];
  expect(text('README.md')).toContain(`Node ${oldest} to ${Number(refused) - 1}, on`);
});

test.each(['SECURITY.md', '.editorconfig', '.gitattributes', '.github/pull_request_template.md'])(
  '[REP-29] %s exists and is not empty',
  (path) => expect(text(path).trim()).not.toBe(''),
);

test('[REP-29] lines end the same way for the editor and for git', () => {
  expect(text('.editorconfig')).toContain('end_of_line = lf');
  expect(text('.gitattributes')).toMatch(/^\* text=auto eol=lf$/m);
  expect(text('.gitattributes')).toMatch(/^\*\.seg binary$/m);
});
