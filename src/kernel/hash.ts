/** SHA-256 as hexadecimal text: the name of a state or of a file's content. */
import { createHash } from 'node:crypto';

export const sha256Hex = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');
