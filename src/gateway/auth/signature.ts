/** Checks a request's signature against the ways clients really sign: the bytes as sent, or with the query decoded. */
import { createHmac, createPublicKey, createVerify, type KeyObject, timingSafeEqual } from 'node:crypto';
import { decodedQueries } from '../http/query.ts';

/** What a signature is made over. `path` and `query` are the request's target as it was sent, cut at the question mark. */
export interface SignedRequest {
  readonly timestamp: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: Buffer;
}

/** Which key a signature is checked with: the shared secret, or the public half of the client's own pair. */
export type VerifyingKey = { readonly kind: 'hmac'; readonly key: KeyObject } | { readonly kind: 'rsa'; readonly key: KeyObject };

const HMAC_BYTES = 32;
/** 32 bytes are 44 characters of base64, one of them padding. */
const HMAC_TEXT_LENGTH = 44;
const RSA_BITS_MIN = 2048;
/** Beyond this a client pays more for checking than anyone should ask of us. */
const RSA_BITS_MAX = 8192;

/** The bytes behind canonical base64 of exactly that many bytes; undefined for any other spelling, so that a signature has one form. */
function signatureBytes(text: string, bytes: number): Buffer | undefined {
  if (text.length !== Math.ceil(bytes / 3) * 4) return undefined;
  const decoded = Buffer.from(text, 'base64');
  return decoded.length === bytes && decoded.toString('base64') === text ? decoded : undefined;
}

const head = ({ timestamp, method, path }: SignedRequest, query: string): string =>
  query === '' ? timestamp + method + path : `${timestamp}${method}${path}?${query}`;

/** Node hands a target over one character per byte; a decoded query is text, and clients sign its UTF-8. */
type HeadEncoding = 'latin1' | 'utf8';

function hmacMatches(key: KeyObject, text: string, encoding: HeadEncoding, body: Buffer, claimed: Buffer): boolean {
  const hmac = createHmac('sha256', key).update(text, encoding);
  if (body.length > 0) hmac.update(body);
  return timingSafeEqual(hmac.digest(), claimed);
}

const rsaMatches = (key: KeyObject, text: string, encoding: HeadEncoding, body: Buffer, claimed: Buffer): boolean =>
  createVerify('sha256').update(text, encoding).update(body).verify(key, claimed);

const rsaBytes = (key: KeyObject): number => Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);

export function isSignatureRight(key: VerifyingKey, request: SignedRequest, signature: string): boolean {
  if (key.kind === 'hmac' && signature.length !== HMAC_TEXT_LENGTH) return false;
  const claimed = signatureBytes(signature, key.kind === 'hmac' ? HMAC_BYTES : rsaBytes(key.key));
  if (claimed === undefined) return false;
  const matches = key.kind === 'hmac' ? hmacMatches : rsaMatches;
  if (matches(key.key, head(request, request.query), 'latin1', request.body, claimed)) return true;
  if (request.query === '') return false;
  return decodedQueries(request.query).some((query) => matches(key.key, head(request, query), 'utf8', request.body, claimed));
}

const BARE_BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The RSA public key in a PEM text or in the base64 inside one; undefined when it is anything else, a private key above all. */
export function rsaPublicKey(text: string): KeyObject | undefined {
  if (text.includes('PRIVATE')) return undefined;
  const bare = text.replace(/\s+/g, '');
  const pem = BARE_BASE64.test(bare) ? `-----BEGIN PUBLIC KEY-----\n${bare}\n-----END PUBLIC KEY-----\n` : text;
  try {
    const key = createPublicKey(pem);
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return key.asymmetricKeyType === 'rsa' && bits >= RSA_BITS_MIN && bits <= RSA_BITS_MAX ? key : undefined;
  } catch {
    // Whatever does not parse is no public key; the caller says so.
    return undefined;
  }
}
