/**
 * Loaded before a server whose cost of writing is measured. Between one SIGUSR2 and the next it
 * switches modes many times per second: the journal's batches are written and synced, or only
 * acknowledged. An acknowledgement takes as long as recent syncs, so that as many commands share a
 * batch. Only writing and syncing is left out. Slots are short, so that other work in the process
 * and on the machine affects both modes equally. The totals of each slot are written at the end.
 */
import fs from 'node:fs';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { isMainThread } from 'node:worker_threads';

/**
 * A batch starts with a sector after the first one of its file. Other writes are read again, so
 * they are never skipped.
 */
const SECTOR = 512;
/** Weight of the last sync in the moving average. */
const LAST_SYNC = 0.1;
const SLOT_MS = 200;
/**
 * Two pairs of slots, the second in reverse order, so that a trend over time affects both modes
 * equally.
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
  const startedAt = performance.now();
  fdatasync(descriptor, (error) => {
    syncMs += (performance.now() - startedAt - syncMs) * LAST_SYNC;
    done(error);
  });
};
// An answer is sent in one piece.
Socket.prototype.write = function write(...piece) {
  answers++;
  return Duplex.prototype.write.apply(this, piece);
};

/** Totals of each slot. */
const slots = [];
/** Start of the current slot; undefined while nothing is compared. */
let begun;

function endSlot() {
  const { user, system } = process.cpuUsage(begun.cpu);
  slots.push({ isWritten, cpuMicroseconds: user + system, answers: answers - begun.answers });
}

function beginSlot() {
  isWritten = WRITTEN[slots.length % WRITTEN.length];
  begun = { at: performance.now(), cpu: process.cpuUsage(), answers };
}

/** Switches only between two batches, so that a slot answers all commands it executes. */
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
