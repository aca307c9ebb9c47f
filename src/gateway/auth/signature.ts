/**
 * Checks a request's signature against the ways clients really sign: the bytes as sent, or with the
 * query decoded.
 */
import { createPublicKey, createVerify, type KeyObject, timingSafeEqual } from 'node:crypto';
import { decodedQueries } from '../http/query.ts';
import type { HmacKey } from './hmac-key.ts';

/**
 * What a signature is made over. `path` and `query` are the request's target as it was sent, cut at
 * the question mark.
 */
export interface SignedRequest {
  readonly timestamp: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: Buffer;
}

/**
 * Which key a signature is checked with: the shared secret, or the public half of the client's own
 * pair.
 */
export type VerifyingKey =
  | { readonly kind: 'hmac'; readonly key: HmacKey }
  | { readonly kind: 'rsa'; readonly key: KeyObject };

/** 32 bytes are 44 characters of base64, one of them padding. */
const HMAC_TEXT_LENGTH = 44;
const RSA_BITS_MIN = 2048;
/** Beyond this a client pays more for checking than anyone should ask of us. */
const RSA_BITS_MAX = 8192;

/** With 1 anybody signs, without the private key. */
const RSA_EXPONENT_MIN = 3n;
/**
 * A longer one makes a check of a moderate key take tens of milliseconds; of larger keys OpenSSL
 * would refuse it.
 */
const RSA_EXPONENT_MAX = 2n ** 64n - 1n;

/**
 * The bytes behind canonical base64 of exactly that many bytes; undefined for any other spelling,
 * so that a signature has one form.
 */
function signatureBytes(text: string, bytes: number): Buffer | undefined {
  if (text.length !== Math.ceil(bytes / 3) * 4) return undefined;
  const decoded = Buffer.from(text, 'base64');
  return decoded.length === bytes && decoded.toString('base64') === text ? decoded : undefined;
}

const head = ({ timestamp, method, path }: SignedRequest, query: string): string =>
  query === '' ? timestamp + method + path : `${timestamp}${method}${path}?${query}`;

/**
 * Node hands a target over one character per byte; a decoded query is text, and clients sign its
 * UTF-8.
 */
type HeadEncoding = 'latin1' | 'utf8';

const claimedText = Buffer.alloc(HMAC_TEXT_LENGTH);
const expectedText = Buffer.alloc(HMAC_TEXT_LENGTH);

/**
 * Compares texts: ours has the one form that is right. Each of its characters is a byte, so a text
 * with others in it does not fill its place.
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

/** Whether the request is right in one of the forms that clients sign. */
function isAnyRight(
  request: SignedRequest,
  isRight: (text: string, encoding: HeadEncoding) => boolean,
): boolean {
  if (isRight(head(request, request.query), 'latin1')) return true;
  // Some put the question mark before whatever they have, and libraries drop it on the way when
  // that is nothing.
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
 * The RSA public key in a PEM text or in the base64 inside one; undefined when it is anything else,
 * a private key above all.
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
    // Whatever does not parse is no public key; the caller says so.
    return undefined;
  }
}
