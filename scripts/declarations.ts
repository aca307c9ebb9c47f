/**
 * `npm run declarations`: writes into `dist/types` only the types that users of the package import.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
const ROOT = join(REPOSITORY, 'dist/types');
const ENTRIES = ['app/testing.d.ts', 'client/client.d.ts'];
const IMPORTED = /((?:\bfrom\s+|\bimport\s*\(\s*)['"])([^'"]+)(['"])/g;

/** A user may have no types of Node. A Buffer is a Uint8Array, and no user touches the bytes. */
const withoutNode = (text: string): string =>
  text
    .replace(/^import \{ Buffer \} from 'node:buffer';\n/m, '')
    .replace(/\bBuffer\b/g, 'Uint8Array');

/** Writes one declaration as users read it, and returns the declarations that it imports. */
function finish(path: string): string[] {
  const imported: string[] = [];
  const text = withoutNode(readFileSync(join(ROOT, path), 'utf8')).replace(
    IMPORTED,
    (_, before: string, input: string, after: string) => {
      if (!input.startsWith('.'))
        throw new Error(`dist/types/${path} imports ${input}, which a user may not have.`);
      imported.push(posix.join(posix.dirname(path), input.replace(/\.[jt]s$/, '.d.ts')));
      return `${before}${input.replace(/\.ts$/, '.js')}${after}`;
    },
  );
  writeFileSync(join(ROOT, path), text);
  return imported;
}

rmSync(ROOT, { recursive: true, force: true });
const compiler = join(REPOSITORY, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.package.json'], {
  cwd: REPOSITORY,
  stdio: 'inherit',
});

const kept = new Set(ENTRIES);
for (const path of kept) for (const imported of finish(path)) kept.add(imported);

for (const name of readdirSync(ROOT, { recursive: true, encoding: 'utf8' })) {
  const path = name.replaceAll('\\', '/');
  if (!kept.has(path) && statSync(join(ROOT, path)).isFile()) rmSync(join(ROOT, path));
}
