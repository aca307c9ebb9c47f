/**
 * The only way to start, and the only way to a state: the newest good snapshot, then the journal
 * behind it. A fresh folder, a clean stop and a crash all come through here.
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
  /** Receives each batch that is executed again, in order; the next one waits for it. */
  readonly onExecuted?: (batch: readonly Executed[]) => void | Promise<void>;
  /** Called between two commands that are executed again. */
  readonly between?: () => void;
  /**
   * What the history store has applied: it must hear of everything after that, and the journal must
   * reach it.
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
  /** The sequence of the snapshot it started from; 0 for none. */
  readonly snapshotSequence: Sequence;
  readonly position: Position;
  /** Why newer snapshots were passed over. */
  readonly badSnapshots: readonly PassedOver[];
}

export interface Started extends Recovered {
  readonly journal: Journal;
  /** How much of a torn batch was cut off the end. */
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
      // Behind this a live writer may be at work: not a byte of it is looked at.
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

/** The journal must reach whatever is known to have been durable. */
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
      `the history store has applied sequence ${notAfter}, which the journal does not reach; put back the journal that does, or take history.db away if this one is right`,
      place,
    );
}

/**
 * A history store that is older than every snapshot has to hear what a pruned journal no longer
 * tells.
 */
function checkHistoryIsTold(
  { segments, snapshots }: FolderContents,
  notAfter: Sequence | undefined,
): void {
  const [oldest] = segments;
  const isTold =
    oldest === undefined ||
    oldest.sequence === 1 ||
    snapshots.length === 0 ||
    snapshots[0]!.sequence <= (notAfter ?? Infinity);
  if (isTold) return;
  throw new DamagedJournal(
    `the journal begins here, and the history store has applied sequence ${notAfter} and no more; put back the history.db of this journal, or take this one away: history then begins with the oldest snapshot`,
    { file: oldest.name, offset: 0, sequence: notAfter! + 1 },
  );
}

interface SegmentStart {
  readonly segment: Segment;
  /** Where its next batch goes. */
  readonly end: Position;
}

interface JournalEnd extends SegmentStart {
  readonly seed: number;
  readonly cutBytes: number;
}

/** A new segment that goes on behind a cursor. */
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
 * The end of the last segment as a second look finds it; undefined where there is no segment. Reads
 * only.
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
  // A disk that has lost what it failed to sync may answer the second time what it has, and not
  // what was executed.
  if (sequence !== executed.sequence || batch !== executed.batch || !chain.equals(executed.chain))
    throw new DamagedJournal('the disk gives other bytes than a moment ago', {
      file: last.name,
      offset: judged.end.cursor.offset,
      sequence,
    });
  return judged;
}

/** The segment to go on in, with a clean and durable end. */
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
    // A segment states one version. One without commands is begun anew, under the name it has.
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
 * Passes batches on one late. All but the last are durable, since each was written only when the
 * one before it was; the last may live in memory only until the end of the journal is written
 * afresh, and nobody may keep what it did before.
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
  checkHistoryIsTold(contents, notAfter);
  const choice = await chooseSnapshot(options, contents, notAfter);
  const { take, release } = holdBackLast(options.onExecuted);
  const recovered = await replay({ ...options, onExecuted: take }, contents, choice, undefined);
  checkReach(folder, contents, recovered, notAfter);
  const judged = await judgeJournal(options, contents, choice, recovered);
  await lock.confirm();
  // Nothing in the folder was changed up to here: a start that is refused leaves what it found.
  const { segment, end, seed, cutBytes } = await openEnd(options, contents, judged, segmentBytes);
  try {
    await release();
    invariant(
      end.cursor.sequence === recovered.lastSequence + 1,
      'the journal goes on behind what was executed',
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

/**
 * Brings a folder back to where it was and opens it for writing. Whatever stands in the way throws,
 * and the folder is let go again.
 */
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
 * The state after the last batch that ends at or before a durable sequence, read beside a running
 * writer without disturbing it; without a sequence, the state at the end of a folder that nobody
 * writes.
 */
export async function recoverUpTo(options: RecoverOptions, upTo?: Sequence): Promise<Recovered> {
  const contents = await listFolder(options.disk, options.folder);
  const choice = await chooseSnapshot(options, contents, upTo);
  return await replay(options, contents, choice, upTo);
}

export interface SnapshotOptions extends RecoverOptions {
  /** A sequence known to be durable. */
  readonly upTo: Sequence;
  /** What the history store has applied: a snapshot that is not newer stays. */
  readonly neededFrom?: Sequence;
}

/**
 * Recovers up to a durable sequence, writes what it finds as a snapshot, proves it, and prunes what
 * no start needs any more.
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
