/** A small mutation of the program: one text of one file is replaced. The tests must detect it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Bug {
  /** The mistake, as a short description. */
  readonly name: string;
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly right: string;
  readonly wrong: string;
}

const times = (text: string, part: string): number => text.split(part).length - 1;

/** The reason why a bug no longer fits the source; its text must then be updated. */
export function staleness(root: string, { name, file, right, wrong }: Bug): string | undefined {
  const text = readFileSync(join(root, file), 'utf8');
  const found = times(text, right);
  if (found !== 1) return `${name}: "${right}" occurs ${found} times in ${file}, not once`;
  return right === wrong ? `${name} changes nothing` : undefined;
}

/** Plants a bug and returns a function that removes it. */
export function plant(root: string, bug: Bug): () => void {
  const stale = staleness(root, bug);
  if (stale !== undefined) throw new Error(stale);
  const path = join(root, bug.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(bug.right, () => bug.wrong),
  );
  return () => writeFileSync(path, text);
}
