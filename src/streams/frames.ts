/** Text frames as they are on the wire, so that one frame serves many connections. */

/** The last frame of a message, with text. */
const TEXT = 0x81;
/** Longer payloads give their length in the two bytes that follow. */
const LENGTH_MAX = 125;
const TWO_BYTES = 126;
const TWO_BYTES_MAX = 0xffff;
const EIGHT_BYTES = 127;

export function textFrame(...parts: readonly (string | Buffer)[]): Buffer {
  let length = 0;
  for (const part of parts) length += Buffer.byteLength(part);
  const isShort = length <= LENGTH_MAX;
  let at = isShort ? 2 : length <= TWO_BYTES_MAX ? 4 : 10;
  const frame = Buffer.allocUnsafe(at + length);
  frame[0] = TEXT;
  if (isShort) frame[1] = length;
  else if (length <= TWO_BYTES_MAX) {
    frame[1] = TWO_BYTES;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = EIGHT_BYTES;
    frame.writeUIntBE(0, 2, 4);
    frame.writeUIntBE(length, 6, 4);
  }
  for (const part of parts)
    at += typeof part === 'string' ? frame.write(part, at) : part.copy(frame, at);
  return frame;
}
