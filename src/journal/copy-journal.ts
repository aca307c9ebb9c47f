/** Copies the part of a journal that a start needs, while its writer continues. */
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
  /** Empty or missing. */
  readonly to: string;
  /**
   * Copy no further than this durable sequence of the folder's writer; undefined without a writer.
   */
  readonly upTo: Sequence | undefined;
  /**
   * The last sequence that the copied history has applied; it needs the rest. Undefined without a
   * history: the journal is then copied from its oldest command.
   */
  readonly emitted: Sequence | undefined;
}

/** The writer pruned segments that the copied history still needs. */
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

/** The newest good snapshot from which history can catch up. */
async function snapshotToCopy(
  { disk, from, emitted }: CopyOptions,
  snapshots: readonly NamedFile[],
): Promise<NamedFile | undefined> {
  if (emitted === undefined) return undefined;
  for (const named of snapshots.toReversed())
    if (named.sequence <= emitted && (await isWholeSnapshot(disk, from, named))) return named;
  return undefined;
}

/** A segment as it was when this sequence became durable; later writes are ignored. */
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

/** Segments that a start may need: the one with the sequence, and all later ones. */
const segmentsFrom = (segments: readonly NamedFile[], sequence: number): readonly NamedFile[] =>
  segments.filter((_, at) => (segments[at + 1]?.sequence ?? Number.POSITIVE_INFINITY) > sequence);

/** The caller verifies the copy: damaged bytes are copied unchanged. */
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
      `the journal no longer has the commands after sequence ${emitted}, where the history ` +
        'copy ends; try again',
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
