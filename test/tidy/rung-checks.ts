/** Checks that tests with a real client or the built program run in `npm run test:long` alone. */
import { importsOf } from './imports.ts';
import type { Fault, SourceFile } from './source-text.ts';

/** Real clients take seconds to load. */
const CLIENTS: readonly string[] = ['ccxt', 'bitget-api'];
/** The file that starts the built program. */
const SERVER = 'test/programme/server.ts';
const LONG = '.long.test.ts';

/** The client or starter of the program that a file reaches through its imports. */
function reached(file: SourceFile, byPath: ReadonlyMap<string, SourceFile>): string | undefined {
  const seen = new Set([file.path]);
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.path === SERVER) return SERVER;
    for (const { input, path } of importsOf(next)) {
      if (CLIENTS.includes(input)) return input;
      const imported = path === undefined ? undefined : byPath.get(path);
      if (imported === undefined || seen.has(imported.path)) continue;
      seen.add(imported.path);
      waiting.push(imported);
    }
  }
  return undefined;
}

/** `src` imports neither, so the search stays among the tests. */
export function shortClientFaults(files: readonly SourceFile[]): Fault[] {
  const inTest = files.filter(({ path }) => /^(?:test|model)\//.test(path));
  const byPath = new Map(inTest.map((file) => [file.path, file]));
  return inTest.flatMap((file) => {
    if (!file.path.endsWith('.test.ts') || file.path.endsWith(LONG)) return [];
    const long = reached(file, byPath);
    if (long === undefined) return [];
    const message = `reaches ${long}. Name the file *${LONG}, or move these tests into such a file.`;
    return [{ path: file.path, line: 1, message }];
  });
}
