/**
 * Reads batches from a segment's bytes and classifies what is found where the next one should be.
 */
import type { Sequence } from '../kernel/ids.ts';
import type { Timestamp } from '../kernel/time.ts';
import {
  ALIGNMENT,
  CHAIN_START,
  FOOTER_BYTES_MAX,
  type Frame,
  frameAt,
  readFooter,
  SECTOR_BYTES,
  wholeSectors,
} from './record.ts';
import { BATCHES_START, type SegmentHeader } from './segment.ts';

export interface JournalRecord {
  readonly sequence: Sequence;
  readonly at: Timestamp;
  readonly command: Buffer;
}

/** Read position: the next expected batch and the history before it. */
export interface Cursor {
  readonly offset: number;
  readonly sequence: Sequence;
  readonly batch: number;
  readonly chain: Buffer;
}

export interface Batch {
  readonly records: readonly JournalRecord[];
  /** The machine's digest after the last record. */
  readonly digest: string;
  readonly start: Cursor;
  /** Offset after the last byte; the rest of the last sector is zeros. */
  readonly contentEnd: number;
  readonly end: Cursor;
}

/**
 * `end`: nothing was written here. `bad`: no whole batch, as after a crash during a write.
 * `damaged`: the content is sound in itself but does not belong here.
 */
export type NotFound =
  | { readonly kind: 'end' }
  | { readonly kind: 'bad' | 'damaged'; readonly reason: string };

/** Where and why reading a segment's batches stopped. */
export interface WalkEnd {
  /** Expected position of the next batch, and what is there. */
  readonly cursor: Cursor;
  readonly found: NotFound;
  /** Offset after the last byte of the last batch. */
  readonly contentEnd: number;
}

export type Found = { readonly kind: 'batch'; readonly batch: Batch } | NotFound;

export const FIRST_CURSOR: Cursor = {
  offset: BATCHES_START,
  sequence: 1 as Sequence,
  batch: 1,
  chain: CHAIN_START,
};

export const cursorAtStart = ({ first, firstBatch, previousChain }: SegmentHeader): Cursor => ({
  offset: BATCHES_START,
  sequence: first,
  batch: firstBatch,
  chain: previousChain,
});

const bad = (reason: string): Found => ({ kind: 'bad', reason });
const damaged = (reason: string): NotFound => ({ kind: 'damaged', reason });

/**
 * A sound frame of another batch. One from an earlier batch is stale. One from a later batch proves
 * a gap, which `laterFrame` finds.
 */
const outOfLine = ({ batch, sequence }: Frame): Found =>
  bad(`the frame of batch ${batch} and sequence ${sequence} is not the one in line`);

function closeBatch(
  bytes: Buffer,
  cursor: Cursor,
  footerAt: number,
  frame: Frame,
  records: readonly JournalRecord[],
): Found {
  if (frame.count !== records.length || frame.sequence !== cursor.sequence) return outOfLine(frame);
  const footer = readFooter(bytes, cursor.offset, footerAt, frame, cursor.chain);
  if (footer === undefined) return bad('a footer makes no sense');
  if (!footer.follows)
    return damaged(`batch ${cursor.batch} does not follow from the history before it`);
  const end = {
    offset: wholeSectors(frame.next),
    sequence: (cursor.sequence + records.length) as Sequence,
    batch: cursor.batch + 1,
    chain: footer.chain,
  };
  return {
    kind: 'batch',
    batch: { records, digest: footer.digest, start: cursor, contentEnd: frame.end, end },
  };
}

export function batchAt(bytes: Buffer, cursor: Cursor, seed: number): Found {
  if (cursor.offset + 4 > bytes.length || bytes.readUInt32LE(cursor.offset) === 0)
    return { kind: 'end' };
  const records: JournalRecord[] = [];
  let offset = cursor.offset;
  for (;;) {
    const frame = frameAt(bytes, offset, seed);
    if (frame === undefined) return bad(`no whole frame at byte ${offset}`);
    if (frame.batch !== cursor.batch) return outOfLine(frame);
    if (frame.kind === 'footer') return closeBatch(bytes, cursor, offset, frame, records);
    const sequence = cursor.sequence + records.length;
    if (frame.sequence !== sequence || frame.count !== records.length) return outOfLine(frame);
    records.push({ sequence: frame.sequence, at: frame.at, command: frame.content });
    offset = frame.next;
  }
}

/** Describes damage between a batch and the next one. */
export function gapDamage(
  bytes: Buffer,
  contentEnd: number,
  { offset }: Cursor,
): NotFound | undefined {
  const written = firstWritten(bytes, contentEnd, offset);
  return written === undefined
    ? undefined
    : damaged(`byte ${written}, between two batches, is not zero`);
}

/**
 * End of the batch before a cursor, whose footer ends in the preceding sector. Returns the cursor's
 * own offset at the start of a segment, or if that batch is damaged.
 */
export function contentEndBefore(bytes: Buffer, { offset, batch }: Cursor, seed: number): number {
  const first = Math.max(BATCHES_START, offset - SECTOR_BYTES - FOOTER_BYTES_MAX);
  for (let at = first; at < offset; at += ALIGNMENT) {
    const frame = frameAt(bytes, at, seed);
    if (
      frame?.kind === 'footer' &&
      frame.batch === batch - 1 &&
      wholeSectors(frame.next) === offset
    )
      return frame.end;
  }
  return offset;
}

/**
 * Finds a frame of a later batch than the expected one. A batch is written only when the one before
 * it is durable. So a later frame proves that the expected batch was once whole. Without one, the
 * expected batch was never acknowledged.
 */
export function laterFrame(bytes: Buffer, cursor: Cursor, seed: number): number | undefined {
  for (let offset = cursor.offset; offset + ALIGNMENT <= bytes.length; offset += ALIGNMENT) {
    if (bytes.readUInt32LE(offset) === 0) continue;
    const frame = frameAt(bytes, offset, seed);
    if (frame !== undefined && frame.batch > cursor.batch) return offset;
  }
  return undefined;
}

/**
 * Why a segment with a successor cannot end here; undefined if only zeros follow its last batch.
 */
export function whyNotEnded(bytes: Buffer, { found, contentEnd }: WalkEnd): string | undefined {
  if (found.kind !== 'end') return found.reason;
  const written = firstWritten(bytes, contentEnd);
  return written === undefined ? undefined : `byte ${written}, behind the last batch, is not zero`;
}

const ZEROS = Buffer.alloc(64 * 1024);

/** The first non-zero byte in the range `from` to `to`. */
export function firstWritten(bytes: Buffer, from: number, to = bytes.length): number | undefined {
  for (let at = from; at < to; at += ZEROS.length) {
    const piece = bytes.subarray(at, Math.min(at + ZEROS.length, to));
    if (piece.equals(ZEROS.subarray(0, piece.length))) continue;
    return at + piece.findIndex((byte) => byte !== 0);
  }
  return undefined;
}

/** Offset after the last non-zero byte. */
export function writtenEnd(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return end;
}
