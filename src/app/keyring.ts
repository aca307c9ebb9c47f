/**
 * Keeps the secrets beside the journal: the master key that seals API secrets, the operator's
 * token, and the demo users' credentials.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { MASTER_KEY_BYTES, openVault } from '../gateway/auth/vault.ts';
import type { ApiKey } from '../messages/events.ts';
import { CREDENTIALS_FILE, MASTER_KEY_FILE } from './files.ts';

const OWNER_ONLY = 0o600;
const MASTER_KEY = new RegExp(`^[0-9a-f]{${MASTER_KEY_BYTES * 2}}$`, 'i');

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

/**
 * A file of secrets is missing, damaged or of another journal. The message names the file and never
 * quotes its content.
 */
export class UnusableKeyring extends Error {
  override readonly name = 'UnusableKeyring';
}

const USER_FIELDS = ['name', 'uid', 'apiKey', 'secretKey', 'passphrase'] as const;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isUser = (value: unknown): value is UserCredentials =>
  isRecord(value) && USER_FIELDS.every((field) => typeof value[field] === 'string');
const isCredentials = (value: unknown): value is Credentials =>
  isRecord(value) &&
  typeof value.operatorToken === 'string' &&
  Array.isArray(value.users) &&
  value.users.every(isUser);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would quote the content.
    return undefined;
  }
}

/** The system's error does not always name the file, for example if a folder has its name. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UnusableKeyring(`${path} cannot be read: ${(error as Error).message}`);
  }
}

export function readCredentials(path: string): Credentials {
  const value = parsed(textOf(path));
  if (!isCredentials(value))
    throw new UnusableKeyring(
      `${path} is damaged: it does not hold {operatorToken, users}; restore the original file`,
    );
  return value;
}

/** The stored key, or a new one if no secret can have been sealed yet. */
function takeMasterKey(path: string, besideJournal: boolean): Buffer {
  if (!existsSync(path)) {
    if (besideJournal)
      throw new UnusableKeyring(
        `${path} is missing, and the API secrets in the journal open with it alone; put it back`,
      );
    writePrivate(path, `${randomBytes(MASTER_KEY_BYTES).toString('hex')}\n`);
  }
  const text = textOf(path).trim();
  if (!MASTER_KEY.test(text))
    throw new UnusableKeyring(
      `${path} is damaged: it does not hold a key of ${MASTER_KEY_BYTES} bytes in hexadecimal digits; put it back`,
    );
  return Buffer.from(text, 'hex');
}

/** Writes atomically: a crash or power cut leaves the old file or the new one. */
function writePrivate(path: string, content: string): void {
  // A leftover file may be readable by others; a new one has its mode from the start.
  rmSync(`${path}.tmp`, { force: true });
  writeFileSync(`${path}.tmp`, content, { mode: OWNER_ONLY, flush: true } as Parameters<
    typeof writeFileSync
  >[2]);
  renameSync(`${path}.tmp`, path);
  // The new name must survive a power cut: without the master key no API secret can be opened.
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

export class Keyring {
  readonly masterKey: Buffer;
  readonly #masterPath: string;
  readonly #credentialsPath: string;
  #credentials: Credentials;

  /** `besideJournal`: the folder already has commands, which may contain secrets. */
  constructor(folder: string, givenToken: string | undefined, besideJournal: boolean) {
    this.#credentialsPath = join(folder, CREDENTIALS_FILE);
    const kept = existsSync(this.#credentialsPath)
      ? readCredentials(this.#credentialsPath)
      : undefined;
    this.#masterPath = join(folder, MASTER_KEY_FILE);
    this.masterKey = takeMasterKey(this.#masterPath, besideJournal);
    this.#credentials = {
      operatorToken: givenToken ?? kept?.operatorToken ?? randomBytes(24).toString('base64url'),
      users: kept?.users ?? [],
    };
    if (kept === undefined || kept.operatorToken !== this.#credentials.operatorToken) this.#save();
  }

  get credentials(): Credentials {
    return this.#credentials;
  }

  /**
   * Throws if this secret was sealed under another master key, because no signature could be
   * checked.
   */
  checkOpens({ apiKey, sealedSecret }: Pick<ApiKey, 'apiKey' | 'sealedSecret'>): void {
    try {
      openVault(this.masterKey).open(apiKey, sealedSecret);
    } catch {
      throw new UnusableKeyring(
        `${this.#masterPath} is not the key that the API secrets in the journal are sealed with; restore that key`,
      );
    }
  }

  /** Stores all users in one write; a user with a known name gets the new credentials. */
  keep(users: readonly UserCredentials[]): void {
    if (users.length === 0) return;
    const byName = new Map([...this.#credentials.users, ...users].map((user) => [user.name, user]));
    this.#credentials = { ...this.#credentials, users: [...byName.values()] };
    this.#save();
  }

  #save(): void {
    writePrivate(this.#credentialsPath, `${JSON.stringify(this.#credentials, null, 2)}\n`);
  }
}
