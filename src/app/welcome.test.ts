import { expect, test } from 'vitest';
import { welcomeText } from './welcome.ts';

const user = (name: string) => ({
  name,
  uid: '1',
  apiKey: 'key',
  secretKey: 'secret',
  passphrase: 'phrase',
});
const lastLine = (
  names: readonly string[],
  firstTrader: string | undefined,
  { data = '/data', isInstalled = false } = {},
): string => {
  const credentials = { operatorToken: 'token', users: names.map(user) };
  const places = { publicUrl: 'http://a', operatorUrl: 'http://b', data };
  const text = welcomeText({ ...places, credentials, isInstalled, isFirst: true, firstTrader });
  return text.trimEnd().split('\n').at(-1)!;
};

test('[RUN-54] the first example order names a user with money, and no user if there is none', () => {
  expect(lastLine(['alice', 'dave'], 'dave')).toBe(
    '  Your first order: npm run --silent rialto -- snippet curl --data /data | bash',
  );
  expect(lastLine(['house', 'bot'], 'bot')).toBe(
    '  Your first order: npm run --silent rialto -- snippet curl --user bot --data /data | bash',
  );
  expect(lastLine(['dave'], 'dave', { isInstalled: true })).toBe(
    '  Your first order: npx rialto snippet curl --data /data | bash',
  );
  expect(lastLine(['house'], undefined)).not.toContain('first order');
});

test('[RUN-54] names that a shell would split are quoted', () => {
  expect(lastLine(["the bot's"], "the bot's", { data: '/my data' })).toContain(
    `snippet curl --user 'the bot'\\''s' --data '/my data' | bash`,
  );
});
