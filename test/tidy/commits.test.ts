/**
 * Proves the subjects of commits after the one in `.commit-base`, and the check itself on test
 * repositories.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { subjectFaults, subjectsIn } from './commit-checks.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('[REP-28] the commits after the base state what they change', () => {
  const found = subjectsIn(ROOT);
  if (found.kind === 'read') return expect(found.subjects.flatMap(subjectFaults)).toEqual([]);
  const why =
    found.kind === 'noBase'
      ? `this clone lacks ${found.base}: run git fetch --unshallow`
      : 'this is no repository';
  // A source archive has no commits; a clone in CI has them all.
  if (found.kind === 'noBase' && process.env.CI === 'true') expect.fail(why);
  console.warn(`The commits are not checked, because ${why}.`);
});

describe('[REP-28] a subject', () => {
  test('[REP-28] of 60 characters is accepted, one of 61 is not', () => {
    const subject = `triggers: fire ${'x'.repeat(45)}`;
    expect(subjectFaults(subject)).toEqual([]);
    expect(subjectFaults(`${subject}x`)).toEqual([
      `"${subject}x" has 61 characters, at most 60 are allowed.`,
    ]);
  });

  test.each([
    'triggers: fire on last price before mirroring',
    'docs: bring the tables up to date',
    'copy trading: process shares once',
    'tests: feed prices by hand',
  ])('[REP-28] "%s" is accepted', (subject) => expect(subjectFaults(subject)).toEqual([]));

  test.each([
    ['fix stuff', 'is not "area: what changes"'],
    ['Triggers: fire', 'is not "area: what changes"'],
    ['triggers:fire', 'is not "area: what changes"'],
    ['triggers: fired late', 'begins with "fired", which is no imperative'],
    ['triggers: fires late', 'begins with "fires", which is no imperative'],
    ['triggers: firing late', 'begins with "firing", which is no imperative'],
    ['docs: the run of the program', 'begins with "the", which is no imperative'],
    ['triggers: fire late.', 'ends with a full stop'],
  ])('[REP-28] "%s" is refused', (subject, fault) =>
    expect(subjectFaults(subject)).toEqual([`"${subject}" ${fault}.`]),
  );
});

describe('the commits that are checked', () => {
  const author = [
    '-c',
    'user.name=Test',
    '-c',
    'user.email=test@example.com',
    '-c',
    'commit.gpgsign=false',
  ];
  function repository(): { readonly root: string; readonly git: (...words: string[]) => string } {
    const root = mkdtempSync(join(tmpdir(), 'rialto-commits-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const git = (...words: string[]) =>
      execFileSync('git', ['-C', root, ...author, ...words], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    return { root, git };
  }
  const commit = (git: (...words: string[]) => string, subject: string): string => {
    git('commit', '--allow-empty', '-q', '-m', subject);
    return git('rev-parse', 'HEAD');
  };

  test('[REP-28] are those after the base, without merges', () => {
    const { root, git } = repository();
    git('init', '-q', '-b', 'main');
    commit(git, 'Long before');
    writeFileSync(`${root}/.commit-base`, `${commit(git, 'The base')}\n`);
    git('checkout', '-q', '-b', 'side');
    commit(git, 'orders: refuse a price of nothing');
    git('checkout', '-q', 'main');
    commit(git, 'Sloppy');
    git('merge', '-q', '--no-ff', 'side', '-m', 'Merge side');
    const found = subjectsIn(root);
    expect(found.kind === 'read' && found.subjects.toSorted()).toEqual([
      'Sloppy',
      'orders: refuse a price of nothing',
    ]);
  });

  test('[REP-28] cannot be read without the base, or without a repository', () => {
    const { root, git } = repository();
    expect(subjectsIn(root)).toEqual({ kind: 'noRepository' });
    git('init', '-q');
    commit(git, 'orders: refuse a price of nothing');
    const base = '1'.repeat(40);
    writeFileSync(`${root}/.commit-base`, `${base}\n`);
    expect(subjectsIn(root)).toEqual({ kind: 'noBase', base });
  });
});
