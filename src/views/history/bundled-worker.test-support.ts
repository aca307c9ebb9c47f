/**
 * A worker for tests: bundled from its source as the build does it, since loaders for TypeScript do
 * not reach worker threads in Node 20.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Where packages are, so that the bundle finds the native library it leaves out. */
const PACKAGES = dirname(dirname(createRequire(import.meta.url).resolve('libsql')));
const CACHE = join(PACKAGES, '.cache', 'rialto-tests');

export interface BundledWorker {
  readonly url: URL;
  remove(): void;
}

/** `source` names a file beside this one, or is the address of one elsewhere. */
export async function bundleWorker(source: string): Promise<BundledWorker> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'worker-'));
  const outfile = join(folder, 'worker.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL(source, import.meta.url))],
    outfile,
    bundle: true,
    external: ['libsql'],
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  return {
    url: pathToFileURL(outfile),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
