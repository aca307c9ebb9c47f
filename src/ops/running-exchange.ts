/**
 * The command line's access to a running exchange: finds it through the data folder and calls its
 * operator API.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCalled } from '../app/called-by.ts';
import { ADDRESS_FILE, CREDENTIALS_FILE } from '../app/files.ts';
import { type Credentials, readCredentials } from '../app/keyring.ts';
import { shellWord } from '../app/welcome.ts';
import { type Client, createOperatorClient, type Fetch } from '../client/client.ts';
import type { operatorEndpoints } from '../contract/endpoints.ts';
import { CliError } from './cli-error.ts';
import { exists } from './exists.ts';

export interface RunningExchange {
  readonly publicUrl: string;
  readonly credentials: Credentials;
  readonly operator: Client<typeof operatorEndpoints>;
}

function readAddress(path: string): { readonly publicUrl: string; readonly operatorUrl: string } {
  try {
    const { publicUrl, operatorUrl } = JSON.parse(readFileSync(path, 'utf8')) as Record<
      string,
      unknown
    >;
    if (typeof publicUrl === 'string' && typeof operatorUrl === 'string')
      return { publicUrl, operatorUrl };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  throw new CliError(`${path} is damaged; the next start of the exchange writes it again`);
}

export function runningExchange(folder: string): RunningExchange {
  const existing = (name: string): string => {
    const path = join(folder, name);
    if (!exists(path))
      throw new CliError(
        `no exchange has run in ${folder} (${name} is missing); start one with: ${startCalled()} --data ${shellWord(folder)}`,
      );
    return path;
  };
  const { publicUrl, operatorUrl } = readAddress(existing(ADDRESS_FILE));
  const credentials = readCredentials(existing(CREDENTIALS_FILE));
  const reach: Fetch = (url, init) =>
    fetch(url, init).catch(() => {
      throw new CliError(`no exchange answers at ${operatorUrl}; is it running?`);
    });
  return {
    publicUrl,
    credentials,
    operator: createOperatorClient({
      baseUrl: operatorUrl,
      token: credentials.operatorToken,
      fetch: reach,
    }),
  };
}
