/** What a person sees when the exchange is up: where it is, who can call it, and what to try first. */
import type { Credentials } from './keyring.ts';

export interface WelcomeContext {
  readonly publicUrl: string;
  readonly operatorUrl: string;
  readonly credentials: Credentials;
  readonly data: string;
  /** The world was made by this start: its credentials are shown whole, once. */
  readonly isFirst: boolean;
}

const COLUMNS = ['user', 'uid', 'API key', 'secret', 'passphrase'];

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd());
}

function people({ users }: Credentials, isFirst: boolean): string[] {
  if (users.length === 0) return [];
  const columns = isFirst ? COLUMNS.length : 3;
  const rows = users.map(({ name, uid, apiKey, secretKey, passphrase }) => [name, uid, apiKey, secretKey, passphrase].slice(0, columns));
  return ['', ...table([COLUMNS.slice(0, columns), ...rows]), '', '  Try: npm run --silent rialto -- snippet curl | bash'];
}

export function welcomeText({ publicUrl, operatorUrl, credentials, data, isFirst }: WelcomeContext): string {
  const places = table([
    ['Rialto', publicUrl],
    ['docs', `${publicUrl}/docs`],
    ['operator', `${operatorUrl}  token ${isFirst ? credentials.operatorToken : 'in credentials.json'}`],
    ['data', `${data}  (credentials.json keeps all secrets)`],
  ]);
  return ['', ...places, ...people(credentials, isFirst), '', ''].join('\n');
}
