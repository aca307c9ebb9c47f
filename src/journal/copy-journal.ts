/** Copies what a start needs of a journal, beside the writer that goes on with it. */
import type { Sequence } from '../kernel/ids.ts';
import { cursorAtStart } from './batches.ts';
import type { Disk } from './disk.ts';
import { pathOf } from './file-names.ts';
import { batchesIn, listFolder, type NamedFile, readSegment } from './reader.ts';
import { isWholeSnapshot } from './snapshots.ts';
import { readFile, writeWhole } from './whole-file.ts';

export interface CopyOptions {
  readonly disk: Disk;
  readonly from: string;
  /** Empty, or not there yet. */
  readonly to: string;
  /**
   * A sequence that the writer of the folder has said to be durable, behind which nothing is
   * copied; undefined where nobody writes.
   */
  readonly upTo: Sequence | undefined;
  /**
   * What the history beside it has applied: it is told the rest. Undefined where there is none, and
   * then the journal is copied as far back as it reaches.
   */
  readonly emitted: Sequence | undefined;
}

/**
 * The writer has removed what a history that was copied before needs: it went on faster than that
 * was copied.
 */
export class PrunedMeanwhile extends Error {
  override readonly name = 'PrunedMeanwhile';
}

async function writeFile({ disk, to }: CopyOptions, name: string, bytes: Buffer): Promise<void> {
  const file = await disk.open(pathOf(to, name), 'create');
  try {
    await writeWhole(file, bytes, 0);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The newest good one from which history can be told what it lacks. */
async function snapshotToCopy(
  { disk, from, emitted }: CopyOptions,
  snapshots: readonly NamedFile[],
): Promise<NamedFile | undefined> {
  if (emitted === undefined) return undefined;
  for (const named of snapshots.toReversed())
    if (named.sequence <= emitted && (await isWholeSnapshot(disk, from, named))) return named;
  return undefined;
}

/**
 * A segment as it was when this sequence had become durable: whatever is being written behind that
 * has not begun.
 */
async function segmentUpTo({ disk, from, upTo }: CopyOptions, named: NamedFile): Promise<Buffer> {
  const segment = await readSegment(disk, from, named);
  if (upTo === undefined) return segment.bytes;
  const start = cursorAtStart(segment.header);
  let written = start.offset;
  for (const { contentEnd, end } of batchesIn(segment, start)) {
    written = contentEnd;
    if (end.sequence > upTo) break;
  }
  return segment.bytes.fill(0, written);
}

/**
 * Those of which a start may need something: the one in which the sequence stands, and all behind
 * it.
 */
const segmentsFrom = (segments: readonly NamedFile[], sequence: number): readonly NamedFile[] =>
  segments.filter((_, at) => (segments[at + 1]?.sequence ?? Number.POSITIVE_INFINITY) > sequence);

/** Whoever calls verifies the copy: what is damaged here is copied as it is. */
export async function copyJournal(options: CopyOptions): Promise<void> {
  const { disk, from, to, emitted, upTo = Number.POSITIVE_INFINITY } = options;
  await disk.list(to);
  const { segments, snapshots } = await listFolder(disk, from);
  const isDurable = ({ sequence }: NamedFile): boolean => sequence <= upTo;
  const known = snapshots.filter(isDurable);
  const begun = await snapshotToCopy(options, known);
  if (
    emitted !== undefined &&
    begun === undefined &&
    segments[0] !== undefined &&
    segments[0].sequence > 1
  )
    throw new PrunedMeanwhile(
      `the journal no longer has what came behind sequence ${emitted}, where the copy of history ends; try again`,
    );
  for (const { name } of begun === undefined ? known : [begun])
    await writeFile(options, name, await readFile(disk, from, name));
  const used = segmentsFrom(
    segments.filter(isDurable),
    begun === undefined ? 0 : begun.sequence + 1,
  );
  for (const named of used) await writeFile(options, named.name, await segmentUpTo(options, named));
  await disk.syncFolder(to);
}
