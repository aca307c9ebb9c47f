/**
 * Bundles a version of the program into one module: a commit, or the working tree with uncommitted
 * changes.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { ComparedModule } from './compared.ts';
import type { Version } from './comparison.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
/** Below the installed packages, so that a bundle finds the packages outside of it. */
const CACHE = join(REPOSITORY, 'node_modules', '.cache', 'compare');
const ENTRY = 'test/compare/program.ts';
const PARTS = ['src', 'test', 'package.json', 'tsconfig.json'];

const git = (...args: readonly string[]): Buffer =>
  execFileSync('git', args, {
    cwd: REPOSITORY,
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

async function bundle(root: string, file: string, plugins: readonly Plugin[]): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [join(root, ENTRY)],
    bundle: true,
    write: false,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    plugins: [...plugins],
    logLevel: 'error',
  });
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(file, outputFiles[0]!.contents);
}

/** The files of a commit. A commit older than the comparison gets today's part of it. */
function checkedOut(commit: string): string {
  const root = join(CACHE, commit);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  execFileSync('tar', ['-x', '-C', root], { input: git('archive', commit, ...PARTS) });
  if (!existsSync(join(root, ENTRY)))
    cpSync(join(REPOSITORY, 'test/compare'), join(root, 'test/compare'), { recursive: true });
  return root;
}

async function versionIn(file: string): Promise<Version> {
  const module = (await import(pathToFileURL(file).href)) as ComparedModule;
  return { module, text: readFileSync(file, 'utf8') };
}

/** A commit is bundled once; its bundle is cached. */
export async function versionOf(reference: string): Promise<Version> {
  const commit = git('rev-parse', '--verify', `${reference}^{commit}`).toString().trim();
  const file = join(CACHE, `${commit}.mjs`);
  if (existsSync(file)) return versionIn(file);
  const root = checkedOut(commit);
  await bundle(root, file, []);
  rmSync(root, { recursive: true });
  return versionIn(file);
}

/** The present files, optionally changed by a plugin. */
export async function versionOfTree(
  name: string,
  plugins: readonly Plugin[] = [],
): Promise<Version> {
  const file = join(CACHE, `${name}-${process.pid}.mjs`);
  await bundle(REPOSITORY, file, plugins);
  const version = await versionIn(file);
  rmSync(file);
  return version;
}
