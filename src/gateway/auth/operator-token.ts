/** Checks the bearer token of the operator API. */
import { createHash, timingSafeEqual } from 'node:crypto';

const BEARER = /^bearer +([\x21-\x7e]{1,256})$/i;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Makes a check of the `Authorization` header. It compares digests, so timing reveals neither
 * length nor content.
 */
export function operatorTokenCheck(token: string): (authorization: string | undefined) => boolean {
  const expected = digest(token);
  return (authorization) => {
    const claimed = BEARER.exec(authorization ?? '')?.[1];
    return claimed !== undefined && timingSafeEqual(digest(claimed), expected);
  };
}
