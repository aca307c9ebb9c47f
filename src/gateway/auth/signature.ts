/**
 * Checks a request's signature in the forms that clients really sign: the query as sent, or
 * decoded.
 */
import { createPublicKey, createVerify, type KeyObject, timingSafeEqual } from 'node:crypto';
import { decodedQueries } from '../http/query.ts';
import type { HmacKey } from './hmac-key.ts';

/**
 * The signed parts of a request. `path` and `query` are the target as sent, split at the question
 * mark.
 */
export interface SignedRequest {
  readonly timestamp: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: Buffer;
}

/** The key that verifies a signature: the shared secret, or the client's public key. */
export type VerifyingKey =
  | { readonly kind: 'hmac'; readonly key: HmacKey }
  | { readonly kind: 'rsa'; readonly key: KeyObject };

/** 32 bytes are 44 base64 characters, one of them padding. */
const HMAC_TEXT_LENGTH = 44;
const RSA_BITS_MIN = 2048;
/** Larger keys make each check too slow. */
const RSA_BITS_MAX = 8192;

/** With exponent 1, a signature needs no private key. */
const RSA_EXPONENT_MIN = 3n;
/**
 * With a larger exponent, checking a key takes tens of milliseconds; OpenSSL refuses it for large
 * keys.
 */
const RSA_EXPONENT_MAX = 2n ** 64n - 1n;

/**
 * Decodes canonical base64 of exactly that many bytes. Undefined for any other spelling, so a
 * signature has one form.
 */
function signatureBytes(text: string, bytes: number): Buffer | undefined {
  if (text.length !== Math.ceil(bytes / 3) * 4) return undefined;
  const decoded = Buffer.from(text, 'base64');
  return decoded.length === bytes && decoded.toString('base64') === text ? decoded : undefined;
}

const head = ({ timestamp, method, path }: SignedRequest, query: string): string =>
  query === '' ? timestamp + method + path : `${timestamp}${method}${path}?${query}`;

/**
 * Node passes a target as one character per byte. A decoded query is text, and clients sign its
 * UTF-8.
 */
type HeadEncoding = 'latin1' | 'utf8';

const claimedText = Buffer.alloc(HMAC_TEXT_LENGTH);
const expectedText = Buffer.alloc(HMAC_TEXT_LENGTH);

/**
 * Compares texts, because the expected text is the only accepted form. A text with characters above
 * one byte has another length in bytes.
 */
function isHmacRight(key: HmacKey, request: SignedRequest, signature: string): boolean {
  if (signature.length !== HMAC_TEXT_LENGTH || claimedText.write(signature) !== HMAC_TEXT_LENGTH)
    return false;
  return isAnyRight(request, (text, encoding) => {
    expectedText.write(key.sign(text, encoding, request.body), 'latin1');
    return timingSafeEqual(expectedText, claimedText);
  });
}

function isRsaRight(key: KeyObject, request: SignedRequest, signature: string): boolean {
  const claimed = signatureBytes(signature, rsaBytes(key));
  if (claimed === undefined) return false;
  return isAnyRight(request, (text, encoding) =>
    createVerify('sha256').update(text, encoding).update(request.body).verify(key, claimed),
  );
}

const rsaBytes = (key: KeyObject): number =>
  Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);

/** True if the signature matches one of the forms that clients sign. */
function isAnyRight(
  request: SignedRequest,
  isRight: (text: string, encoding: HeadEncoding) => boolean,
): boolean {
  if (isRight(head(request, request.query), 'latin1')) return true;
  // Some clients always write the question mark, and libraries drop it from the target if the query
  // is empty.
  if (request.query === '') return isRight(`${head(request, '')}?`, 'latin1');
  return decodedQueries(request.query).some((query) => isRight(head(request, query), 'utf8'));
}

export const isSignatureRight = (
  verifying: VerifyingKey,
  request: SignedRequest,
  signature: string,
): boolean =>
  verifying.kind === 'hmac'
    ? isHmacRight(verifying.key, request, signature)
    : isRsaRight(verifying.key, request, signature);

const BARE_BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function isUsable({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  const { modulusLength: bits = 0, publicExponent: exponent = 0n } = asymmetricKeyDetails ?? {};
  const isExponent =
    exponent >= RSA_EXPONENT_MIN && exponent <= RSA_EXPONENT_MAX && exponent % 2n === 1n;
  return asymmetricKeyType === 'rsa' && bits >= RSA_BITS_MIN && bits <= RSA_BITS_MAX && isExponent;
}

/**
 * Reads an RSA public key from PEM, or from the base64 inside it. Undefined for other texts, above
 * all a private key.
 */
export function rsaPublicKey(text: string): KeyObject | undefined {
  if (text.includes('PRIVATE')) return undefined;
  const bare = text.replace(/\s+/g, '');
  const pem = BARE_BASE64.test(bare)
    ? `-----BEGIN PUBLIC KEY-----\n${bare}\n-----END PUBLIC KEY-----\n`
    : text;
  try {
    const key = createPublicKey(pem);
    return isUsable(key) ? key : undefined;
  } catch {
    // A text that does not parse is not a public key; the caller refuses it.
    return undefined;
  }
}
