/** Proves that links, commands and file names in documents exist. */
import { expect, test } from 'vitest';
import { NODE_FLAGS } from '../programme/server.ts';
import * as checks from './document-checks.ts';
import { expectTidy } from './expect-tidy.ts';
import { documents, everyFile, packageJson, pathExists, textOf } from './repository.ts';

const scripts = Object.keys(
  (JSON.parse(packageJson) as { scripts: Record<string, string> }).scripts,
);

test('[REP-20] relative links in documents lead to a page and to a heading', () => {
  expect(documents.length).toBeGreaterThan(0);
  expectTidy(documents.flatMap((file) => checks.linkFaults(file, textOf)));
});
test('[REP-21] every npm command named in a document is a script of package.json', () =>
  expectTidy(documents.flatMap((file) => checks.commandFaults(file, scripts))));
test('[REP-22] every file of ours named in a document exists', () =>
  expectTidy(documents.flatMap((file) => checks.namedPathFaults(file, pathExists))));
test('[REP-22] every TypeScript file named in a document on the program exists', () => {
  const paths = everyFile.map(({ path }) => path);
  const onProgram = documents.filter(
    ({ path }) => !/^(?:docs\/guides|examples)\//.test(path) && path !== 'README.md',
  );
  expectTidy(onProgram.flatMap((file) => checks.namedFileFaults(file, paths)));
});
test('[RUN-56] tests and benchmarks use the Node flags of npm start and the container image', () => {
  const { start } = (JSON.parse(packageJson) as { scripts: Record<string, string> }).scripts;
  expect(start).toContain(` node ${NODE_FLAGS.join(' ')} dist/ops/cli.js start`);
  expect(textOf('Dockerfile')).toContain(
    `CMD ${JSON.stringify(['node', ...NODE_FLAGS, 'dist/ops/cli.js', 'start']).replaceAll(',', ', ')}`,
  );
});

test('[RUN-22] the program replaces the shell that npm starts it with, so that npm signals reach it', () => {
  const { start } = (JSON.parse(packageJson) as { scripts: Record<string, string> }).scripts;
  expect(start).toContain('&& exec node ');
});
