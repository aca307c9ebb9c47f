/** Checks the subjects of commits: `area: what changes`, in the imperative and on one line. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** A longer subject is cut off in most lists of commits. */
export const SUBJECT_LENGTH_MAX = 60;

const SUBJECT = /^[a-z][a-z0-9 ,./-]*: (\S+).*$/;
const ARTICLE = /^(?:a|an|the|no|of|in|on|for|with|when|what|how)$/i;
const NOT_IMPERATIVE = /(?:[^e]ed|ing|[^su]s)$/;
/** Imperatives that end like another form. */
const IMPERATIVES = new Set([
  'bring',
  'embed',
  'bias',
  'alias',
  'shed',
  'string',
  'ping',
  'sing',
  'ring',
]);

/** The violations of a subject. */
export function subjectFaults(subject: string): string[] {
  const faults: string[] = [];
  const { length } = subject;
  if (length > SUBJECT_LENGTH_MAX)
    faults.push(`has ${length} characters, at most ${SUBJECT_LENGTH_MAX} are allowed`);
  const verb = SUBJECT.exec(subject)?.[1];
  if (verb === undefined) faults.push('is not "area: what changes"');
  if (
    verb !== undefined &&
    (ARTICLE.test(verb) || (NOT_IMPERATIVE.test(verb) && !IMPERATIVES.has(verb)))
  )
    faults.push(`begins with "${verb}", which is no imperative`);
  if (subject.endsWith('.')) faults.push('ends with a full stop');
  return faults.map((fault) => `"${subject}" ${fault}.`);
}

/** The subjects after the base without merges, or the reason if they cannot be read. */
export type Subjects =
  | { readonly kind: 'read'; readonly subjects: readonly string[] }
  | { readonly kind: 'noRepository' }
  | { readonly kind: 'noBase'; readonly base: string };

export function subjectsIn(root: string): Subjects {
  if (!existsSync(`${root}/.git`)) return { kind: 'noRepository' };
  const base = readFileSync(`${root}/.commit-base`, 'utf8').trim();
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-C', root, ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  try {
    git('cat-file', '-e', `${base}^{commit}`);
  } catch {
    return { kind: 'noBase', base };
  }
  const lines = git('log', '--no-merges', '--format=%s', `${base}..HEAD`).split('\n');
  return { kind: 'read', subjects: lines.filter((line) => line !== '') };
}
