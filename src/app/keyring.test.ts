import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Credentials, Keyring } from './keyring.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rialto-keyring-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const kept = (): Credentials => JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8')) as Credentials;
const modeOf = (name: string): number => statSync(join(folder, name)).mode & 0o777;
const user = (name: string, apiKey: string) => ({ name, uid: '1000000001', apiKey, secretKey: 's', passphrase: 'p' });

describe('keyring', () => {
  test('[RUN-15] credentials and master key are readable by their owner alone, and nothing else is left behind', () => {
    const keyring = new Keyring(folder, undefined);
    keyring.keep(user('alice', 'rk_1'));
    expect(modeOf('credentials.json')).toBe(0o600);
    expect(modeOf('master.key')).toBe(0o600);
    expect(readdirSync(folder).toSorted()).toEqual(['credentials.json', 'master.key']);
    expect(kept()).toEqual({ operatorToken: keyring.credentials.operatorToken, users: [user('alice', 'rk_1')] });
  });

  test('[RUN-15] a remainder of an interrupted write that others may read does not pass its mode on', () => {
    writeFileSync(join(folder, 'credentials.json.tmp'), 'half', { mode: 0o666 });
    chmodSync(join(folder, 'credentials.json.tmp'), 0o666);
    new Keyring(folder, undefined);
    expect(modeOf('credentials.json')).toBe(0o600);
    expect(kept().users).toEqual([]);
  });

  test('[RUN-17] opened again it holds the same master key, token and users', () => {
    const first = new Keyring(folder, undefined);
    first.keep(user('alice', 'rk_1'));
    const second = new Keyring(folder, undefined);
    expect(second.masterKey.equals(first.masterKey)).toBe(true);
    expect(second.credentials).toEqual(first.credentials);
  });

  test('[RUN-18] a token that is given takes the place of the kept one', () => {
    const generated = new Keyring(folder, undefined).credentials.operatorToken;
    expect(generated).toMatch(/^[\w-]{32}$/);
    expect(new Keyring(folder, 'mine').credentials.operatorToken).toBe('mine');
    expect(kept().operatorToken).toBe('mine');
    expect(new Keyring(folder, undefined).credentials.operatorToken).toBe('mine');
  });

  test('[RUN-15] a user kept twice has the later key in the same place', () => {
    const keyring = new Keyring(folder, undefined);
    keyring.keep(user('alice', 'rk_1'));
    keyring.keep(user('bob', 'rk_2'));
    keyring.keep(user('alice', 'rk_3'));
    expect(kept().users.map(({ name, apiKey }) => `${name} ${apiKey}`)).toEqual(['alice rk_3', 'bob rk_2']);
  });

  test('[RUN-15] a master key of another length is refused: it would open nothing', () => {
    writeFileSync(join(folder, 'master.key'), 'abcd\n');
    expect(() => new Keyring(folder, undefined)).toThrow('does not hold a key of 32 bytes');
  });
});
