/** Writes answers: the envelope, its headers, and a single write to the socket. */
import type { ServerResponse } from 'node:http';
import type { WireError } from '../../contract/errors.ts';
import { SECOND, type Timestamp } from '../../kernel/time.ts';
import { type HttpReply, IDLE_MS_MAX } from './http-reply.ts';

export const SUCCESS_CODE = '00000';

/** The outcome of one order of a batch. */
export class ItemAnswer {
  /** Null if the order replaced older ones. */
  readonly orderId: string | null;
  readonly clientOid: string;
  readonly code: string;
  readonly msg: string;

  constructor(orderId: string | null, clientOid: string, code: string, msg: string) {
    this.orderId = orderId;
    this.clientOid = clientOid;
    this.code = code;
    this.msg = msg;
  }

  /** The item as JSON. Ids and names of accepted orders contain no character that JSON escapes. */
  get text(): string {
    const { orderId, clientOid, code } = this;
    if (code !== SUCCESS_CODE || orderId === null) return JSON.stringify(this);
    return `{"orderId":"${orderId}","clientOid":"${clientOid}","code":"00000","msg":"success"}`;
  }
}

const isItemAnswers = (payload: unknown): payload is readonly ItemAnswer[] =>
  Array.isArray(payload) &&
  payload.length > 0 &&
  payload.every((item) => item instanceof ItemAnswer);

/** Batches of orders are long and frequent, so they are written without JSON.stringify. */
function dataText(payload: unknown): string {
  if (!isItemAnswers(payload)) return JSON.stringify(payload ?? null);
  let items = payload[0]!.text;
  for (let at = 1; at < payload.length; at++) items += `,${payload[at]!.text}`;
  return `[${items}]`;
}

export const successText = (payload: unknown, at: Timestamp): string =>
  `{"code":"00000","msg":"success","requestTime":${at},"data":${dataText(payload)}}`;

export const errorText = ({ code, msg }: WireError, at: Timestamp): string =>
  `{"code":"${code}","msg":${JSON.stringify(msg)},"requestTime":${at},"data":null}`;

/** Reports how many calls the rate limiter still allows. */
const REMAINING_HEADER = 'x-mbx-used-remain-limit';

/** Answers must not be cached. */
const COMMON_HEADERS = [
  'content-type',
  'application/json',
  'cache-control',
  'no-store',
  'content-length',
] as const;
/** Pages of any origin may read the public API: it has no cookies, and private calls need a key. */
const PUBLIC_HEADERS = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  REMAINING_HEADER,
  ...COMMON_HEADERS,
] as const;

export interface AnswerStyle {
  readonly headers: readonly string[];
  /** The headers as text, up to the value of the content length. */
  readonly headText: string;
}

function styleOf(headers: readonly string[]): AnswerStyle {
  let headText = '';
  for (let at = 0; at < headers.length; at += 2)
    headText += `${headers[at]}: ${at + 1 < headers.length ? `${headers[at + 1]}\r\n` : ''}`;
  return { headers, headText };
}
export const PUBLIC_STYLE = styleOf(PUBLIC_HEADERS);
export const OPERATOR_STYLE = styleOf(COMMON_HEADERS);

export interface Envelope {
  readonly style: AnswerStyle;
  readonly status: number;
  readonly text: string;
  /** Calls that the rate limiter still allows; undefined if none was checked. */
  readonly remaining?: number | undefined;
  /** Closes the connection after this answer, or after those of later requests already taken. */
  readonly close: boolean;
  /** Sends the text in the way that a fault requires. */
  readonly end?: ((response: ServerResponse, text: string) => void) | undefined;
}

export function sendEnvelope(reply: HttpReply, envelope: Envelope): void {
  const { style, status, text, remaining, end } = envelope;
  const close = envelope.close && reply.isLast();
  if (!close && end === undefined && reply.isUsual) {
    sendWhole(reply, envelope);
    return;
  }
  const headers = [...style.headers, String(Buffer.byteLength(text))];
  if (remaining !== undefined) headers.push(REMAINING_HEADER, String(remaining));
  if (close) headers.push('connection', 'close');
  const { response } = reply;
  response.writeHead(status, headers);
  if (end === undefined) response.end(text);
  else end(response, text);
}

/**
 * Sends the usual answer on a kept-alive connection, as one text. Node would check and join the
 * parts of the head and write two chunks, at twice the cost.
 */
function sendWhole(reply: HttpReply, { style, status, text, remaining }: Envelope): void {
  const bytes = Buffer.byteLength(text);
  const limit = remaining === undefined ? '' : `${REMAINING_HEADER}: ${remaining}\r\n`;
  const asBytes = bytes === text.length ? text : Buffer.from(text).toString('latin1');
  reply.send(status, `${style.headText}${bytes}\r\n${limit}${headEnd()}`, asBytes);
}

let headEndSecond = 0;
let headEndText = '';

/** The end of every head, with the date, rebuilt once a second. */
function headEnd(): string {
  const second = Math.floor(Date.now() / SECOND);
  if (second !== headEndSecond) {
    headEndSecond = second;
    const date = new Date(second * SECOND).toUTCString();
    const seconds = IDLE_MS_MAX / SECOND;
    headEndText =
      `Date: ${date}\r\nConnection: keep-alive\r\n` + `Keep-Alive: timeout=${seconds}\r\n\r\n`;
  }
  return headEndText;
}

/** Headers that announce whether the connection closes. */
const ending = (reply: HttpReply, close: boolean): readonly string[] =>
  close && reply.isLast() ? ['connection', 'close'] : [];

/** Sends a document without an envelope: the OpenAPI description, the reference page, metrics. */
export function sendDocument(
  reply: HttpReply,
  style: AnswerStyle,
  contentType: string,
  text: string,
  close: boolean,
): void {
  const { response } = reply;
  const origin = style === PUBLIC_STYLE ? ['access-control-allow-origin', '*'] : [];
  response.writeHead(200, [
    ...origin,
    'content-type',
    contentType,
    'content-length',
    String(Buffer.byteLength(text)),
    'cache-control',
    'no-store',
    'x-content-type-options',
    'nosniff',
    'content-security-policy',
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
    ...ending(reply, close),
  ]);
  response.end(text);
}

/** Redirects a browser to another page of ours. */
export function sendRedirect(reply: HttpReply, path: string, close: boolean): undefined {
  const { response } = reply;
  response.writeHead(302, ['location', path, 'content-length', '0', ...ending(reply, close)]);
  response.end();
}

const PREFLIGHT_HEADERS = [
  'access-control-allow-origin',
  '*',
  'access-control-allow-methods',
  'GET, POST',
  'access-control-allow-headers',
  'ACCESS-KEY, ACCESS-SIGN, ACCESS-TIMESTAMP, ACCESS-PASSPHRASE, Content-Type, locale, paptrading, X-CHANNEL-API-CODE',
  'access-control-max-age',
  '86400',
  'content-length',
  '0',
] as const;

/** Answers a CORS preflight request. */
export function sendPreflight(reply: HttpReply, close: boolean): undefined {
  const { response } = reply;
  response.writeHead(204, [...PREFLIGHT_HEADERS, ...ending(reply, close)]);
  response.end();
}
