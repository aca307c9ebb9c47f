/** File names in a journal's folder. Numbers are padded, so names sort by sequence. */
import type { Sequence } from '../kernel/ids.ts';

/** Sixteen digits hold every safe integer. */
const DIGITS = 16;
const SEGMENT = /^journal-(\d{16})\.seg$/;
const SNAPSHOT = /^snapshot-(\d{16})\.snap$/;

export const LOCK_NAME = 'writer.lock';
/** A stale lock while it is being removed. */
export const STALE_LOCK_NAME = 'writer.lock.stale';
/**
 * Marks a failed sync. The end of the last batch may exist only in memory, and no later sync is
 * sure to write it.
 */
export const UNSYNCED_NAME = 'journal.unsynced';
/** The next segment before its first sequence is known; a start deletes it. */
export const PREPARED_NAME = 'journal-next.prepared';

const padded = (sequence: Sequence): string => String(sequence).padStart(DIGITS, '0');
const sequenceIn = (pattern: RegExp, name: string): Sequence | undefined => {
  const digits = pattern.exec(name)?.[1];
  return digits === undefined ? undefined : (Number.parseInt(digits, 10) as Sequence);
};

export const segmentName = (first: Sequence): string => `journal-${padded(first)}.seg`;
export const firstSequenceOf = (name: string): Sequence | undefined => sequenceIn(SEGMENT, name);
export const snapshotName = (sequence: Sequence): string => `snapshot-${padded(sequence)}.snap`;
export const snapshotSequenceOf = (name: string): Sequence | undefined =>
  sequenceIn(SNAPSHOT, name);
export const unfinishedName = (name: string): string => `${name}.tmp`;

/** Incomplete files. They are safe to delete when no writer is running. */
export const isUnfinished = (name: string): boolean =>
  name === PREPARED_NAME || (name.startsWith('snapshot-') && name.endsWith('.tmp'));

export const pathOf = (folder: string, name: string): string => `${folder}/${name}`;
