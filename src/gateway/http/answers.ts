/** Writes answers: the envelope as text, the headers that go with it, one write to the socket. */
import type { ServerResponse } from 'node:http';
import type { WireError } from '../../contract/errors.ts';
import { SECOND, type Timestamp } from '../../kernel/time.ts';
import { type HttpReply, IDLE_MS_MAX } from './http-reply.ts';

export const SUCCESS_CODE = '00000';

/** How an item of a list of orders fared. */
export class ItemAnswer {
  /** Null when it took the place of older ones. */
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

  /**
   * As JSON. The id and the name of an order that was found good hold nothing that JSON says in
   * another way.
   */
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

/**
 * Lists of orders are the longest answers that are often given, so they are not left to those who
 * know nothing of them.
 */
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

/** Carries how many more calls the caller may make now. */
const REMAINING_HEADER = 'x-mbx-used-remain-limit';

/** Nobody between us and the caller may keep an answer. */
const COMMON_HEADERS = [
  'content-type',
  'application/json',
  'cache-control',
  'no-store',
  'content-length',
] as const;
/**
 * Any page may read the public plane: it carries no cookies, and a key is needed for all that
 * matters.
 */
const PUBLIC_HEADERS = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  REMAINING_HEADER,
  ...COMMON_HEADERS,
] as const;

export interface AnswerStyle {
  readonly headers: readonly string[];
  /** The same as they stand in a head, up to the length itself. */
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
  /** How many more calls the caller may make now; undefined where no limit was looked at. */
  readonly remaining?: number | undefined;
  /** Ends the connection after the answer, or after those to whoever came behind it by now. */
  readonly close: boolean;
  /** Sends the text in its own way. */
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
 * The usual answer, on a connection that is kept. Head and text are one piece from the start: Node
 * would put the head together from checked parts and hand the socket two pieces to be joined, at
 * twice the cost.
 */
function sendWhole(reply: HttpReply, { style, status, text, remaining }: Envelope): void {
  const bytes = Buffer.byteLength(text);
  const limit = remaining === undefined ? '' : `${REMAINING_HEADER}: ${remaining}\r\n`;
  const asBytes = bytes === text.length ? text : Buffer.from(text).toString('latin1');
  reply.send(status, `${style.headText}${bytes}\r\n${limit}${headEnd()}`, asBytes);
}

let headEndSecond = 0;
let headEndText = '';

/** What stands last in every such head; the date changes once a second. */
function headEnd(): string {
  const second = Math.floor(Date.now() / SECOND);
  if (second !== headEndSecond) {
    headEndSecond = second;
    const date = new Date(second * SECOND).toUTCString();
    headEndText = `Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${IDLE_MS_MAX / SECOND}\r\n\r\n`;
  }
  return headEndText;
}

/** What a head says of the end of its connection. */
const ending = (reply: HttpReply, close: boolean): readonly string[] =>
  close && reply.isLast() ? ['connection', 'close'] : [];

/** A document that is no envelope: the API's description, its page for people, metrics. */
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

/** Sends a browser to another page of ours. */
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

/** A browser asks before it calls from another page. */
export function sendPreflight(reply: HttpReply, close: boolean): undefined {
  const { response } = reply;
  response.writeHead(204, [...PREFLIGHT_HEADERS, ...ending(reply, close)]);
  response.end();
}
