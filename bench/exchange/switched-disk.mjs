/**
 * Loaded before the server that is to show what writing costs. At each SIGUSR2 it changes over: the journal's batches are written and synced, or
 * they are only promised. A promise takes about as long as a sync, so that as many commands as ever wait for one batch and are answered together:
 * what is left out is writing and syncing, and nothing else.
 */
import fs from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Batches and segments come in whole sectors; what else the server writes is short, and is read again. */
const SECTOR = 512;
const SYNC_MS = 1;
const { write, fdatasync } = fs;
let isWritten = true;

fs.write = (descriptor, bytes, offset, length, position, done) => {
  if (isWritten || length % SECTOR !== 0) write(descriptor, bytes, offset, length, position, done);
  else setImmediate(() => done(null, length));
};
fs.fdatasync = (descriptor, done) => {
  if (isWritten) fdatasync(descriptor, done);
  else setTimeout(() => done(null), SYNC_MS);
};

if (isMainThread)
  process.on('SIGUSR2', () => {
    isWritten = !isWritten;
  });
