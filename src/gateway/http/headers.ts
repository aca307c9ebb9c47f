/**
 * Reads only the headers that the gateway uses. That costs a third of Node's object of all headers.
 */

/** Clients send about ten headers. */
export const HEADERS_MAX = 64;

/** Header names are compared without case. */
export class KnownHeaders {
  'access-control-request-method': string | undefined = undefined;
  'access-key': string | undefined = undefined;
  'access-passphrase': string | undefined = undefined;
  'access-sign': string | undefined = undefined;
  'access-timestamp': string | undefined = undefined;
  authorization: string | undefined = undefined;
  'content-encoding': string | undefined = undefined;
  'content-length': string | undefined = undefined;
  'content-type': string | undefined = undefined;
  expect: string | undefined = undefined;
  host: string | undefined = undefined;
  locale: string | undefined = undefined;
  origin: string | undefined = undefined;
  'transfer-encoding': string | undefined = undefined;
  'x-forwarded-for': string | undefined = undefined;
}
type KnownName = keyof KnownHeaders;
const KNOWN_NAMES: ReadonlySet<string> = new Set(Object.keys(new KnownHeaders()));

/**
 * Cache of header spellings. Clients use a handful, so invented ones are not cached beyond this.
 */
const SPELLINGS_MAX = 1_000;
const spellings = new Map<string, KnownName | undefined>();

function nameSpelled(spelling: string): KnownName | undefined {
  const known = spellings.get(spelling);
  if (known !== undefined || spellings.has(spelling)) return known;
  const folded = spelling.toLowerCase();
  const name = KNOWN_NAMES.has(folded) ? (folded as KnownName) : undefined;
  if (spellings.size < SPELLINGS_MAX) spellings.set(spelling, name);
  return name;
}

/**
 * Reads the alternating names and values. Undefined if a name occurs twice, because Node knows
 * which value counts or how they are joined.
 */
export function readHeaders(sent: readonly string[]): KnownHeaders | undefined {
  const headers = new KnownHeaders();
  for (let at = 0; at < sent.length; at += 2) {
    const name = nameSpelled(sent[at]!);
    if (name === undefined) continue;
    if (headers[name] !== undefined) return undefined;
    headers[name] = sent[at + 1]!;
  }
  return headers;
}

/** How often a header was sent, by its name in lower case. */
export function timesGiven(sent: readonly string[], name: string): number {
  let times = 0;
  for (let at = 0; at < sent.length; at += 2) if (sent[at]!.toLowerCase() === name) times++;
  return times;
}
