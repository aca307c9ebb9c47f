/** A running exchange as the command line sees it: found through the data folder, spoken to through the operator plane. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADDRESS_FILE, CREDENTIALS_FILE } from '../app/files.ts';
import type { Credentials } from '../app/keyring.ts';

/** Said to a person and followed by exit code 1. */
export class Complaint extends Error {
  override readonly name = 'Complaint';
}

export interface RunningExchange {
  readonly publicUrl: string;
  readonly operatorUrl: string;
  readonly credentials: Credentials;
  call<Data>(method: string, path: string, body?: unknown): Promise<Data>;
}

interface Envelope {
  readonly code: string;
  readonly msg: string;
  readonly data: unknown;
}

export function runningExchange(folder: string): RunningExchange {
  const read = (name: string): unknown => {
    const path = join(folder, name);
    if (!existsSync(path))
      throw new Complaint(`no exchange has run in ${folder} (${name} is not there); start one with: npm start -- --data ${folder}`);
    return JSON.parse(readFileSync(path, 'utf8'));
  };
  const { publicUrl, operatorUrl } = read(ADDRESS_FILE) as { publicUrl: string; operatorUrl: string };
  const credentials = read(CREDENTIALS_FILE) as Credentials;

  const call = async <Data>(method: string, path: string, body?: unknown): Promise<Data> => {
    const headers = { authorization: `Bearer ${credentials.operatorToken}`, 'content-type': 'application/json' };
    const response = await fetch(operatorUrl + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new Complaint(`no exchange answers at ${operatorUrl}; is it running?`);
    });
    const envelope = (await response.json()) as Envelope;
    if (envelope.code !== '00000') throw new Complaint(`${method} ${path}: ${envelope.code} ${envelope.msg}`);
    return envelope.data as Data;
  };
  return { publicUrl, operatorUrl, credentials, call };
}
