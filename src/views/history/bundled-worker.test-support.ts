/**
 * A worker for tests, bundled from its source like in the build, because TypeScript loaders do not
 * reach worker threads in Node 20.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** The place of packages, so that the bundle finds the external native library. */
const PACKAGES = dirname(dirname(createRequire(import.meta.url).resolve('libsql')));
const CACHE = join(PACKAGES, '.cache', 'rialto-tests');

export interface BundledWorker {
  readonly url: URL;
  remove(): void;
}

/** `source` names a file in this folder, or is the URL of another one. */
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
