/**
 * The byte format of snapshots: machine and views after one batch, and the journal position that
 * follows.
 *
 *   magic · format version · engine version · sequence · time · place in the journal ·
 *   digest · state hash · sections · SHA-256 of it all
 */
import { createHash } from 'node:crypto';
import { ByteReader, ByteWriter, MalformedBytes } from '../kernel/bytes.ts';
import type { Sequence } from '../kernel/ids.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Position } from './reader.ts';
import { CHAIN_BYTES } from './record.ts';
import { checkEngine, checkFormat } from './segment.ts';
import { ENGINE_VERSION, FORMAT_VERSION } from './version.ts';

const MAGIC = Buffer.from('RIALTOS\n', 'latin1');
const HASH_BYTES = 32;

export interface Snapshot {
  readonly engineVersion: number;
  readonly sequence: Sequence;
  readonly at: Timestamp;
  /** The position after the batch that ends with `sequence`. */
  readonly position: Position;
  readonly digest: string;
  readonly stateHash: string;
  readonly sections: ReadonlyMap<string, Uint8Array>;
}

/** Returns the bytes in parts, so that large sections are not copied. */
export function snapshotParts(snapshot: Omit<Snapshot, 'engineVersion'>): Uint8Array[] {
  const { position } = snapshot;
  const head = new ByteWriter();
  head.bytes(MAGIC);
  head.uint32(FORMAT_VERSION);
  head.uint32(ENGINE_VERSION);
  head.uint53(snapshot.sequence);
  head.uint53(snapshot.at);
  head.uint53(position.segment);
  head.uint53(position.cursor.offset);
  head.uint53(position.cursor.batch);
  head.bytes(position.cursor.chain);
  head.text(snapshot.digest);
  head.text(snapshot.stateHash);
  head.varint(snapshot.sections.size);
  for (const [name, bytes] of snapshot.sections) {
    head.text(name);
    head.uint53(bytes.length);
  }
  const parts = [head.view(), ...snapshot.sections.values()];
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return [...parts, hash.digest()];
}

function readPosition(from: ByteReader, sequence: Sequence): Position {
  const segment = from.uint53() as Sequence;
  const offset = from.uint53();
  const batch = from.uint53();
  const chain = Buffer.from(from.bytes(CHAIN_BYTES));
  return { segment, cursor: { offset, sequence: (sequence + 1) as Sequence, batch, chain } };
}

/**
 * Decodes a snapshot. Throws MalformedBytes if the bytes changed, UnknownVersion if the version is
 * too new.
 */
export function snapshotFrom(file: string, bytes: Buffer): Snapshot {
  const end = bytes.length - HASH_BYTES;
  if (
    end < MAGIC.length ||
    !createHash('sha256').update(bytes.subarray(0, end)).digest().equals(bytes.subarray(end))
  ) {
    throw new MalformedBytes(`${file} fails its hash`);
  }
  const from = new ByteReader(bytes, 0, end);
  if (!from.bytes(MAGIC.length).equals(MAGIC)) throw new MalformedBytes(`${file} is no snapshot`);
  checkFormat(file, from.uint32());
  const engineVersion = from.uint32();
  checkEngine(file, engineVersion);
  const sequence = from.uint53() as Sequence;
  const at = from.uint53() as Timestamp;
  const position = readPosition(from, sequence);
  const digest = from.text();
  const stateHash = from.text();
  const lengths = Array.from(
    { length: from.varint() },
    () => [from.text(), from.uint53()] as const,
  );
  const sections = new Map(lengths.map(([name, length]) => [name, from.bytes(length)] as const));
  from.expectEnd();
  return { engineVersion, sequence, at, position, digest, stateHash, sections };
}
