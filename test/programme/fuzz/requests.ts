/** Requests as bytes, with their caller and the answer they may get. */
import { createHmac } from 'node:crypto';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { operatorEndpoints, publicEndpoints } from '../../../src/contract/endpoints.ts';
import type { Random } from '../../../src/kernel/random.ts';
import type { UserCredentials } from '../server.ts';
import { draw, drawFields, type Known, objectJson, type Quality } from './values.ts';

export type ApiSurface = 'public' | 'operator';
export type Keys = Pick<UserCredentials, 'apiKey' | 'secretKey' | 'passphrase'>;

/** A request and what is known about its answer. */
export interface FuzzRequest {
  /** The kind of hostile request, for statistics. */
  readonly kind: string;
  readonly surface: ApiSurface;
  readonly bytes: Buffer;
  /** The row it calls, or undefined. */
  readonly row: Endpoint | undefined;
  /** The caller whose key signs it, if it matters. */
  readonly caller?: string;
  /** The only codes it may get; every code of the contract if undefined. */
  readonly codes?: readonly string[];
}

export interface NamedRow {
  readonly name: string;
  readonly row: Endpoint;
}
const rowsOf = (table: Readonly<Record<string, unknown>>): readonly NamedRow[] =>
  Object.entries(table).map(([name, row]) => ({ name, row: row as Endpoint }));
export const publicRows = rowsOf(publicEndpoints);
export const operatorRows = rowsOf(operatorEndpoints);

export interface Message {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | undefined;
}

export function messageBytes({ method, target, headers, body }: Message): Buffer {
  const length = body === undefined ? [] : [['content-length', String(body.length)] as const];
  const lines = [['host', 'x'] as const, ...length, ...headers].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  return body === undefined ? head : Buffer.concat([head, body]);
}

export const JSON_TYPE = ['content-type', 'application/json'] as const;

export interface Signed {
  readonly key: string;
  readonly sign: string;
  readonly timestamp: string;
  readonly passphrase: string;
}

export function signature(
  secret: string,
  timestamp: string,
  method: string,
  target: string,
  body: Buffer | undefined,
): string {
  const mac = createHmac('sha256', secret).update(timestamp).update(method).update(target);
  return (body === undefined ? mac : mac.update(body)).digest('base64');
}

export function signedHeaders(
  keys: Keys,
  method: string,
  target: string,
  body: Buffer | undefined,
): readonly (readonly [string, string])[] {
  const timestamp = String(Date.now());
  return [
    ['ACCESS-KEY', keys.apiKey],
    ['ACCESS-SIGN', signature(keys.secretKey, timestamp, method, target, body)],
    ['ACCESS-TIMESTAMP', timestamp],
    ['ACCESS-PASSPHRASE', keys.passphrase],
    ...(body === undefined ? [] : [JSON_TYPE]),
  ];
}

/** The input of a call: its target with the query, and the body of a POST. */
export interface Input {
  readonly target: string;
  readonly body: string | undefined;
}

const escaped = (text: string): string => encodeURIComponent(text.replace(/[\ud800-\udfff]/g, '?'));

/** Draws the input of a call. */
export function sayTo(row: Endpoint, quality: Quality, random: Random, known: Known): Input {
  const { schema } = row.request;
  if (row.method === 'POST') {
    const body = draw(schema, 'body', quality, random, known).json;
    return { target: pathOf(row, random, known), body };
  }
  const inPath = [...row.path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const fields = [...drawFields(schema, quality, random, known)].filter(
    ([name]) => !inPath.includes(name),
  );
  const query = fields.map(([name, { text }]) => `${name}=${escaped(text)}`).join('&');
  return {
    target: `${pathOf(row, random, known)}${query === '' ? '' : `?${query}`}`,
    body: undefined,
  };
}

function pathOf(row: Endpoint, random: Random, known: Known): string {
  const path = random.pick([row.path, ...(row.aliases ?? [])]);
  return path.replace(/:(\w+)/g, (_, name: string) =>
    escaped(random.pick(name === 'uid' ? known.uids : known.ids) ?? '42'),
  );
}

/** A call signed by its owner. */
export function signedCall(
  kind: string,
  row: Endpoint,
  keys: Keys,
  { target, body }: Input,
  codes?: readonly string[],
): FuzzRequest {
  const sent = body === undefined ? undefined : Buffer.from(body);
  const headers = signedHeaders(keys, row.method, target, sent);
  const bytes = messageBytes({ method: row.method, target, headers, body: sent });
  return {
    kind,
    surface: 'public',
    bytes,
    row,
    caller: keys.apiKey,
    ...(codes === undefined ? {} : { codes }),
  };
}

/** A call of the operator plane. */
export function operatorCall(
  kind: string,
  row: Endpoint,
  token: string | undefined,
  { target, body }: Input,
  codes?: readonly string[],
): FuzzRequest {
  const sent = body === undefined ? undefined : Buffer.from(body);
  const authorization = token === undefined ? [] : [['authorization', `Bearer ${token}`] as const];
  const headers = [...authorization, ...(sent === undefined ? [] : [JSON_TYPE])];
  const bytes = messageBytes({ method: row.method, target, headers, body: sent });
  return { kind, surface: 'operator', bytes, row, ...(codes === undefined ? {} : { codes }) };
}

/** A valid call, with its body as text that can be damaged afterwards. */
export const rightObject = (row: Endpoint, random: Random, known: Known): string => {
  const { schema } = row.request;
  return objectJson(
    drawFields(schema.type === 'array' ? (schema.items ?? {}) : schema, 'right', random, known),
  );
};
