/** Authenticates a caller: checks a signed request in the order that callers rely on (AUTH-03). */
import { type WireRejection, wireRejection } from '../../contract/wire-rejections.ts';
import { ok, type Result, refuse } from '../../kernel/result.ts';
import { SECOND, type Timestamp } from '../../kernel/time.ts';
import type { RejectionReason } from '../../messages/rejections.ts';
import { type KnownHeaders, timesGiven } from '../http/headers.ts';
import { HmacKey } from './hmac-key.ts';
import type { OpenedKey, OpenedKeys } from './opened-keys.ts';
import { isSignatureRight, type SignedRequest, type VerifyingKey } from './signature.ts';
import type { Vault } from './vault.ts';

/** Largest distance between a request's timestamp and our clock, either way. */
export const TIMESTAMP_TOLERANCE_MS = 30 * SECOND;

/** A call as it arrived, before any check. */
export interface ArrivedCall {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: Buffer;
  readonly headers: KnownHeaders;
  readonly rawHeaders: readonly string[];
  /** The caller's address in canonical form. */
  readonly address: string;
}

/** A timestamp may match the wall clock, or the exchange clock if that was moved. */
export interface TwoClocks {
  readonly wall: Timestamp;
  readonly exchange: Timestamp;
}

export type Authenticate = (call: ArrivedCall, now: TwoClocks) => Result<OpenedKey, WireRejection>;

const CREDENTIAL_HEADERS = [
  'access-key',
  'access-sign',
  'access-timestamp',
  'access-passphrase',
] as const;

/**
 * Node joins repeated headers with a comma. No credential contains one, so the raw headers are
 * searched only when a comma appears.
 */
function headerGivenTwice({ headers, rawHeaders }: ArrivedCall): string | undefined {
  return CREDENTIAL_HEADERS.find(
    (name) => headers[name]?.includes(',') && timesGiven(rawHeaders, name) > 1,
  );
}

const WHOLE_NUMBER = /^-?\d+$/;

const isNear = (input: number, now: Timestamp): boolean =>
  Math.abs(input - now) <= TIMESTAMP_TOLERANCE_MS;

const no = (reason: RejectionReason): Result<never, WireRejection> => refuse(wireRejection(reason));

export function authenticator(keys: OpenedKeys, vault: Vault): Authenticate {
  // An unknown key costs as much as a wrong signature, so that timing does not reveal which keys
  // exist.
  const anonymousKey: VerifyingKey = { kind: 'hmac', key: new HmacKey(Buffer.alloc(32)) };

  return (call, now) => {
    const { headers } = call;
    const apiKey = headers['access-key'];
    const signature = headers['access-sign'];
    const timestamp = headers['access-timestamp'];
    const passphrase = headers['access-passphrase'];
    const twice = headerGivenTwice(call);
    if (twice !== undefined) return refuse(wireRejection('headerTwice', twice.toUpperCase()));
    if (!apiKey) return no('keyMissing');
    if (!signature) return no('signatureMissing');
    if (!timestamp || !WHOLE_NUMBER.test(timestamp)) return no('timestampMissing');
    if (!passphrase) return no('passphraseMissing');

    const request: SignedRequest = {
      timestamp,
      method: call.method,
      path: call.path,
      query: call.query,
      body: call.body,
    };
    const opened = keys.get(apiKey);
    if (opened === undefined) {
      vault.hashPassphrase(apiKey, passphrase);
      isSignatureRight(anonymousKey, request, signature);
      return no('keyUnknown');
    }
    const input = Number.parseInt(timestamp, 10);
    if (!isNear(input, now.wall) && !isNear(input, now.exchange)) return no('timestampExpired');
    if (!opened.isPassphrase(passphrase)) return no('passphraseWrong');
    if (!isSignatureRight(opened.verifying, request, signature)) return no('signatureWrong');
    if (opened.addresses !== undefined && !opened.addresses.has(call.address))
      return no('addressNotAllowed');
    return ok(opened);
  };
}
