/** Secrets that live beside the journal: the master key that seals API secrets, the operator's token, the demo users' credentials. */
import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CREDENTIALS_FILE } from './files.ts';

const OWNER_ONLY = 0o600;
const MASTER_KEY_BYTES = 32;

export interface UserCredentials {
  readonly name: string;
  readonly uid: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly passphrase: string;
}

export interface Credentials {
  readonly operatorToken: string;
  readonly users: readonly UserCredentials[];
}

/** Written whole or not at all: a crash or a power cut leaves the old file or the new one. */
function writePrivate(path: string, content: string): void {
  writeFileSync(`${path}.tmp`, content, { mode: OWNER_ONLY, flush: true } as Parameters<typeof writeFileSync>[2]);
  chmodSync(`${path}.tmp`, OWNER_ONLY);
  renameSync(`${path}.tmp`, path);
  // The new name itself must survive a power cut: without the master key no API secret can be opened again.
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

export class Keyring {
  readonly masterKey: Buffer;
  readonly #credentialsPath: string;
  #credentials: Credentials;

  constructor(folder: string, givenToken: string | undefined) {
    mkdirSync(folder, { recursive: true });
    const masterPath = join(folder, 'master.key');
    if (!existsSync(masterPath)) writePrivate(masterPath, `${randomBytes(MASTER_KEY_BYTES).toString('hex')}\n`);
    this.masterKey = Buffer.from(readFileSync(masterPath, 'utf8').trim(), 'hex');
    if (this.masterKey.length !== MASTER_KEY_BYTES) throw new Error(`${masterPath} does not hold a key of ${MASTER_KEY_BYTES} bytes`);

    this.#credentialsPath = join(folder, CREDENTIALS_FILE);
    const kept = existsSync(this.#credentialsPath) ? (JSON.parse(readFileSync(this.#credentialsPath, 'utf8')) as Credentials) : undefined;
    this.#credentials = {
      operatorToken: givenToken ?? kept?.operatorToken ?? randomBytes(24).toString('base64url'),
      users: kept?.users ?? [],
    };
    if (kept === undefined || kept.operatorToken !== this.#credentials.operatorToken) this.#save();
  }

  get credentials(): Credentials {
    return this.#credentials;
  }

  keep(user: UserCredentials): void {
    const others = this.#credentials.users.filter(({ name }) => name !== user.name);
    this.#credentials = { ...this.#credentials, users: [...others, user] };
    this.#save();
  }

  #save(): void {
    writePrivate(this.#credentialsPath, `${JSON.stringify(this.#credentials, null, 2)}\n`);
  }
}
