/**
 * The names in a journal's folder. Numbers are padded, so that names sort as their sequences do.
 */
import type { Sequence } from '../kernel/ids.ts';

/** Sixteen digits hold every safe integer. */
const DIGITS = 16;
const SEGMENT = /^journal-(\d{16})\.seg$/;
const SNAPSHOT = /^snapshot-(\d{16})\.snap$/;

export const LOCK_NAME = 'writer.lock';
/** A lock that nobody holds, while it is taken out of the way. */
export const STALE_LOCK_NAME = 'writer.lock.stale';
/**
 * Left by a program whose sync has failed: what can be read of the last batch may be nowhere but in
 * memory, and no sync brings it to the disk.
 */
export const UNSYNCED_NAME = 'journal.unsynced';
/** The next segment before it has a first sequence; a start throws it away. */
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

/** Written but never finished: safe to remove whenever nobody is writing. */
export const isUnfinished = (name: string): boolean =>
  name === PREPARED_NAME || (name.startsWith('snapshot-') && name.endsWith('.tmp'));

export const pathOf = (folder: string, name: string): string => `${folder}/${name}`;
