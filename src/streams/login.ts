/** The login of a connection: the checks of a signed call, over a text that names no call. */
import { type StreamError, streamError } from '../contract/channels/stream-codes.ts';
import { wireError } from '../contract/errors.ts';
import { isRawObject, JsonNumber, type Raw, type RawObject } from '../contract/raw.ts';
import { wireRejection } from '../contract/wire-rejections.ts';
import { TIMESTAMP_TOLERANCE_MS } from '../gateway/auth/authenticate.ts';
import { HmacKey } from '../gateway/auth/hmac-key.ts';
import { type OpenedKey, OpenedKeys } from '../gateway/auth/opened-keys.ts';
import { isSignatureRight, type SignedRequest } from '../gateway/auth/signature.ts';
import type { Vault } from '../gateway/auth/vault.ts';
import { REFUSED, SlidingWindow } from '../gateway/limits/sliding-window.ts';
import type { ExchangeNow } from '../gateway/submit.ts';
import { ok, type Result, refuse } from '../kernel/result.ts';
import { type Clock, SECOND } from '../kernel/time.ts';
import type { KeyQueries } from '../views/keys.ts';
import type { Connection, Operation } from './connection.ts';

/** Failed logins per second and address. */
const FAILED_LOGINS_PER_SECOND = 50;
const TIMESTAMP = /^\d{1,15}$/;
/** Clients send seconds or milliseconds. A smaller number is of seconds until the year 5138. */
const MILLISECONDS_MIN = 100_000_000_000;

export interface LoginParts {
  readonly keys: Pick<KeyQueries, 'find'>;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly exchangeNow: ExchangeNow;
  readonly limits: boolean;
}

const textOf = (raw: Raw): string => {
  if (raw instanceof JsonNumber) return raw.source;
  return typeof raw === 'string' ? raw : '';
};

const argOf = (request: RawObject): RawObject | undefined => {
  const args = request.get('args');
  const arg: Raw = Array.isArray(args) ? args[0] : args;
  return isRawObject(arg) ? arg : undefined;
};

const no = (reason: Parameters<typeof streamError>[0], msg: string) =>
  refuse(streamError(reason, msg));

/** Checks in the order of a signed call (AUTH-03). */
function checking({ keys, vault, clock, exchangeNow }: LoginParts) {
  const opened = new OpenedKeys((apiKey) => keys.find(apiKey), vault);
  const anonymousKey = { kind: 'hmac', key: new HmacKey(Buffer.alloc(32)) } as const;
  const isNear = (timestamp: string): boolean => {
    const input = Number.parseInt(timestamp, 10);
    const at = input < MILLISECONDS_MIN ? input * SECOND : input;
    return [clock.wall(), exchangeNow()].some(
      (now) => Math.abs(at - now) <= TIMESTAMP_TOLERANCE_MS,
    );
  };

  return (arg: RawObject, address: string): Result<OpenedKey, StreamError> => {
    const apiKey = textOf(arg.get('apiKey'));
    const signature = textOf(arg.get('sign'));
    const timestamp = textOf(arg.get('timestamp'));
    const passphrase = textOf(arg.get('passphrase'));
    if (apiKey === '') return no('keyWrong', 'apiKey is missing');
    if (signature === '') return no('signatureWrong', 'sign is missing');
    if (!TIMESTAMP.test(timestamp)) return no('timestampWrong', 'timestamp is not a whole number');
    if (passphrase === '') return no('passphraseWrong', 'passphrase is missing');

    const request: SignedRequest = {
      timestamp,
      method: 'GET',
      path: '/user/verify',
      query: '',
      body: Buffer.alloc(0),
    };
    const key = opened.get(apiKey);
    if (key === undefined) {
      // Costs as much as a wrong signature, so that timing does not reveal which keys exist.
      vault.hashPassphrase(apiKey, passphrase);
      isSignatureRight(anonymousKey, request, signature);
      return no('keyWrong', 'apiKey is unknown');
    }
    if (!isNear(timestamp)) return no('timestampExpired', 'timestamp is too far from our clock');
    if (!key.isPassphrase(passphrase)) return no('passphraseWrong', 'passphrase is wrong');
    if (!isSignatureRight(key.verifying, request, signature))
      return no('signatureWrong', 'sign is wrong');
    if (key.addresses !== undefined && !key.addresses.has(address)) {
      const { msg } = wireError(wireRejection('addressNotAllowed'), 'en');
      return no('loginFailed', msg);
    }
    return ok(key);
  };
}

export function loginOperation(parts: LoginParts): Operation {
  const check = checking(parts);
  const failures = parts.limits ? new SlidingWindow(FAILED_LOGINS_PER_SECOND) : undefined;

  const fail = (connection: Connection, error: StreamError): void => {
    const now = parts.clock.monotonic();
    const isOver = failures?.take(connection.address, now) === REFUSED;
    const shown = isOver ? streamError('loginsTooMany', 'too many failed logins') : error;
    connection.answerError(shown);
    connection.end('login', shown.msg);
  };

  return (connection, request) => {
    const arg = argOf(request);
    if (arg === undefined) return fail(connection, streamError('loginFailed', 'args has no login'));
    const checked = check(arg, connection.address);
    if (!checked.ok) return fail(connection, checked.refusal);
    const { key, uid, permissions, addresses } = checked.value;
    // Subscriptions belong to the user who opened them.
    if (connection.login !== undefined && connection.login.caller.uid !== uid)
      return fail(connection, streamError('loginFailed', 'another user is logged in'));
    const caller = { uid, permissions, addresses, ip: connection.address, language: 'en' } as const;
    connection.login = { apiKey: key.apiKey, caller };
    connection.answer('{"event":"login","code":0,"msg":""}');
  };
}
