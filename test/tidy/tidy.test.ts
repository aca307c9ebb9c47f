/** Runs every source check over the repository. A failure lists each place with its fix. */

import { expect, test } from 'vitest';
import { cyclesIn, importsAmong, shipped } from '../../scripts/structure-figures.ts';
import { CORE_FOLDERS, LAYERS } from './conventions.ts';
import { expectTidy } from './expect-tidy.ts';
import { deadExportFaults } from './export-checks.ts';
import * as prose from './prose-checks.ts';
import { documents, everyFile, isTidyItself, packageJson, sources } from './repository.ts';
import type { Fault, SourceFile } from './source-text.ts';
import * as checks from './tidy-checks.ts';

const over = (files: readonly SourceFile[], check: (file: SourceFile) => Fault[]): void =>
  expectTidy(files.flatMap(check));

const writtenFiles = everyFile.filter((file) => !isTidyItself(file));
const sourcesOutsideTidy = sources.filter((file) => !isTidyItself(file));
/** With the programs that are written in JavaScript. */
const writtenCode = [
  ...sourcesOutsideTidy,
  ...everyFile.filter(({ path }) => /^(?:bin|examples)\/.*\.(?:js|mjs|ts)$/.test(path)),
];
const inSrc = sources.filter(({ path }) => path.startsWith('src/'));

test('[REP-01] a layer imports only what its row allows, and every layer is checked', () => {
  over(sources, checks.layerFaults);
  expect(inSrc.length).toBeGreaterThan(sources.length / 2);
});
test('[REP-01] a layer may import only layers above it in the table, so that no two import each other', () => {
  const folders = Object.keys(LAYERS);
  for (const [row, folder] of folders.entries())
    expect(folders.slice(0, row), folder).toEqual(expect.arrayContaining([...LAYERS[folder]!]));
});
test('[REP-33] no file imports itself through others, types included', () => {
  const cycles = cyclesIn(importsAmong(shipped(sources), 'all'));
  expectTidy(
    cycles.map((cycle) => ({
      path: cycle[0]!,
      line: 1,
      message: `is in a cycle of imports with ${cycle.slice(1).join(', ')}. Move what two of them need into a file of its own, or send an event and react to it in src/core/reactions.ts.`,
    })),
  );
});
test('[REP-34] a folder of the core imports only folders above it, and every folder has a row', () => {
  over(sources, checks.coreFolderFaults);
  const folders = inSrc.map(({ path }) => /^src\/core\/(\w+)\//.exec(path)?.[1]);
  expect(new Set(folders.filter((folder) => folder !== undefined))).toEqual(new Set(CORE_FOLDERS));
});
test('[REP-38] private fields of Node’s HTTP server are named in one file', () =>
  over(inSrc, checks.privateFieldFaults));
test('[REP-02] kernel, messages, formulas, contract and core import no package', () =>
  over(sources, checks.packageFaults));
test('[REP-03] kernel, formulas and core use no clock, chance, waiting, environment or floating point', () =>
  over(sources, checks.bannedWordFaults));
test('[REP-04] no file has more than 400 lines', () => over(sources, checks.sizeFaults));
test('[REP-25] no text file but the lock file is larger than 60 KB', () =>
  over(everyFile, checks.bytesFaults));
test('[REP-05] file names are kebab-case and describe the content', () =>
  over(sources, checks.nameFaults));
test('[REP-06] nothing is exported by default', () => over(sources, checks.defaultExportFaults));
test('[REP-07] no file re-exports what another one exports', () =>
  over(sources, checks.barrelFaults));
test('[REP-08] every source file opens with a sentence on its job', () =>
  over(inSrc, checks.openingFaults));
test('[REP-09] no work is deferred in a comment', () =>
  over(writtenFiles, checks.deferredWorkFaults));
test('[REP-10] no test is skipped', () => over(sourcesOutsideTidy, checks.skippedTestFaults));
test('[REP-11] the repository speaks of the product alone', () =>
  over(writtenFiles, checks.workplaceFaults));
test('[REP-12] no package registry is named', () => over(writtenFiles, checks.registryFaults));
test('[REP-13] no source file is dead', () =>
  expectTidy(checks.deadFileFaults(sources, checks.entryPoints(packageJson))));
test('[REP-39] no file says a word of the old dialect', () => {
  over([...writtenCode, ...documents], prose.dialectFaults);
  expect(writtenCode.length).toBeGreaterThan(sourcesOutsideTidy.length);
});
test('[REP-40] no name has a part that was replaced', () =>
  over(writtenCode, prose.replacedNameFaults));
test('[REP-41] no line that can be broken has more than 100 columns', () =>
  over([...writtenCode, ...documents], prose.lineFaults));
test('[REP-42] no sentence of a comment has more than 25 words', () =>
  over(writtenCode, prose.commentSentenceFaults));
test('[REP-42] no sentence of a document has more than 25 words', () =>
  over(documents, prose.sentenceFaults));
test('[REP-32] the naive exchange shares no code with the exchange', () =>
  over(sources, checks.sharedCodeFaults));
test('[REP-23] nothing is exported without use, or for tests alone', () =>
  expectTidy(deadExportFaults(sources)));
