/**
 * The byte format of batches. A batch holds the records of commands that became durable together,
 * and a footer. A batch without a valid footer does not count.
 *
 *   frame:  length u32, checksum u32, body, zeros up to a multiple of eight.
 *   record: kind u32, place in its batch u32, batch number, sequence, time, the command.
 *   footer: kind u32, number of records u32, batch number, first sequence, time,
 *           machine digest, chain hash.
 *
 * The chain hash covers the previous hash and everything in the batch, so a batch fits one history
 * only. Every frame holds its batch number. The number separates the last batch, torn by a crash,
 * from damage to a batch that others follow.
 */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type ByteWriter, viewOf } from '../kernel/bytes.ts';
import { checksum } from '../kernel/checksum.ts';
import type { Sequence } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import type { Timestamp } from '../kernel/time.ts';

const KIND = { record: 1, footer: 2 } as const;

export const ALIGNMENT = 8;
/**
 * Each batch begins in its own sector, so a crash during a write cannot damage the batch
 * acknowledged before it.
 */
export const SECTOR_BYTES = 512;
const FRAME_HEAD_BYTES = 8;
const BODY_HEAD_BYTES = 32;
export const CHAIN_BYTES = 32;
/** Leaves room for a longer digest than today's. */
const DIGEST_BYTES_MAX = 64;

const aligned = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;
export const wholeSectors = (length: number): number =>
  Math.ceil(length / SECTOR_BYTES) * SECTOR_BYTES;

const recordBytes = (commandBytes: number): number =>
  aligned(FRAME_HEAD_BYTES + BODY_HEAD_BYTES + commandBytes);
/** The longest command that fits a batch of `batchBytes`. */
export const commandBytesMax = (batchBytes: number): number =>
  batchBytes - FOOTER_BYTES_MAX - FRAME_HEAD_BYTES - BODY_HEAD_BYTES - ALIGNMENT;
export const FOOTER_BYTES_MAX = aligned(
  FRAME_HEAD_BYTES + BODY_HEAD_BYTES + 4 + DIGEST_BYTES_MAX + CHAIN_BYTES,
);

/** The chain before the first batch. */
export const CHAIN_START: Buffer = Buffer.alloc(CHAIN_BYTES);

const writeUint53 = (to: DataView, value: number, at: number): void => {
  to.setUint32(at, value, true);
  to.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
};
const readUint53 = (from: Buffer, at: number): number =>
  from.readUInt32LE(at + 4) * 2 ** 32 + from.readUInt32LE(at);

const chainHash = (previous: Buffer, records: Buffer, footer: Buffer): Buffer =>
  createHash('sha256').update(previous).update(records).update(footer).digest();

/** Collects one batch in a buffer of fixed size, which the next batch reuses. */
export class BatchWriter {
  readonly #bytes: Buffer;
  /** The same bytes; a DataView writes numbers faster. */
  readonly #view: DataView;
  readonly #seed: number;
  #number = 0;
  #length = 0;
  #count = 0;
  #first = 0 as Sequence;
  #at = 0 as Timestamp;

  constructor(capacity: number, seed: number) {
    this.#bytes = Buffer.alloc(capacity);
    this.#view = viewOf(this.#bytes);
    this.#seed = seed;
  }

  get count(): number {
    return this.#count;
  }

  /** Number of the batch, counted over the whole journal. */
  get number(): number {
    return this.#number;
  }

  /** Bytes on disk if one more command is added. */
  bytesWith(commandBytes: number): number {
    return this.#length + recordBytes(commandBytes) + FOOTER_BYTES_MAX;
  }

  fits(commandBytes: number): boolean {
    return this.bytesWith(commandBytes) <= this.#bytes.length;
  }

  /** Resets the writer for the batch with this number. */
  begin(number: number): void {
    this.#number = number;
    this.#length = 0;
    this.#count = 0;
  }

  add(sequence: Sequence, at: Timestamp, command: ByteWriter): void {
    invariant(this.fits(command.length), 'a command is added only where it fits');
    if (this.#count === 0) this.#first = sequence;
    const start = this.#length;
    this.#bodyHead(start, KIND.record, this.#count, sequence, at);
    const commandAt = start + FRAME_HEAD_BYTES + BODY_HEAD_BYTES;
    command.copyTo(this.#view, commandAt);
    this.#close(start, commandAt + command.length);
    this.#count++;
    this.#at = at;
  }

  /** Adds the footer. Returns the whole batch, valid until `begin`, and its chain hash. */
  finish(
    next: Sequence,
    digest: string,
    previousChain: Buffer,
  ): { readonly bytes: Buffer; readonly first: Sequence; readonly chain: Buffer } {
    const start = this.#length;
    const first = this.#count === 0 ? next : this.#first;
    this.#bodyHead(start, KIND.footer, this.#count, first, this.#at);
    const digestAt = start + FRAME_HEAD_BYTES + BODY_HEAD_BYTES;
    const digestBytes = Buffer.byteLength(digest);
    invariant(digestBytes <= DIGEST_BYTES_MAX, 'a machine digest is a short text');
    this.#view.setUint32(digestAt, digestBytes, true);
    this.#bytes.write(digest, digestAt + 4, 'utf8');
    const chainAt = digestAt + 4 + digestBytes;
    const footer = this.#bytes.subarray(start + FRAME_HEAD_BYTES, chainAt);
    const chain = chainHash(previousChain, this.#bytes.subarray(0, start), footer);
    this.#bytes.set(chain, chainAt);
    this.#close(start, chainAt + CHAIN_BYTES);
    return { bytes: this.#bytes.subarray(0, this.#length), first, chain };
  }

  #bodyHead(start: number, kind: number, count: number, sequence: Sequence, at: Timestamp): void {
    const body = start + FRAME_HEAD_BYTES;
    const view = this.#view;
    view.setUint32(body, kind, true);
    view.setUint32(body + 4, count, true);
    writeUint53(view, this.#number, body + 8);
    writeUint53(view, sequence, body + 16);
    writeUint53(view, at, body + 24);
  }

  #close(start: number, end: number): void {
    const body = start + FRAME_HEAD_BYTES;
    this.#view.setUint32(start, end - body, true);
    this.#view.setUint32(start + 4, checksum(this.#view, body, end, this.#seed), true);
    const next = aligned(end);
    for (let at = end; at < next; at++) this.#bytes[at] = 0;
    this.#length = next;
  }
}

/** A frame with a valid checksum. */
export interface Frame {
  readonly kind: 'record' | 'footer';
  /** In a record, its index in the batch; in a footer, the number of records. */
  readonly count: number;
  readonly batch: number;
  /** In a record, its own sequence; in a footer, the first of its batch. */
  readonly sequence: Sequence;
  readonly at: Timestamp;
  /** The variable part: a record's command, or a footer's digest and chain hash. */
  readonly content: Buffer;
  /** Offsets of the start and end of the body, and of the next frame. */
  readonly body: number;
  readonly end: number;
  readonly next: number;
}

/** Returns undefined if there is no valid frame at the offset. */
export function frameAt(bytes: Buffer, offset: number, seed: number): Frame | undefined {
  const body = offset + FRAME_HEAD_BYTES;
  if (body + BODY_HEAD_BYTES > bytes.length) return undefined;
  const length = bytes.readUInt32LE(offset);
  const end = body + length;
  if (length < BODY_HEAD_BYTES || end > bytes.length) return undefined;
  const kind = bytes.readUInt32LE(body);
  if (kind !== KIND.record && kind !== KIND.footer) return undefined;
  const sequence = readUint53(bytes, body + 16);
  const at = readUint53(bytes, body + 24);
  if (!Number.isSafeInteger(sequence) || !Number.isSafeInteger(at)) return undefined;
  if (crc32(bytes.subarray(body, end), seed) !== bytes.readUInt32LE(offset + 4)) return undefined;
  return {
    kind: kind === KIND.record ? 'record' : 'footer',
    count: bytes.readUInt32LE(body + 4),
    batch: readUint53(bytes, body + 8),
    sequence: sequence as Sequence,
    at: at as Timestamp,
    content: bytes.subarray(body + BODY_HEAD_BYTES, end),
    body,
    end,
    next: aligned(end),
  };
}

export interface Footer {
  readonly digest: string;
  readonly chain: Buffer;
}

/**
 * Decodes a footer, and checks that its chain hash follows from the batch that begins at `start`.
 */
export function readFooter(
  bytes: Buffer,
  start: number,
  footerAt: number,
  frame: Frame,
  previousChain: Buffer,
): (Footer & { readonly follows: boolean }) | undefined {
  const { content } = frame;
  if (
    content.length < 4 + CHAIN_BYTES ||
    content.readUInt32LE(0) !== content.length - 4 - CHAIN_BYTES
  )
    return undefined;
  const chainAt = content.length - CHAIN_BYTES;
  const chain = Buffer.from(content.subarray(chainAt));
  const footer = bytes.subarray(frame.body, frame.body + BODY_HEAD_BYTES + chainAt);
  const follows = chainHash(previousChain, bytes.subarray(start, footerAt), footer).equals(chain);
  return { digest: content.toString('utf8', 4, chainAt), chain, follows };
}
