import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { snippets } from './snippets.ts';

/** A world file may say any of them. */
const PASSPHRASES = [
  ['a plain one', 'plain-Passphrase_1'],
  ['one with a quote', "it's mine"],
  ['one with a command', "'; exit 3; '"],
  ['one with what a shell looks into', '$(exit 3) `exit 3` "$HOME" \\'],
  ['one that would end a call', "'}); process.exit(3); ({a: '\\"],
] as const;

const written = (client: string, passphrase: string): string =>
  snippets[client]!.write({
    url: 'http://127.0.0.1:8080',
    user: { name: 'eve', uid: '1000000001', apiKey: 'bot-key', secretKey: passphrase, passphrase },
  });

describe.each(PASSPHRASES)('%s', (_, passphrase) => {
  test('[RUN-32] is the passphrase in the script for curl, and nothing else', () => {
    const [settings = ''] = written('curl', passphrase).split('call() {');
    const said = execFileSync('bash', ['-c', `${settings}printf '%s|%s|%s' "$KEY" "$SECRET" "$PASSPHRASE"`], { encoding: 'utf8' });
    expect(said).toBe(`bot-key|${passphrase}|${passphrase}`);
  });

  test.each([
    ['bitget-api', 'RestClientV3', 'apiPass'],
    ['ccxt', 'ccxt.bitget', 'password'],
  ])('[RUN-32] so it is in the code for %s', (client, called, field) => {
    const code = written(client, passphrase);
    const from = code.indexOf(`new ${called}(`) + `new ${called}(`.length;
    const settings = runInNewContext(`(${code.slice(from, code.indexOf('\n});', from))}\n})`) as Readonly<Record<string, unknown>>;
    expect(settings[field]).toBe(passphrase);
  });

  test('[RUN-32] so it is in the configuration of freqtrade', () => {
    const { exchange } = JSON.parse(written('freqtrade', passphrase)) as { readonly exchange: { readonly password: string } };
    expect(exchange.password).toBe(passphrase);
  });
});
