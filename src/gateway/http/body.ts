/** Takes in a request's body: what must be true of it before anybody reads it, and its bytes. */
import { IncomingMessage, type ServerResponse } from 'node:http';
import { type KnownHeaders, readHeaders } from './headers.ts';

/** Twenty orders are about 4 KB; nothing the API takes comes near this. */
export const BODY_BYTES_MAX = 64 * 1024;

/**
 * A piece takes some hundreds of bytes, be it of one byte only: when there are so many, what has
 * come is put together.
 */
const PARTS_MAX = 256;

/**
 * A refused body that announces no more than this is let run out, so that its sender reads the
 * refusal and can go on; a longer one is cut off.
 */
const DISCARDED_BYTES_MAX = 1024 * 1024;

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

export const hasBody = (headers: KnownHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** A body is JSON in UTF-8, not compressed. Without a body the type may be left out. */
export function isJsonBody(headers: KnownHeaders): boolean {
  const type = headers['content-type'];
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity')
    return false;
  if (type === 'application/json') return true;
  return type === undefined ? !hasBody(headers) : JSON_TYPE.test(type);
}

const announcedBytes = (headers: KnownHeaders): number =>
  Number.parseInt(headers['content-length'] ?? '0', 10);

/** Too large by its own account. */
export const isBodyTooLarge = (headers: KnownHeaders): boolean =>
  announcedBytes(headers) > BODY_BYTES_MAX;

/** Whether the rest of a refused body is worth waiting for. */
export const endsSoon = (headers: KnownHeaders): boolean =>
  headers['transfer-encoding'] === undefined && announcedBytes(headers) <= DISCARDED_BYTES_MAX;

export interface BodyOutcomes {
  whole(body: Buffer): void;
  tooLarge(): void;
  /**
   * The caller went away before the body was whole, or is told elsewhere that it came too late:
   * there is nobody to answer.
   */
  gone(): void;
}

/**
 * A request whose body is taken from the parser as it comes. A stream would carry it through two
 * turns and five events, which costs more than checking its signature. What nobody waits for is
 * thrown away, so no body stops the connection.
 */
export class ArrivingRequest extends IncomingMessage {
  /** Node asks before it lets go of a request. */
  override readableEnded = false;
  /** Set by Node when the caller would rather speak another protocol. */
  declare readonly upgrade: boolean;
  /** Which one it is of those taken in on its connection. */
  turn = 0;
  /** What answers it, once that is decided. It can take a response of Node in place of its own. */
  reply: { adopt(response: ServerResponse): void } | undefined;
  /** Its body did not come as it should, and nobody waits for the rest. */
  isLetGo = false;
  #known: KnownHeaders | undefined;
  #outcomes: BodyOutcomes | undefined;
  #parts: Buffer[] = [];
  #size = 0;

  /** Its headers, as far as anybody looks at them. */
  get known(): KnownHeaders {
    this.#known ??= readHeaders(this.rawHeaders) ?? (this.headers as unknown as KnownHeaders);
    return this.#known;
  }

  /**
   * Waits for the body and reports exactly one outcome. To be asked before the first of it has
   * come.
   */
  awaitBody(outcomes: BodyOutcomes): void {
    this.#outcomes = outcomes;
  }

  /** Whatever of the body is still to come changes nothing any more. */
  letGo(): void {
    const outcomes = this.#settle();
    this.isLetGo = outcomes !== undefined;
    outcomes?.gone();
  }

  /** Node's parser hands over each part of the body, and null after the last. */
  override push(part: Buffer | null): boolean {
    if (part === null) {
      this.readableEnded = true;
      this.#settle()?.whole(
        this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts, this.#size),
      );
      return true;
    }
    if (this.#outcomes === undefined) return true;
    this.#parts.push(part);
    this.#size += part.length;
    if (this.#size > BODY_BYTES_MAX) this.#settle()?.tooLarge();
    if (this.#parts.length === PARTS_MAX) this.#parts = [Buffer.concat(this.#parts, this.#size)];
    return true;
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#settle()?.gone();
    super._destroy(error, callback);
  }

  /** Node would read what nobody has read; there is nothing left to read. */
  _dump(): void {}

  #settle(): BodyOutcomes | undefined {
    const outcomes = this.#outcomes;
    this.#outcomes = undefined;
    return outcomes;
  }
}
