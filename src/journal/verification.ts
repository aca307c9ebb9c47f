/**
 * Reads everything in a journal's folder, old parts included, and reports what is whole. Read-only.
 */
import type { Sequence } from '../kernel/ids.ts';
import { type Cursor, cursorAtStart, type WalkEnd, whyNotEnded } from './batches.ts';
import type { Disk } from './disk.ts';
import { DamagedJournal, type Place } from './failures.ts';
import {
  batchesIn,
  type FolderContents,
  judgeEnd,
  listFolder,
  type NamedFile,
  readSegment,
  type SegmentBytes,
} from './reader.ts';
import { isWholeSnapshot } from './snapshots.ts';

export interface SegmentReport {
  readonly file: string;
  readonly engineVersion: number;
  readonly first: Sequence;
  /** `first − 1` if it holds no record. */
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
  /** The first damage of each segment, and missing parts before or after them. */
  readonly damage: readonly Damage[];
  /** The remains of a batch that was never acknowledged; the next start removes them. */
  readonly tornEnd: boolean;
  readonly snapshots: readonly {
    readonly file: string;
    readonly sequence: Sequence;
    readonly good: boolean;
  }[];
  readonly ok: boolean;
}

interface SegmentFinding {
  readonly report?: SegmentReport;
  readonly damage?: Damage;
  readonly torn: boolean;
  /** Where the next segment must begin; undefined after damage. */
  readonly end?: Cursor;
}

const follows = (cursor: Cursor, before: Cursor): boolean =>
  cursor.sequence === before.sequence &&
  cursor.batch === before.batch &&
  cursor.chain.equals(before.chain);

interface Walked {
  readonly batches: number;
  readonly cursor: Cursor;
  /** What follows the last batch; undefined if it was not checked. */
  readonly ended: WalkEnd | undefined;
}

/** Reads the batches of a segment up to the one that holds this sequence. */
function walkBatches(segment: SegmentBytes, start: Cursor, upTo: Sequence | undefined): Walked {
  const walk = batchesIn(segment, start);
  let cursor = start;
  for (let batches = 0; ; batches++) {
    if (upTo !== undefined && cursor.sequence > upTo) return { batches, cursor, ended: undefined };
    const step = walk.next();
    if (step.done) return { batches, cursor: step.value.cursor, ended: step.value };
    cursor = step.value.position.cursor;
  }
}

interface Look {
  /** End of the previous segment. */
  readonly before: Cursor | undefined;
  readonly isLast: boolean;
  readonly upTo: Sequence | undefined;
}

async function verifySegment(
  disk: Disk,
  folder: string,
  named: NamedFile,
  { before, isLast, upTo }: Look,
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
    const { batches, cursor, ended } = walkBatches(segment, start, isLast ? upTo : undefined);
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
      return {
        report,
        torn: false,
        damage: damageAt(before, 'this segment does not follow from the one before it'),
      };
    if (ended === undefined) return { report, torn: false, end: cursor };
    const reason = isLast ? undefined : whyNotEnded(segment.bytes, ended);
    if (reason !== undefined) return { report, torn: false, damage: damageAt(cursor, reason) };
    if (isLast && upTo !== undefined) {
      const reason = ended.found.kind === 'end' ? 'nothing is there' : ended.found.reason;
      return {
        report,
        torn: false,
        damage: damageAt(cursor, `${reason}, yet sequence ${upTo} is durable`),
      };
    }
    const torn =
      isLast && judgeEnd(named.name, segment.bytes, ended, segment.header.seed) === 'torn';
    return { report, torn, end: cursor };
  } catch (error) {
    if (!(error instanceof DamagedJournal)) throw error;
    return { torn: false, damage: { ...error.place, reason: error.reason } };
  }
}

/** Checks each snapshot; one that a running writer removes meanwhile is left out. */
async function verifySnapshots(
  disk: Disk,
  folder: string,
  listed: readonly NamedFile[],
): Promise<VerificationReport['snapshots']> {
  const snapshots = [];
  for (const named of listed) {
    const good = await isWholeSnapshot(disk, folder, named);
    if (good || (await disk.list(folder)).includes(named.name))
      snapshots.push({ file: named.name, sequence: named.sequence, good });
  }
  return snapshots;
}

/**
 * What prevents a start from a journal whose parts are all whole: its beginning or end is missing.
 * With a writer running, the durable sequence defines the end.
 */
function missingPart(
  folder: string,
  { segments, snapshots }: FolderContents,
  end: Cursor | undefined,
): Damage | undefined {
  const [oldest] = segments;
  const newest = snapshots.at(-1);
  if (oldest === undefined && newest !== undefined)
    return { file: folder, offset: 0, sequence: 1, reason: 'there are snapshots but no journal' };
  if (
    oldest !== undefined &&
    oldest.sequence > 1 &&
    (newest === undefined || newest.sequence < oldest.sequence - 1)
  )
    return {
      file: oldest.name,
      offset: 0,
      sequence: oldest.sequence,
      reason: 'the journal begins here and no snapshot leads up to it',
    };
  if (end === undefined || newest === undefined || newest.sequence < end.sequence) return undefined;
  return {
    file: segments.at(-1)!.name,
    offset: end.offset,
    sequence: end.sequence,
    reason: `the journal ends before ${newest.name}`,
  };
}

/** `upTo` is a durable sequence of the folder's running writer; later bytes are not read. */
export async function verifyJournal(
  disk: Disk,
  folder: string,
  upTo?: Sequence,
): Promise<VerificationReport> {
  const contents = await listFolder(disk, folder);
  const findings: SegmentFinding[] = [];
  for (const [index, named] of contents.segments.entries()) {
    const isLast = index === contents.segments.length - 1;
    findings.push(
      await verifySegment(disk, folder, named, { before: findings.at(-1)?.end, isLast, upTo }),
    );
  }
  const segments = findings.flatMap(({ report }) => (report === undefined ? [] : [report]));
  const missing = missingPart(
    folder,
    contents,
    upTo === undefined ? findings.at(-1)?.end : undefined,
  );
  const damage = [...findings.map((finding) => finding.damage), missing].filter(
    (found) => found !== undefined,
  );
  const snapshots = await verifySnapshots(disk, folder, contents.snapshots);
  return {
    segments,
    records: segments.reduce((sum, { records }) => sum + records, 0),
    damage,
    tornEnd: findings.some(({ torn }) => torn),
    snapshots,
    ok: damage.length === 0 && snapshots.every(({ good }) => good),
  };
}
