/**
 * A small mutation of the program: one text of one file in another wording. The programme must
 * notice it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Bug {
  /** What went wrong, as whoever made the mistake would put it. */
  readonly name: string;
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly right: string;
  readonly wrong: string;
}

const times = (text: string, part: string): number => text.split(part).length - 1;

/**
 * Why a bug cannot be planted in a tree any more: the program has moved on, and the bug must follow
 * it.
 */
export function staleness(root: string, { name, file, right, wrong }: Bug): string | undefined {
  const text = readFileSync(join(root, file), 'utf8');
  const found = times(text, right);
  if (found !== 1) return `${name}: "${right}" stands ${found} times in ${file}, not once`;
  return right === wrong ? `${name} changes nothing` : undefined;
}

/** Plants a bug and answers how to take it out again. */
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
