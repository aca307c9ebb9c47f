/** Checks the bearer token of the operator plane. */
import { createHash, timingSafeEqual } from 'node:crypto';

const BEARER = /^bearer +([\x21-\x7e]{1,256})$/i;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Tells whether an `Authorization` header carries the token. Digests are compared, so that neither
 * length nor content shows in the time it takes.
 */
export function operatorTokenCheck(token: string): (authorization: string | undefined) => boolean {
  const expected = digest(token);
  return (authorization) => {
    const claimed = BEARER.exec(authorization ?? '')?.[1];
    return claimed !== undefined && timingSafeEqual(digest(claimed), expected);
  };
}
