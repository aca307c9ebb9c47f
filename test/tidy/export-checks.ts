/** Checks exports: every export must be used in another file, and not by tests alone. */
import { blankOut, type Fault, isAllowed, lineAt, type SourceFile } from './source-text.ts';

const VALUE_EXPORT = /^export (?:async )?(?:const|function\*?|class) (\w+)/gm;
const WORD = /\w+/g;

/** True for files that run in the exchange; false for tests and their support. */
const isShipped = (path: string): boolean =>
  path.startsWith('src/') && !/\.test(?:-support)?\.ts$/.test(path);

/** For each word, the files whose code contains it. Texts and comments do not count. */
function filesByWord(files: readonly SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { path, text } of files)
    for (const word of new Set(blankOut(text).bare.match(WORD))) {
      const paths = found.get(word) ?? new Set();
      found.set(word, paths.add(path));
    }
  return found;
}

const timesIn = (code: string, name: string): number =>
  code.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0;

/**
 * Compares names only. It may miss an unused export whose name occurs elsewhere, but never reports
 * a used one.
 */
export function deadExportFaults(files: readonly SourceFile[]): Fault[] {
  const users = filesByWord(files);
  return files.flatMap(({ path, text }) => {
    if (!isShipped(path)) return [];
    const { bare } = blankOut(text);
    return [...bare.matchAll(VALUE_EXPORT)].flatMap(({ 1: name = '', index }) => {
      const line = lineAt(text, index);
      if (isAllowed(text, line)) return [];
      const others = [...(users.get(name) ?? [])].filter((user) => user !== path);
      if (others.length === 0)
        return [
          {
            path,
            line,
            message: `${name} is exported but not imported. Leave out \`export\`.`,
          },
        ];
      if (
        timesIn(bare, name) > 1 ||
        others.some((user) => !/(?:^(?:test|model)\/|\.test(?:-support)?\.ts$)/.test(user))
      )
        return [];
      const message = `only tests use ${name}: they prove what the exchange does not do. Remove it, or move it into a \`.test-support.ts\`.`;
      return [{ path, line, message }];
    });
  });
}
