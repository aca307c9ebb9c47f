/**
 * Loaded before the server that is to show what writing costs. Between one SIGUSR2 and the next it
 * changes over many times a second: the journal's batches are written and synced, or they are only
 * promised. A promise takes as long as syncs of late took, so that as many commands as ever wait
 * for one batch and are answered together: what is left out is writing and syncing, and nothing
 * else. Slots are so short that whatever else goes on, in the process or on the machine, goes on in
 * both kinds alike; what each kind used and did is told at the end.
 */
import fs from 'node:fs';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { isMainThread } from 'node:worker_threads';

/**
 * A batch begins with a sector, behind the first one of its file; what else the server writes is
 * read again.
 */
const SECTOR = 512;
/** Of the average, what the last sync counts for. */
const LAST_SYNC = 0.1;
const SLOT_MS = 200;
/**
 * Two pairs of slots, the second the other way round: what grows or fades with time counts for both
 * kinds alike.
 */
const WRITTEN = [true, false, false, true];
const { write, fdatasync } = fs;
let isWritten = true;
let syncMs = 1;
let answers = 0;

fs.write = (descriptor, bytes, offset, length, position, done) => {
  const isJournal = position > 0 && position % SECTOR === 0;
  if (isJournal) changeOver();
  if (isWritten || !isJournal) write(descriptor, bytes, offset, length, position, done);
  else setImmediate(() => done(null, length));
};
fs.fdatasync = (descriptor, done) => {
  if (!isWritten) {
    setTimeout(() => done(null), syncMs);
    return;
  }
  const begunAt = performance.now();
  fdatasync(descriptor, (error) => {
    syncMs += (performance.now() - begunAt - syncMs) * LAST_SYNC;
    done(error);
  });
};
// An answer is sent in one piece.
Socket.prototype.write = function write(...piece) {
  answers++;
  return Duplex.prototype.write.apply(this, piece);
};

/** What slots of one kind used and did. */
const slots = [];
/** Of the slot under way; undefined while nothing is compared. */
let begun;

function endSlot() {
  const { user, system } = process.cpuUsage(begun.cpu);
  slots.push({ isWritten, cpuMicroseconds: user + system, answers: answers - begun.answers });
}

function beginSlot() {
  isWritten = WRITTEN[slots.length % WRITTEN.length];
  begun = { at: performance.now(), cpu: process.cpuUsage(), answers };
}

/** Only between two batches, so that a slot has as many of them answered as carried out. */
function changeOver() {
  if (begun === undefined || performance.now() - begun.at < SLOT_MS) return;
  endSlot();
  beginSlot();
}

function start() {
  slots.length = 0;
  beginSlot();
}

function stop() {
  begun = undefined;
  isWritten = true;
  const whole = `${process.env.BENCH_SLOTS}.whole`;
  fs.writeFileSync(whole, JSON.stringify(slots));
  fs.renameSync(whole, process.env.BENCH_SLOTS);
}

if (isMainThread) process.on('SIGUSR2', () => (begun === undefined ? start() : stop()));
