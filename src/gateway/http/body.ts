/** Takes in a request's body: what must be true of it before anybody reads it, and its bytes. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** Twenty orders are about 4 KB; nothing the API takes comes near this. */
export const BODY_BYTES_MAX = 64 * 1024;

/** A refused body that announces no more than this is let run out, so that its sender reads the refusal and can go on; a longer one is cut off. */
const DISCARDED_BYTES_MAX = 1024 * 1024;

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** A body is JSON in UTF-8, not compressed. Without a body the type may be left out. */
export function isJsonBody(headers: IncomingHttpHeaders): boolean {
  const type = headers['content-type'];
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') return false;
  if (type === 'application/json') return true;
  return type === undefined ? !hasBody(headers) : JSON_TYPE.test(type);
}

const announcedBytes = (headers: IncomingHttpHeaders): number => Number.parseInt(headers['content-length'] ?? '0', 10);

/** Too large by its own account. */
export const isBodyTooLarge = (headers: IncomingHttpHeaders): boolean => announcedBytes(headers) > BODY_BYTES_MAX;

/** Whether the rest of a refused body is worth waiting for. */
export const endsSoon = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] === undefined && announcedBytes(headers) <= DISCARDED_BYTES_MAX;

export interface BodyOutcomes {
  whole(body: Buffer): void;
  tooLarge(): void;
  /** The caller went away before the body was whole: there is nobody to answer. */
  gone(): void;
}

/** Reads a body to its end and reports exactly one outcome. */
export function readBody(request: IncomingMessage, outcomes: BodyOutcomes): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let settled = false;
  request.on('data', (chunk: Buffer) => {
    if (settled) return;
    size += chunk.length;
    if (size > BODY_BYTES_MAX) {
      settled = true;
      outcomes.tooLarge();
      return;
    }
    chunks.push(chunk);
  });
  request.on('end', () => {
    if (settled) return;
    settled = true;
    outcomes.whole(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
  });
  request.on('close', () => {
    if (settled) return;
    settled = true;
    outcomes.gone();
  });
}
