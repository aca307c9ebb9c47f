/** SHA-256 as hexadecimal text, which identifies a state or a file's content. */
import { createHash } from 'node:crypto';

export const sha256Hex = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');
