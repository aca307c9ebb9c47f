import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { existingJournal } from './existing-journal.ts';
import { exists } from './exists.ts';
import { runningExchange } from './running-exchange.ts';

const ANONYMOUS = 65_534;
const folder = mkdtempSync(join(tmpdir(), 'rialto-rights-'));
const isRoot = process.getuid?.() === 0;

/**
 * Looks at the folder as a user without access. Root can read everything, so it changes its user id
 * during the look.
 */
function withoutRight<Value>(path: string, look: () => Value): Value {
  chmodSync(path, isRoot ? 0o700 : 0);
  if (isRoot) process.seteuid!(ANONYMOUS);
  try {
    return look();
  } finally {
    if (isRoot) process.seteuid!(0);
    chmodSync(path, 0o700);
  }
}

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('[RUN-66] a folder without read access is reported as such, not as one without a journal', () => {
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  mkdirSync(join(data, 'journal'), { recursive: true });
  writeFileSync(join(data, 'address.json'), '{}');
  const refused = (path: string): string =>
    `${path} cannot be read by this user: run the command as the owner of the folder`;
  expect(existingJournal(data)).toBe(join(data, 'journal'));
  expect(() => withoutRight(data, () => existingJournal(data))).toThrow(
    refused(join(data, 'journal')),
  );
  expect(() => withoutRight(data, () => runningExchange(data))).toThrow(
    refused(join(data, 'address.json')),
  );
  expect(() => withoutRight(join(data, 'journal'), () => existingJournal(data))).toThrow(
    refused(join(data, 'journal')),
  );
  expect(exists(join(data, 'mistyped'))).toBe(false);
  expect(exists(join(data, 'address.json', 'journal'))).toBe(false);
});
