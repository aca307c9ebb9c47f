/** Receives a request's body: checks its headers and collects its bytes. */
import { IncomingMessage, type ServerResponse } from 'node:http';
import { HEADERS_MAX, KnownHeaders, readHeaders, timesGiven } from './headers.ts';
import { Upload, UploadBrokenOff } from './upload.ts';

/** Twenty orders are about 4 KB; no valid request comes near this. */
export const BODY_BYTES_MAX = 64 * 1024;

/** Each chunk takes hundreds of bytes of memory, so this many are joined. */
const PARTS_MAX = 256;

/**
 * A refused body up to this length is read to its end, so that the caller sees the refusal and can
 * continue. A longer body closes the connection.
 */
const DISCARDED_BYTES_MAX = 1024 * 1024;

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

export const hasBody = (headers: KnownHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** A body is uncompressed JSON in UTF-8. Without a body, the type may be absent. */
export function isJsonBody(headers: KnownHeaders): boolean {
  const type = headers['content-type'];
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity')
    return false;
  if (type === 'application/json') return true;
  return type === undefined ? !hasBody(headers) : JSON_TYPE.test(type);
}

const announcedBytes = (headers: KnownHeaders): number =>
  Number.parseInt(headers['content-length'] ?? '0', 10);

/** True if the announced length is too large. */
export const isBodyTooLarge = (headers: KnownHeaders, bytesMax = BODY_BYTES_MAX): boolean =>
  announcedBytes(headers) > bytesMax;

/**
 * True if the rest of a refused body is short enough to be read. An upload may be as long as its
 * route takes.
 */
export const endsSoon = (headers: KnownHeaders, bytesMax = DISCARDED_BYTES_MAX): boolean =>
  headers['transfer-encoding'] === undefined && announcedBytes(headers) <= bytesMax;

export interface BodyOutcomes {
  whole(body: Buffer): void;
  tooLarge(): void;
  /**
   * The connection closed before the end of the body, or another part has answered the timeout: no
   * answer is due.
   */
  gone(): void;
}

/** A request that collects its body. Unwanted bytes are dropped, so a body never blocks. */
export abstract class ArrivingRequest extends IncomingMessage {
  /** Number of the request on its connection. */
  turn = 0;
  /** The reply object. It can adopt a response object of Node instead. */
  reply: { adopt(response: ServerResponse): void } | undefined;
  /** True if the body failed and its rest is ignored. */
  isDiscarded = false;
  #known: KnownHeaders | undefined;
  #outcomes: BodyOutcomes | undefined;
  #upload: Upload | undefined;
  #parts: Buffer[] = [];
  #size = 0;

  /** The headers that the gateway uses. */
  get known(): KnownHeaders {
    this.#known ??= readHeaders(this.rawHeaders) ?? (this.headers as unknown as KnownHeaders);
    return this.#known;
  }

  /** Reports exactly one outcome of the body. Call it before the first chunk arrives. */
  awaitBody(outcomes: BodyOutcomes): void {
    this.#outcomes = outcomes;
  }

  /** Reads the body as a stream instead of `awaitBody`. */
  takeUpload(bytesMax: number): Upload {
    this.#upload = new Upload(() => this.resumeBody(), bytesMax);
    return this.#upload;
  }

  /** Undefined if the body is not read as a stream, or has ended. */
  get arrivingUpload(): Upload | undefined {
    return this.#upload?.isWhole === false ? this.#upload : undefined;
  }

  /** Ignores the rest of the body. */
  discard(): void {
    this.#upload?.fail(new UploadBrokenOff());
    const outcomes = this.#settle();
    this.isDiscarded = outcomes !== undefined;
    outcomes?.gone();
  }

  /** Allows more of the body to arrive. */
  protected abstract resumeBody(): void;

  /** Returns false if no more may arrive before `resumeBody`. */
  protected takePart(part: Buffer): boolean {
    if (this.#upload !== undefined) return this.#upload.take(part);
    if (this.#outcomes === undefined) return true;
    this.#parts.push(part);
    this.#size += part.length;
    if (this.#size > BODY_BYTES_MAX) this.#settle()?.tooLarge();
    if (this.#parts.length === PARTS_MAX) this.#parts = [Buffer.concat(this.#parts, this.#size)];
    return true;
  }

  protected endBody(): void {
    this.#upload?.end();
    this.#settle()?.whole(
      this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts, this.#size),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#upload?.fail(new UploadBrokenOff());
    this.#settle()?.gone();
    super._destroy(error, callback);
  }

  #settle(): BodyOutcomes | undefined {
    const outcomes = this.#outcomes;
    this.#outcomes = undefined;
    return outcomes;
  }
}

/**
 * Refuses duplicate Host headers, because a proxy may have used the other one. Without repeated
 * names, headers were parsed as sent.
 */
const namesTwoHosts = ({ known, rawHeaders }: ArrivingRequest): boolean =>
  !(known instanceof KnownHeaders) && timesGiven(rawHeaders, 'host') > 1;

/**
 * Refuses requests that no client sends. A signed target begins with a slash, so absolute targets
 * and `*` are refused.
 */
export function isMalformed(request: ArrivingRequest): boolean {
  const { rawHeaders, url = '', known, httpVersion } = request;
  if (rawHeaders.length > 2 * HEADERS_MAX || !url.startsWith('/')) return true;
  return (known.host === undefined && httpVersion === '1.1') || namesTwoHosts(request);
}
