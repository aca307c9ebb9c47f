/** The repository as the tidy tests read it: every text file of ours, read once. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceFile } from './source-text.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Installed, built and generated files are not checked. */
const NOT_OURS = new Set(['node_modules', 'dist', 'data', '.git', 'coverage', '.vitest']);
const TEXT_FILE =
  /\.(?:ts|js|mjs|md|txt|json|ya?ml|html|css|sh|npmrc)$|(?:^|\/)(?:\.npmrc|\.gitignore|\.gitattributes|\.editorconfig|\.nvmrc|\.commit-base|\.ci\/run|Dockerfile|LICENSE)$/;

function walk(folder: string): SourceFile[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      if (NOT_OURS.has(entry.name)) return [];
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return walk(path);
      return entry.isFile() && TEXT_FILE.test(path)
        ? [{ path, text: readFileSync(join(ROOT, path), 'utf8') }]
        : [];
    });
}

export const everyFile: readonly SourceFile[] = walk('');

/** TypeScript that we write by hand. */
export const sources = everyFile.filter(({ path }) =>
  /^(?:src|test|model|bench|scripts)\/.*\.ts$/.test(path),
);
export const documents = everyFile.filter(({ path }) => path.endsWith('.md'));
export const ruleDocuments = documents.filter(
  ({ path }) => path.startsWith('docs/rules/') && path !== 'docs/rules/README.md',
);
export const tests = sources.filter(({ path }) => path.endsWith('.test.ts'));

/** These contain violations on purpose, to show that each check can fail. */
export const isTidyItself = ({ path }: SourceFile): boolean => path.startsWith('test/tidy/');

export const packageJson = readFileSync(join(ROOT, 'package.json'), 'utf8');

export const pathExists = (path: string): boolean => existsSync(join(ROOT, path));

export const textOf = (path: string): string | undefined => {
  const full = join(ROOT, path);
  if (!existsSync(full)) return undefined;
  return statSync(full).isFile() ? readFileSync(full, 'utf8') : '';
};
