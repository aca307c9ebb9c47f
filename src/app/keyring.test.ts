import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openVault } from '../gateway/auth/vault.ts';
import { type Credentials, Keyring, UnusableKeyring } from './keyring.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rialto-keyring-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const kept = (): Credentials =>
  JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8')) as Credentials;
const modeOf = (name: string): number => statSync(join(folder, name)).mode & 0o777;
const user = (name: string, apiKey: string) => ({
  name,
  uid: '1000000001',
  apiKey,
  secretKey: 's',
  passphrase: 'p',
});

describe('keyring', () => {
  test('[RUN-15] credentials and master key are readable by their owner alone, and no other file is left', () => {
    const keyring = new Keyring(folder, undefined, false);
    keyring.keep([user('alice', 'rk_1')]);
    expect(modeOf('credentials.json')).toBe(0o600);
    expect(modeOf('master.key')).toBe(0o600);
    expect(readdirSync(folder).toSorted()).toEqual(['credentials.json', 'master.key']);
    expect(kept()).toEqual({
      operatorToken: keyring.credentials.operatorToken,
      users: [user('alice', 'rk_1')],
    });
  });

  test('[RUN-15] a leftover temporary file with open access never receives the next secrets', () => {
    const remainder = join(folder, 'credentials.json.tmp');
    writeFileSync(remainder, 'half');
    chmodSync(remainder, 0o666);
    const opened = openSync(remainder, 'r');
    onTestFinished(() => closeSync(opened));
    new Keyring(folder, undefined, false);
    expect(modeOf('credentials.json')).toBe(0o600);
    expect(readFileSync(opened, 'utf8')).toBe('half');
    expect(kept().users).toEqual([]);
  });

  test('[RUN-17] a reopened keyring has the same master key, token and users', () => {
    const first = new Keyring(folder, undefined, false);
    first.keep([user('alice', 'rk_1')]);
    const second = new Keyring(folder, undefined, false);
    expect(second.masterKey.equals(first.masterKey)).toBe(true);
    expect(second.credentials).toEqual(first.credentials);
  });

  test('[RUN-18] a given token replaces the stored one', () => {
    const generated = new Keyring(folder, undefined, false).credentials.operatorToken;
    expect(generated).toMatch(/^[\w-]{32}$/);
    expect(new Keyring(folder, 'mine', false).credentials.operatorToken).toBe('mine');
    expect(kept().operatorToken).toBe('mine');
    expect(new Keyring(folder, undefined, false).credentials.operatorToken).toBe('mine');
  });

  test('[RUN-15] a user stored twice has the later key in the same place', () => {
    const keyring = new Keyring(folder, undefined, false);
    keyring.keep([user('alice', 'rk_1')]);
    keyring.keep([user('bob', 'rk_2')]);
    keyring.keep([user('alice', 'rk_3')]);
    expect(kept().users.map(({ name, apiKey }) => `${name} ${apiKey}`)).toEqual([
      'alice rk_3',
      'bob rk_2',
    ]);
  });

  test('[RUN-33] beside a journal no master key is created, and an existing one is used', () => {
    expect(() => new Keyring(folder, undefined, true)).toThrow(
      new UnusableKeyring(
        `${join(folder, 'master.key')} is missing, and the API secrets in the journal open with it alone; put it back`,
      ),
    );
    expect(readdirSync(folder)).toEqual([]);
    const { masterKey } = new Keyring(folder, undefined, false);
    expect(new Keyring(folder, undefined, true).masterKey.equals(masterKey)).toBe(true);
  });

  test('[RUN-33] a master key in capitals is the same key', () => {
    const { masterKey } = new Keyring(folder, undefined, false);
    writeFileSync(join(folder, 'master.key'), masterKey.toString('hex').toUpperCase());
    expect(new Keyring(folder, undefined, true).masterKey.equals(masterKey)).toBe(true);
  });

  test('[RUN-33] a secret sealed under this master key passes, one sealed under another names the file', () => {
    const keyring = new Keyring(folder, undefined, false);
    const sealedUnder = (masterKey: Buffer) => ({
      apiKey: 'rk_1',
      sealedSecret: openVault(masterKey).seal('rk_1', 'secret', Buffer.alloc(12)),
    });
    keyring.checkOpens(sealedUnder(keyring.masterKey));
    expect(() => keyring.checkOpens(sealedUnder(Buffer.alloc(32)))).toThrow(
      `${join(folder, 'master.key')} is not the key`,
    );
  });

  const refusalOf = (): Error => {
    try {
      new Keyring(folder, undefined, false);
    } catch (error) {
      return error as Error;
    }
    throw new Error('a damaged file was accepted');
  };

  test.each([['abcd'], ['ab'.repeat(31)], ['ab'.repeat(33)], [`${'ab'.repeat(31)}xy`], ['']])(
    '[RUN-34] a master key that is %j is refused, and its content is not shown',
    (text) => {
      writeFileSync(join(folder, 'master.key'), `${text}\n`);
      const error = refusalOf();
      expect(error).toBeInstanceOf(UnusableKeyring);
      expect(error.message).toMatch(
        /master\.key is damaged: it does not hold a key of 32 bytes[^\n]*$/,
      );
      expect(error).not.toHaveProperty('cause');
      if (text !== '') expect(error.message.replace(folder, '')).not.toContain(text);
    },
  );

  test.each([
    ['cut short', '{"operatorToken":"s3cret","users":[{"name":"al'],
    ['no record', '"s3cret"'],
    ['nothing', 'null'],
    ['empty', ''],
    ['without a token', '{"users":[]}'],
    ['without users', '{"operatorToken":"s3cret"}'],
    ['with users that are none', '{"operatorToken":"s3cret","users":{}}'],
    [
      'with a user that lacks a field',
      '{"operatorToken":"s3cret","users":[{"name":"alice","uid":"1","apiKey":"rk","secretKey":"s3cret"}]}',
    ],
  ])(
    '[RUN-34] credentials that are %s are refused and unchanged, and their content is not shown',
    (_, text) => {
      writeFileSync(join(folder, 'credentials.json'), text);
      const error = refusalOf();
      expect(error).toBeInstanceOf(UnusableKeyring);
      expect(error.message).toBe(
        `${join(folder, 'credentials.json')} is damaged: it does not hold {operatorToken, users}; restore the original file`,
      );
      expect(error).not.toHaveProperty('cause');
      expect(readFileSync(join(folder, 'credentials.json'), 'utf8')).toBe(text);
      expect(readdirSync(folder)).toEqual(['credentials.json']);
    },
  );
});
