import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { snippets } from './snippets.ts';

/** A seed file may have any of them. */
const PASSPHRASES = [
  ['a plain one', 'plain-Passphrase_1'],
  ['one with a quote', "it's mine"],
  ['one with a command', "'; exit 3; '"],
  ['one with characters that a shell expands', '$(exit 3) `exit 3` "$HOME" \\'],
  ['one with a line break', 'one\ntwo\r\nthree'],
  ['one that would end a call', "'}); process.exit(3); ({a: '\\"],
] as const;

const written = (client: string, passphrase: string): string =>
  snippets[client]!.write({
    url: 'http://127.0.0.1:8080',
    user: { name: 'eve', uid: '1000000001', apiKey: 'bot-key', secretKey: passphrase, passphrase },
  });

describe.each(PASSPHRASES)('%s', (_, passphrase) => {
  test('[RUN-162] is the passphrase in the script for curl, and nothing else', () => {
    const [settings = ''] = written('curl', passphrase).split('call() {');
    const input = execFileSync(
      'bash',
      ['-c', `${settings}printf '%s|%s|%s' "$KEY" "$SECRET" "$PASSPHRASE"`],
      { encoding: 'utf8' },
    );
    expect(input).toBe(`bot-key|${passphrase}|${passphrase}`);
  });

  test.each([
    ['bitget-api', 'RestClientV3', 'apiPass'],
    ['ccxt', 'ccxt.bitget', 'password'],
  ])('[RUN-162] is the passphrase in the code for %s', (client, called, field) => {
    const code = written(client, passphrase);
    const from = code.indexOf(`new ${called}(`) + `new ${called}(`.length;
    const settings = runInNewContext(
      `(${code.slice(from, code.indexOf('\n});', from))}\n})`,
    ) as Readonly<Record<string, unknown>>;
    expect(settings[field]).toBe(passphrase);
  });

  test.each([
    ['python', /^PASSPHRASE = (".*")$/m],
    ['ccxt-python', /^ {4}"password": (".*"),$/m],
  ])('[RUN-162] is the passphrase in the code for %s, which has JSON strings', (client, line) => {
    const [, text = ''] = line.exec(written(client, passphrase))!;
    expect(JSON.parse(text)).toBe(passphrase);
  });

  test('[RUN-162] is the passphrase in the configuration of freqtrade', () => {
    const { exchange } = JSON.parse(written('freqtrade', passphrase)) as {
      readonly exchange: { readonly password: string };
    };
    expect(exchange.password).toBe(passphrase);
  });
});

test.each(['line\nexit 3', 'line\r\nexit 3\r\n#', 'quote\'s `exit 3` $(exit 3) "\\'])(
  '[RUN-90] the name %j stays in the comment of the script for curl',
  (name) => {
    const user = {
      name,
      uid: '1000000001',
      apiKey: 'bot-key',
      secretKey: 'secret',
      passphrase: 'phrase',
    };
    const code = snippets.curl!.write({ url: 'http://127.0.0.1:8080', user });
    const [settings = ''] = code.split('call() {');
    const input = execFileSync('bash', ['-c', `${settings}printf '%s' "$KEY"`], {
      encoding: 'utf8',
    });
    expect(input).toBe('bot-key');
    const comments = code.split('\n').filter((line) => line.startsWith('# The first order of '));
    expect(comments).toHaveLength(1);
  },
);

const textOf = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('client versions', () => {
  const { devDependencies } = JSON.parse(textOf('package.json')) as {
    devDependencies: Record<string, string>;
  };
  const tested = (client: string): string => `${client} ${devDependencies[client]}`;
  const texts: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'README.md',
      textOf('README.md'),
      [tested('ccxt'), tested('bitget-api'), '4.5.63', 'new http.Agent()'],
    ],
    [
      'docs/clients.md',
      textOf('docs/clients.md'),
      [tested('ccxt'), tested('bitget-api'), '4.5.63', '4.5.50'],
    ],
    ['snippet ccxt', written('ccxt', 'x'), [tested('ccxt'), '4.5.63', 'new http.Agent()']],
    ['snippet bitget-api', written('bitget-api', 'x'), [devDependencies['bitget-api']!, '2.3.6']],
    ['snippet ccxt-python', written('ccxt-python', 'x'), [tested('ccxt'), '4.5.50']],
  ];

  test.each(texts)(
    '[RUN-88] %s lists the tested versions, and what older ones need',
    (_, text, input) => {
      expect(input.filter((words) => !text.includes(words))).toEqual([]);
    },
  );
});
