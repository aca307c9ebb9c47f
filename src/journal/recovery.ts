/**
 * Recovers the state: the newest good snapshot, then the journal after it. A new folder, a clean
 * stop and a crash all use this path.
 */
import { randomInt } from 'node:crypto';
import type { Sequence } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import type { Cursor } from './batches.ts';
import { DamagedJournal } from './failures.ts';
import { pathOf, UNSYNCED_NAME } from './file-names.ts';
import { FileJournal, type Journal, SEGMENT_BYTES } from './journal.ts';
import type { Executed, Machine } from './machine.ts';
import {
  type FolderContents,
  JOURNAL_START,
  listFolder,
  type Position,
  readBatches,
} from './reader.ts';
import { SECTOR_BYTES, wholeSectors } from './record.ts';
import { type JudgedEnd, judgeLastSegment, repairEnd } from './repair.ts';
import { replayBatch } from './replay-batch.ts';
import { nodeScheduler, type Scheduler } from './scheduler.ts';
import { BATCHES_START, nameSegment, prepareSegment, type Segment } from './segment.ts';
import {
  type Choice,
  chooseSnapshot,
  type PassedOver,
  type SnapshotSource,
} from './snapshot-choice.ts';
import { MACHINE_SECTION, pruneFolder, VIEWS_SECTION, writeSnapshot } from './snapshots.ts';
import { ENGINE_VERSION } from './version.ts';
import { lockFolder, type Owner, processOwner, type WriterLock } from './writer-lock.ts';

export interface RecoverOptions extends SnapshotSource {
  /** Receives each re-executed batch in order; the next one waits for it. */
  readonly onExecuted?: (batch: readonly Executed[]) => void | Promise<void>;
  /** Called between two re-executed commands. */
  readonly between?: () => void;
  /**
   * Last sequence applied by the history store. It must receive all later events, and the journal
   * must reach this sequence.
   */
  readonly notAfter?: Sequence;
}

export interface StartOptions extends RecoverOptions {
  readonly segmentBytes?: number;
  readonly scheduler?: Scheduler;
  readonly owner?: Owner;
  /** Draws the checksum seed of a new journal. */
  readonly drawSeed?: () => number;
}

export interface Recovered {
  readonly machine: Machine;
  readonly lastSequence: Sequence;
  /** The sequence of the snapshot used; 0 for none. */
  readonly snapshotSequence: Sequence;
  readonly position: Position;
  /** Newer snapshots that were skipped, with reasons. */
  readonly badSnapshots: readonly PassedOver[];
}

export interface Started extends Recovered {
  readonly journal: Journal;
  /** Bytes of a torn batch that were cut off the end. */
  readonly cutBytes: number;
}

async function replay(
  options: RecoverOptions,
  contents: FolderContents,
  choice: Choice,
  upTo: Sequence | undefined,
): Promise<Recovered> {
  const { machine, badSnapshots } = choice;
  choice.restoreViews();

  let { position } = choice;
  const reached = (): boolean => upTo !== undefined && position.cursor.sequence - 1 >= upTo;
  if (contents.segments.length > 0 && !reached()) {
    for await (const batch of readBatches(
      options.disk,
      options.folder,
      contents.segments,
      position,
    )) {
      if (upTo !== undefined && batch.end.sequence - 1 > upTo) break;
      const executed = replayBatch(machine, batch, options.between);
      position = batch.position;
      if (executed.length > 0) await options.onExecuted?.(executed);
      // A live writer may be writing after this position: do not read on.
      if (reached()) break;
    }
  }
  return {
    machine,
    lastSequence: machine.sequence,
    snapshotSequence: choice.sequence,
    position,
    badSnapshots,
  };
}

/** The journal must reach every sequence known to be durable. */
function checkReach(
  folder: string,
  contents: FolderContents,
  { lastSequence }: Recovered,
  notAfter: Sequence | undefined,
): void {
  const place = {
    file: contents.segments.at(-1)?.name ?? folder,
    offset: 0,
    sequence: lastSequence + 1,
  };
  const newest = contents.snapshots.at(-1);
  if (newest !== undefined && contents.segments.length === 0)
    throw new DamagedJournal('there are snapshots but no journal', place);
  if (newest !== undefined && newest.sequence > lastSequence)
    throw new DamagedJournal(`the journal ends before ${newest.name}`, place);
  if (notAfter !== undefined && notAfter > lastSequence)
    throw new DamagedJournal(
      `the history store has applied sequence ${notAfter}, which the journal does not reach; ` +
        'restore the journal that does, or remove history.db if this journal is right',
      place,
    );
}

/** A history older than every snapshot needs commands that a pruned journal no longer holds. */
function checkHistoryReach(
  { segments, snapshots }: FolderContents,
  notAfter: Sequence | undefined,
): void {
  const [oldest] = segments;
  const isReached =
    oldest === undefined ||
    oldest.sequence === 1 ||
    snapshots.length === 0 ||
    snapshots[0]!.sequence <= (notAfter ?? Infinity);
  if (isReached) return;
  throw new DamagedJournal(
    `the journal begins here, and the history store has applied sequence ${notAfter} and no ` +
      'more; restore the history.db of this journal, or remove it: history then begins with ' +
      'the oldest snapshot',
    { file: oldest.name, offset: 0, sequence: notAfter! + 1 },
  );
}

interface SegmentStart {
  readonly segment: Segment;
  /** Position of the next batch. */
  readonly end: Position;
}

interface JournalEnd extends SegmentStart {
  readonly seed: number;
  readonly cutBytes: number;
}

/** Creates a new segment that continues from a cursor. */
async function beginSegment(
  { disk, folder }: StartOptions,
  segmentBytes: number,
  seed: number,
  behind: Cursor,
): Promise<SegmentStart> {
  const segment = await prepareSegment(disk, folder, segmentBytes, { givenUp: () => false });
  const { sequence, batch, chain } = behind;
  await nameSegment(disk, folder, segment, {
    seed,
    first: sequence,
    firstBatch: batch,
    previousChain: chain,
  });
  return { segment, end: { segment: sequence, cursor: { ...behind, offset: BATCHES_START } } };
}

/**
 * The end of the last segment as a second read finds it; undefined without a segment. Read-only.
 */
async function judgeJournal(
  { disk, folder }: StartOptions,
  contents: FolderContents,
  choice: Choice,
  recovered: Recovered,
): Promise<JudgedEnd | undefined> {
  const last = contents.segments.at(-1);
  if (last === undefined) return undefined;
  const judged = await judgeLastSegment(
    disk,
    folder,
    last,
    last.sequence === choice.position.segment ? choice.position.cursor : undefined,
  );
  const { sequence, batch, chain } = judged.end.cursor;
  const executed = recovered.position.cursor;
  // After a failed sync, a disk may return other bytes on the second read than those that were
  // executed.
  if (sequence !== executed.sequence || batch !== executed.batch || !chain.equals(executed.chain))
    throw new DamagedJournal('the disk gives other bytes than a moment ago', {
      file: last.name,
      offset: judged.end.cursor.offset,
      sequence,
    });
  return judged;
}

/** The segment to continue in, with a clean and durable end. */
async function openEnd(
  options: StartOptions,
  contents: FolderContents,
  judged: JudgedEnd | undefined,
  segmentBytes: number,
): Promise<JournalEnd> {
  const { disk, folder } = options;
  for (const name of contents.unfinished) await disk.remove(pathOf(folder, name));
  if (judged === undefined) {
    const seed = options.drawSeed?.() ?? randomInt(2 ** 32);
    return {
      ...(await beginSegment(options, segmentBytes, seed, JOURNAL_START.cursor)),
      seed,
      cutBytes: 0,
    };
  }
  const { name, bytes, start, end, seed, cutBytes } = judged;
  await repairEnd(disk, folder, judged, contents.isUnsynced);
  if (contents.isUnsynced) await disk.remove(pathOf(folder, UNSYNCED_NAME));
  if (judged.engineVersion !== ENGINE_VERSION) {
    // A segment has one version, so one without commands is created again under its name.
    const behind = end.cursor.sequence === start.sequence ? start : end.cursor;
    return { ...(await beginSegment(options, segmentBytes, seed, behind)), seed, cutBytes };
  }
  const file = await disk.open(pathOf(folder, name), 'write');
  return {
    segment: { file, size: bytes.length - (bytes.length % SECTOR_BYTES) },
    end,
    seed,
    cutBytes,
  };
}

type OnExecuted = NonNullable<RecoverOptions['onExecuted']>;

/**
 * Passes batches on with a delay of one. All but the last are durable, because each was written
 * only after the previous one was. The last may exist only in memory until the end of the journal
 * is rewritten, so its results must not be stored before that.
 */
function holdBackLast(pass: OnExecuted = () => {}): {
  readonly take: OnExecuted;
  readonly release: () => Promise<void>;
} {
  let held: readonly Executed[] | undefined;
  const take = async (next: readonly Executed[] | undefined): Promise<void> => {
    const before = held;
    held = next;
    if (before !== undefined) await pass(before);
  };
  return { take, release: () => take(undefined) };
}

async function startLocked(options: StartOptions, lock: WriterLock): Promise<Started> {
  const { disk, folder, notAfter, scheduler = nodeScheduler } = options;
  const segmentBytes = wholeSectors(options.segmentBytes ?? SEGMENT_BYTES);
  const contents = await listFolder(disk, folder);
  checkHistoryReach(contents, notAfter);
  const choice = await chooseSnapshot(options, contents, notAfter);
  const { take, release } = holdBackLast(options.onExecuted);
  const recovered = await replay({ ...options, onExecuted: take }, contents, choice, undefined);
  checkReach(folder, contents, recovered, notAfter);
  const judged = await judgeJournal(options, contents, choice, recovered);
  await lock.confirm();
  // The folder is unchanged up to here, so a refused start leaves what it found.
  const { segment, end, seed, cutBytes } = await openEnd(options, contents, judged, segmentBytes);
  try {
    await release();
    invariant(
      end.cursor.sequence === recovered.lastSequence + 1,
      'the journal continues after what was executed',
    );
    await lock.confirm();
    const journal = new FileJournal(
      { disk, folder, segmentBytes, seed, scheduler, release: () => lock.release() },
      segment,
      end.cursor,
    );
    await journal.ready();
    return { ...recovered, position: end, journal, cutBytes };
  } catch (error) {
    await segment.file.close();
    throw error;
  }
}

/** Recovers a folder and opens it for writing. On failure it throws and releases the folder. */
export async function recover(options: StartOptions): Promise<Started> {
  const lock = await lockFolder(
    options.disk,
    options.folder,
    options.owner ?? processOwner(options.folder),
  );
  try {
    return await startLocked(options, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * The state after the last batch at or before a durable sequence, read without disturbing a running
 * writer. Without a sequence, the state at the end of a folder that has no writer.
 */
export async function recoverUpTo(options: RecoverOptions, upTo?: Sequence): Promise<Recovered> {
  const contents = await listFolder(options.disk, options.folder);
  const choice = await chooseSnapshot(options, contents, upTo);
  return await replay(options, contents, choice, upTo);
}

export interface SnapshotOptions extends RecoverOptions {
  /** A durable sequence. */
  readonly upTo: Sequence;
  /** Last sequence applied by the history store; a snapshot at or before it is kept. */
  readonly neededFrom?: Sequence;
}

/**
 * Recovers up to a durable sequence, writes and proves a snapshot of it, and prunes files that no
 * start needs.
 */
export async function makeSnapshot(
  options: SnapshotOptions,
): Promise<{ readonly sequence: Sequence; readonly stateHash: string }> {
  const { disk, folder, createMachine, views, neededFrom } = options;
  const { machine, position, snapshotSequence, lastSequence, badSnapshots } = await recoverUpTo(
    options,
    options.upTo,
  );
  const stateHash = machine.stateHash();
  if (lastSequence === snapshotSequence) return { sequence: lastSequence, stateHash };
  const sections = new Map([[MACHINE_SECTION, machine.serialize()]]);
  if (views !== undefined) sections.set(VIEWS_SECTION, views.save());
  await writeSnapshot(
    disk,
    folder,
    {
      sequence: lastSequence,
      at: machine.at,
      position,
      digest: machine.digest(),
      stateHash,
      sections,
    },
    createMachine,
  );
  await pruneFolder(disk, folder, {
    neededFrom,
    useless: new Set(badSnapshots.map(({ name }) => name)),
  });
  return { sequence: lastSequence, stateHash };
}
