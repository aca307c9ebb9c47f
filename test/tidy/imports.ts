/** Finds the imports of files, and the graph that follows from them. */
import { posix } from 'node:path';
import { blankOut, lineAt, type SourceFile } from './source-text.ts';

export interface Import {
  readonly line: number;
  /** As written: `../kernel/money.ts`, `node:fs`, `kysely`. */
  readonly input: string;
  /** The path from the root for a relative import, otherwise undefined. */
  readonly path: string | undefined;
}

/**
 * Static and dynamic imports, re-exports, and files named by `new URL('./x.ts', import.meta.url)`,
 * which start workers.
 */
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+|\bnew\s+URL\s*\(\s*)(['"])([^'"\n]+)\1/g;

export function importsOf({ path, text }: SourceFile): readonly Import[] {
  const { code, bare } = blankOut(text);
  return [...code.matchAll(IMPORT)]
    .filter((match) => /^(?:from|import|new)/.test(bare.slice(match.index)))
    .map((match) => {
      const input = match[2]!;
      const relative = input.startsWith('.');
      return {
        line: lineAt(text, match.index),
        input,
        path: relative ? posix.join(posix.dirname(path), input) : undefined,
      };
    });
}

/** For each path, the files that import it. */
export function importersByPath(
  files: readonly SourceFile[],
): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const file of files)
    for (const { path } of importsOf(file)) {
      if (path === undefined) continue;
      const list = importers.get(path) ?? [];
      list.push(file.path);
      importers.set(path, list);
    }
  return importers;
}
