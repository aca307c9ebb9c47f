/**
 * Reads a query into fields, and gives the decoded forms of it that some clients sign instead of
 * what they send.
 */
import type { Raw, RawObject } from '../../contract/raw.ts';
import { ok, type Result, refuse } from '../../kernel/result.ts';
import { type Rejection, rejection } from '../../messages/rejections.ts';
import { givenTwice } from './given-twice.ts';

const NO_FIELDS: RawObject = new Map();
const REFUSED = refuse(rejection('malformedRequest', 'query', 'it cannot be decoded'));

/** The text behind `%XX`; undefined for a bad escape or bytes that are not UTF-8. */
export function percentDecoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // The only way to be told of a bad escape; the caller refuses the request.
    return undefined;
  }
}

const spaced = (text: string): string => (text.includes('+') ? text.replaceAll('+', ' ') : text);

/**
 * The fields of a query as it was sent, without its question mark. A name given twice or a bad
 * escape refuses it whole.
 */
export function readQuery(query: string): Result<RawObject, Rejection> {
  if (query === '') return ok(NO_FIELDS);
  const fields = new Map<string, Raw>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = percentDecoded(spaced(equals < 0 ? pair : pair.slice(0, equals)));
    const value = equals < 0 ? '' : percentDecoded(spaced(pair.slice(equals + 1)));
    if (name === undefined || value === undefined) return REFUSED;
    if (fields.has(name)) return givenTwice(name);
    fields.set(name, value);
  }
  return ok(fields);
}

/**
 * What a client may have signed in place of the query it sent: the decoded text, and that with each
 * plus read as a space.
 */
export function decodedQueries(query: string): readonly string[] {
  const decoded = percentDecoded(query);
  const decodedSpaced = percentDecoded(spaced(query));
  return [decoded, decodedSpaced].filter(
    (form, at, forms): form is string =>
      form !== undefined && form !== query && forms.indexOf(form) === at,
  );
}
