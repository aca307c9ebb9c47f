/** What a person sees when the exchange is up: where it is, who can call it, and what to try first. */
import type { Credentials, UserCredentials } from './keyring.ts';

export interface WelcomeContext {
  readonly publicUrl: string;
  readonly operatorUrl: string;
  readonly credentials: Credentials;
  readonly data: string;
  /** The world was made by this start: its credentials are shown whole, once. */
  readonly isFirst: boolean;
}

const pairs = (rows: readonly (readonly [string, string])[], indent: string): string[] => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${indent}${name.padEnd(width)}  ${value}`);
};

/** One block a user: wide secrets in a table of columns would wrap. */
function person({ name, uid, apiKey, secretKey, passphrase }: UserCredentials, isFirst: boolean): string[] {
  const secrets = [
    ['secret', secretKey],
    ['passphrase', passphrase],
  ] as const;
  return [`  ${name}  ${uid}`, ...pairs([['API key', apiKey], ...(isFirst ? secrets : [])], '    ')];
}

export function welcomeText({ publicUrl, operatorUrl, credentials, data, isFirst }: WelcomeContext): string {
  const { users, operatorToken } = credentials;
  const places = pairs(
    [
      ['Rialto', publicUrl],
      ['docs', `${publicUrl}/docs`],
      ['operator', `${operatorUrl}  token ${isFirst ? operatorToken : 'in credentials.json'}`],
      ['data', `${data}  (credentials.json keeps all secrets)`],
    ],
    '  ',
  );
  const people = users.flatMap((user) => person(user, isFirst));
  const hint = `  Your first order: npm run --silent rialto -- snippet curl --data ${data} | bash`;
  return ['', ...places, ...(users.length === 0 ? [] : ['', ...people, '', hint]), '', ''].join('\n');
}
