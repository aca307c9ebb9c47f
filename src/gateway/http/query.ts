/** Reads a query into fields, and gives the decoded forms that some clients sign. */
import type { Raw, RawObject } from '../../contract/raw.ts';
import { type WireRejection, wireRejection } from '../../contract/wire-rejections.ts';
import { ok, type Result, refuse } from '../../kernel/result.ts';
import { givenTwice } from './given-twice.ts';

const NO_FIELDS: RawObject = new Map();
const REFUSED = refuse(wireRejection('malformedRequest', 'query', 'it cannot be decoded'));

/** Decodes `%XX`; undefined for a bad escape or bytes that are not UTF-8. */
export function percentDecoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // `decodeURIComponent` reports a bad escape only by throwing; the caller refuses the request.
    return undefined;
  }
}

const spaced = (text: string): string => (text.includes('+') ? text.replaceAll('+', ' ') : text);

/**
 * The fields of a query as sent, without its question mark. A repeated name or a bad escape refuses
 * the whole query.
 */
export function readQuery(query: string): Result<RawObject, WireRejection> {
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
 * The forms that a client may have signed instead of the sent query: decoded, and decoded with each
 * plus as a space.
 */
export function decodedQueries(query: string): readonly string[] {
  const decoded = percentDecoded(query);
  const decodedSpaced = percentDecoded(spaced(query));
  return [decoded, decodedSpaced].filter(
    (form, at, forms): form is string =>
      form !== undefined && form !== query && forms.indexOf(form) === at,
  );
}
