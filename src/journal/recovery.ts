/**
 * The only way to start, and the only way to a state: the newest good snapshot, then the journal behind it. A fresh folder, a clean stop and a
 * crash all come through here.
 */
import { randomInt } from 'node:crypto';
import type { Sequence } from '../kernel/ids.ts';
import { BrokenInvariant, invariant } from '../kernel/invariant.ts';
import type { Disk } from './disk.ts';
import { DamagedJournal, DivergedReplay } from './failures.ts';
import { pathOf } from './file-names.ts';
import { FileJournal, type Journal, SEGMENT_BYTES } from './journal.ts';
import type { Executed, Machine } from './machine.ts';
import { commandIn, type FolderContents, type FoundBatch, JOURNAL_START, listFolder, type Position, readBatches } from './reader.ts';
import { SECTOR_BYTES, wholeSectors } from './record.ts';
import { type JudgedEnd, judgeLastSegment, repairEnd } from './repair.ts';
import { nodeScheduler, type Scheduler } from './scheduler.ts';
import { nameSegment, prepareSegment, type Segment } from './segment.ts';
import { MACHINE_SECTION, pruneFolder, VIEWS_SECTION, type WokenSnapshot, wakeSnapshot, writeSnapshot } from './snapshots.ts';
import { lockFolder, type Owner, processOwner, type WriterLock } from './writer-lock.ts';

/** The views' part of a snapshot. */
export interface ViewsSection {
  save(): Uint8Array;
  restore(bytes: Uint8Array): void;
}

export interface RecoverOptions {
  readonly disk: Disk;
  readonly folder: string;
  /** A machine before its first command. */
  readonly createMachine: () => Machine;
  readonly views?: ViewsSection;
  /** Receives each batch that is executed again, in order; the next one waits for it. */
  readonly onExecuted?: (batch: readonly Executed[]) => void | Promise<void>;
  /** What the history store has applied: it must hear of everything after that, and the journal must reach it. */
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
  readonly badSnapshots: readonly string[];
}

export interface Started extends Recovered {
  readonly journal: Journal;
  /** How much of a torn batch was cut off the end. */
  readonly cutBytes: number;
}

interface Choice {
  readonly machine: Machine;
  readonly position: Position;
  readonly sequence: Sequence;
  readonly badSnapshots: readonly string[];
  readonly woken?: WokenSnapshot;
}

/** The newest good snapshot that is not too new, or a machine that begins at the beginning. */
async function chooseSnapshot(options: RecoverOptions, contents: FolderContents, notAfter: Sequence | undefined): Promise<Choice> {
  const { disk, folder, createMachine, views } = options;
  const badSnapshots: string[] = [];
  for (const named of contents.snapshots.toReversed()) {
    if (notAfter !== undefined && named.sequence > notAfter) continue;
    const woken = await wakeSnapshot(disk, folder, named, createMachine);
    if (!woken.good) badSnapshots.push(woken.reason);
    else if (views !== undefined && !woken.snapshot.sections.has(VIEWS_SECTION)) badSnapshots.push(`${named.name}: the views are missing`);
    else return { machine: woken.machine, position: woken.snapshot.position, sequence: named.sequence, badSnapshots, woken };
  }
  const oldest = contents.segments[0];
  if (oldest !== undefined && oldest.sequence !== 1) {
    const reasons = badSnapshots.length === 0 ? 'there is none that is old enough' : badSnapshots.join('; ');
    throw new DamagedJournal(`the journal begins here and no snapshot leads up to it (${reasons})`, {
      file: oldest.name,
      offset: 0,
      sequence: 1,
    });
  }
  return { machine: createMachine(), position: JOURNAL_START, sequence: 0 as Sequence, badSnapshots };
}

const batchText = ({ file, start, end }: FoundBatch): string =>
  `batch ${start.batch} (sequences ${start.sequence} to ${end.sequence - 1}) in ${file} at byte ${start.offset}`;

/** Executes a batch again and compares what it did with what it did the first time. */
function replayBatch(machine: Machine, batch: FoundBatch): readonly Executed[] {
  const said = `${batchText(batch)}, written by engine version ${batch.header.engineVersion}`;
  const executed = batch.records.map(({ sequence, at, command }) => {
    try {
      return machine.execute(commandIn(command), at);
    } catch (error) {
      if (!(error instanceof BrokenInvariant)) throw error;
      throw new DivergedReplay(`sequence ${sequence} of ${said} breaks an invariant when it is executed again: ${error.message}`, {
        cause: error,
      });
    }
  });
  const last = batch.end.sequence - 1;
  if (executed.length > 0 && (machine.sequence !== last || machine.digest() !== batch.digest)) {
    throw new DivergedReplay(
      `executing ${said} again gives sequence ${machine.sequence} and digest ${machine.digest()}, not ${last} and ${batch.digest}`,
    );
  }
  return executed;
}

async function replay(options: RecoverOptions, contents: FolderContents, choice: Choice, upTo: Sequence | undefined): Promise<Recovered> {
  const { machine, badSnapshots, woken } = choice;
  const section = woken?.snapshot.sections.get(VIEWS_SECTION);
  if (section !== undefined) options.views?.restore(section);

  let { position } = choice;
  const reached = (): boolean => upTo !== undefined && position.cursor.sequence - 1 >= upTo;
  if (contents.segments.length > 0 && !reached()) {
    for await (const batch of readBatches(options.disk, options.folder, contents.segments, position)) {
      if (upTo !== undefined && batch.end.sequence - 1 > upTo) break;
      const executed = replayBatch(machine, batch);
      position = batch.position;
      if (executed.length > 0) await options.onExecuted?.(executed);
      // Behind this a live writer may be at work: not a byte of it is looked at.
      if (reached()) break;
    }
  }
  return { machine, lastSequence: machine.sequence, snapshotSequence: choice.sequence, position, badSnapshots };
}

/** The journal must reach whatever is known to have been durable. */
function checkReach(folder: string, contents: FolderContents, { lastSequence }: Recovered, notAfter: Sequence | undefined): void {
  const place = { file: contents.segments.at(-1)?.name ?? folder, offset: 0, sequence: lastSequence + 1 };
  const newest = contents.snapshots.at(-1);
  if (newest !== undefined && contents.segments.length === 0) throw new DamagedJournal('there are snapshots but no journal', place);
  if (newest !== undefined && newest.sequence > lastSequence) throw new DamagedJournal(`the journal ends before ${newest.name}`, place);
  if (notAfter !== undefined && notAfter > lastSequence)
    throw new DamagedJournal(`the history store has applied sequence ${notAfter}, which the journal does not reach`, place);
}

async function createFirstSegment(options: StartOptions, segmentBytes: number, seed: number): Promise<Segment> {
  const { disk, folder } = options;
  const segment = await prepareSegment(disk, folder, segmentBytes, () => false);
  const { sequence, batch, chain } = JOURNAL_START.cursor;
  await nameSegment(disk, folder, segment, { seed, first: sequence, firstBatch: batch, previousChain: chain });
  return segment;
}

interface JournalEnd {
  readonly segment: Segment;
  readonly end: Position;
  readonly seed: number;
  readonly cutBytes: number;
}

/** The end of the last segment as a second look finds it; undefined where there is no segment. Reads only. */
async function judgeJournal(
  { disk, folder }: StartOptions,
  contents: FolderContents,
  choice: Choice,
  recovered: Recovered,
): Promise<JudgedEnd | undefined> {
  const last = contents.segments.at(-1);
  if (last === undefined) return undefined;
  const judged = await judgeLastSegment(disk, folder, last, last.sequence === choice.position.segment ? choice.position.cursor : undefined);
  const { sequence, batch, chain } = judged.end.cursor;
  const executed = recovered.position.cursor;
  // A disk that has lost what it failed to sync may answer the second time what it has, and not what was executed.
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
    return { segment: await createFirstSegment(options, segmentBytes, seed), end: JOURNAL_START, seed, cutBytes: 0 };
  }
  const { name, bytes, end, seed, cutBytes } = judged;
  await repairEnd(disk, folder, judged);
  const file = await disk.open(pathOf(folder, name), 'write');
  return { segment: { file, size: bytes.length - (bytes.length % SECTOR_BYTES) }, end, seed, cutBytes };
}

type OnExecuted = NonNullable<RecoverOptions['onExecuted']>;

/**
 * Passes batches on one late. All but the last are durable, since each was written only when the one before it was; the last may live in memory
 * only until the end of the journal is written afresh, and nobody may keep what it did before.
 */
function holdBackLast(pass: OnExecuted = () => {}): { readonly take: OnExecuted; readonly release: () => Promise<void> } {
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
    invariant(end.cursor.sequence === recovered.lastSequence + 1, 'the journal goes on behind what was executed');
    await lock.confirm();
    const journal = new FileJournal({ disk, folder, segmentBytes, seed, scheduler, release: () => lock.release() }, segment, end.cursor);
    await journal.ready();
    return { ...recovered, position: end, journal, cutBytes };
  } catch (error) {
    await segment.file.close();
    throw error;
  }
}

/** Brings a folder back to where it was and opens it for writing. Whatever stands in the way throws, and the folder is let go again. */
export async function recover(options: StartOptions): Promise<Started> {
  const lock = await lockFolder(options.disk, options.folder, options.owner ?? processOwner());
  try {
    return await startLocked(options, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * The state after the last batch that ends at or before a durable sequence, read beside a running writer without disturbing it; without a
 * sequence, the state at the end of a folder that nobody writes.
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

/** Recovers up to a durable sequence, writes what it finds as a snapshot, proves it, and prunes what no start needs any more. */
export async function makeSnapshot(options: SnapshotOptions): Promise<{ readonly sequence: Sequence; readonly stateHash: string }> {
  const { disk, folder, createMachine, views, neededFrom } = options;
  const { machine, position, snapshotSequence, lastSequence } = await recoverUpTo(options, options.upTo);
  const stateHash = machine.stateHash();
  if (lastSequence === snapshotSequence) return { sequence: lastSequence, stateHash };
  const sections = new Map([[MACHINE_SECTION, machine.serialize()]]);
  if (views !== undefined) sections.set(VIEWS_SECTION, views.save());
  await writeSnapshot(
    disk,
    folder,
    { sequence: lastSequence, at: machine.at, position, digest: machine.digest(), stateHash, sections },
    createMachine,
  );
  await pruneFolder(disk, folder, neededFrom);
  return { sequence: lastSequence, stateHash };
}
