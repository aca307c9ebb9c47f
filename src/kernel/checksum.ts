/**
 * CRC-32 of a short part of a buffer. Below a kilobyte, the call to zlib costs more than the
 * computation. Readers verify with zlib's version, so the two implementations check each other.
 */
import { crc32 } from 'node:zlib';

const POLYNOMIAL = 0xedb88320;
/** Each step processes eight bytes, each through its own table. */
const STRIDE = 8;
const TABLE = 256;
const SHORT_BYTES_MAX = 1_024;

const tables = new Int32Array(STRIDE * TABLE);
for (let byte = 0; byte < TABLE; byte++) {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? POLYNOMIAL : 0);
  tables[byte] = rest;
}
// The table entry for a byte followed by one more zero byte.
for (let at = TABLE; at < tables.length; at++) {
  const before = tables[at - TABLE]!;
  tables[at] = (before >>> 8) ^ tables[before & 0xff]!;
}

/** For at least one byte. */
export function checksum(bytes: DataView, start: number, end: number, seed: number): number {
  if (end - start > SHORT_BYTES_MAX)
    return crc32(new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start), seed);
  let sum = ~seed;
  let at = start;
  for (; at + STRIDE <= end; at += STRIDE) {
    const first = sum ^ bytes.getInt32(at, true);
    const second = bytes.getInt32(at + 4, true);
    sum =
      tables[7 * TABLE + (first & 0xff)]! ^
      tables[6 * TABLE + ((first >>> 8) & 0xff)]! ^
      tables[5 * TABLE + ((first >>> 16) & 0xff)]! ^
      tables[4 * TABLE + (first >>> 24)]! ^
      tables[3 * TABLE + (second & 0xff)]! ^
      tables[2 * TABLE + ((second >>> 8) & 0xff)]! ^
      tables[TABLE + ((second >>> 16) & 0xff)]! ^
      tables[second >>> 24]!;
  }
  for (; at < end; at++) sum = (sum >>> 8) ^ tables[(sum ^ bytes.getUint8(at)) & 0xff]!;
  return ~sum >>> 0;
}
