/** Reads everything a journal's folder holds, old parts included, and reports what is whole and what is not. Changes nothing. */
import type { Sequence } from '../kernel/ids.ts';
import { type Cursor, cursorAtStart } from './batches.ts';
import type { Disk } from './disk.ts';
import { DamagedJournal, type Place } from './failures.ts';
import { batchesIn, judgeEnd, listFolder, type NamedFile, readSegment } from './reader.ts';
import { isWholeSnapshot } from './snapshots.ts';

export interface SegmentReport {
  readonly file: string;
  readonly engineVersion: number;
  readonly first: Sequence;
  /** `first − 1` when it holds no record. */
  readonly last: Sequence;
  readonly batches: number;
  readonly records: number;
}

export interface Damage extends Place {
  readonly reason: string;
}

export interface VerificationReport {
  readonly segments: readonly SegmentReport[];
  readonly records: number;
  /** The first damage of each segment. */
  readonly damage: readonly Damage[];
  /** The remains of a batch that was never acknowledged; the next start removes them. */
  readonly tornEnd: boolean;
  readonly snapshots: readonly { readonly file: string; readonly sequence: Sequence; readonly good: boolean }[];
  /** Nothing is damaged and every snapshot is good. */
  readonly ok: boolean;
}

interface SegmentFinding {
  readonly report?: SegmentReport;
  readonly damage?: Damage;
  readonly torn: boolean;
  /** Where the next segment has to begin; undefined behind damage. */
  readonly end?: Cursor;
}

const follows = (cursor: Cursor, before: Cursor): boolean =>
  cursor.sequence === before.sequence && cursor.batch === before.batch && cursor.chain.equals(before.chain);

async function verifySegment(
  disk: Disk,
  folder: string,
  named: NamedFile,
  before: Cursor | undefined,
  isLast: boolean,
): Promise<SegmentFinding> {
  const damageAt = (cursor: Cursor, reason: string): Damage => ({
    file: named.name,
    offset: cursor.offset,
    sequence: cursor.sequence,
    reason,
  });
  try {
    const segment = await readSegment(disk, folder, named);
    const start = cursorAtStart(segment.header);
    const walk = batchesIn(segment, start);
    let batches = 0;
    let step = walk.next();
    for (; !step.done; step = walk.next()) batches++;
    const { cursor, found } = step.value;
    const records = cursor.sequence - start.sequence;
    const report = {
      file: named.name,
      engineVersion: segment.header.engineVersion,
      first: start.sequence,
      last: (cursor.sequence - 1) as Sequence,
      batches,
      records,
    };
    if (before !== undefined && !follows(start, before))
      return { report, torn: false, damage: damageAt(before, 'this segment does not follow from the one before it') };
    if (!isLast && found.kind !== 'end') return { report, torn: false, damage: damageAt(cursor, found.reason) };
    const torn = isLast && judgeEnd(named.name, segment.bytes, cursor, found, segment.header.seed) === 'torn';
    return { report, torn, end: cursor };
  } catch (error) {
    if (!(error instanceof DamagedJournal)) throw error;
    return { torn: false, damage: { ...error.place, reason: error.reason } };
  }
}

export async function verifyJournal(disk: Disk, folder: string): Promise<VerificationReport> {
  const contents = await listFolder(disk, folder);
  const findings: SegmentFinding[] = [];
  for (const [index, named] of contents.segments.entries()) {
    const isLast = index === contents.segments.length - 1;
    findings.push(await verifySegment(disk, folder, named, findings.at(-1)?.end, isLast));
  }
  const segments = findings.flatMap(({ report }) => (report === undefined ? [] : [report]));
  const damage = findings.flatMap((finding) => (finding.damage === undefined ? [] : [finding.damage]));
  const snapshots = [];
  for (const named of contents.snapshots) {
    snapshots.push({ file: named.name, sequence: named.sequence, good: await isWholeSnapshot(disk, folder, named) });
  }
  return {
    segments,
    records: segments.reduce((sum, { records }) => sum + records, 0),
    damage,
    tornEnd: findings.some(({ torn }) => torn),
    snapshots,
    ok: damage.length === 0 && snapshots.every(({ good }) => good),
  };
}
