/**
 * Snapshots in a journal's folder. One is written under another name, synced, renamed, read back
 * and woken before anything older is pruned, so that a crash at any step leaves an older snapshot
 * and the journal behind it.
 */
import { OtherVersion } from '../kernel/bytes.ts';
import type { Sequence } from '../kernel/ids.ts';
import type { Disk } from './disk.ts';
import { UnknownVersion, UnprovedSnapshot } from './failures.ts';
import { pathOf, snapshotName, unfinishedName } from './file-names.ts';
import type { Machine } from './machine.ts';
import { listFolder, type NamedFile } from './reader.ts';
import { type Snapshot, snapshotFrom, snapshotParts } from './snapshot-file.ts';
import { readFile, writeWhole } from './whole-file.ts';

export const MACHINE_SECTION = 'machine';
export const VIEWS_SECTION = 'views';

/** The views' part of a snapshot. */
export interface ViewsSection {
  save(): Uint8Array;
  /**
   * Reads what was saved and answers what makes the views be that. Throws when it cannot be read,
   * and has changed nothing.
   */
  read(bytes: Uint8Array): () => void;
}

/**
 * The newest and the one before it: when one turns out bad there is another, with all of the
 * journal behind it.
 */
const SNAPSHOTS_KEPT = 2;

/** A snapshot with the machine it woke, whose own hash was compared. */
export interface WokenSnapshot {
  readonly snapshot: Snapshot;
  readonly machine: Machine;
}

export type SnapshotJudgement =
  | ({ readonly good: true } & WokenSnapshot)
  /** Of another version: whole, but of a shape that this program does not read. */
  | { readonly good: false; readonly reason: string; readonly isOtherVersion: boolean };

/**
 * Reads a snapshot and wakes a machine from it; anything short of the very state that was written
 * makes it a bad one.
 */
export async function wakeSnapshot(
  disk: Disk,
  folder: string,
  { name, sequence }: NamedFile,
  createMachine: () => Machine,
): Promise<SnapshotJudgement> {
  const bad = (reason: string, isOtherVersion = false): SnapshotJudgement => ({
    good: false,
    reason: `${name}: ${reason}`,
    isOtherVersion,
  });
  try {
    const snapshot = snapshotFrom(name, await readFile(disk, folder, name));
    const section = snapshot.sections.get(MACHINE_SECTION);
    if (section === undefined) return bad('the machine is missing');
    if (snapshot.sequence !== sequence) return bad(`it holds sequence ${snapshot.sequence}`);
    const machine = createMachine();
    machine.restore(section);
    if (machine.sequence !== snapshot.sequence || machine.at !== snapshot.at)
      return bad(`the machine wakes at sequence ${machine.sequence}`);
    if (machine.digest() !== snapshot.digest) return bad('the machine wakes with another digest');
    const stateHash = machine.stateHash();
    if (stateHash !== snapshot.stateHash)
      return bad(`the state hash is ${stateHash}, not ${snapshot.stateHash}`);
    return { good: true, snapshot, machine };
  } catch (error) {
    if (error instanceof UnknownVersion) throw error;
    if (error instanceof Error) return bad(error.message, error instanceof OtherVersion);
    throw error;
  }
}

/**
 * Whether the bytes of a snapshot are those that were written; one that cannot be read is as bad as
 * a changed one.
 */
export async function isWholeSnapshot(
  disk: Disk,
  folder: string,
  { name, sequence }: NamedFile,
): Promise<boolean> {
  try {
    return snapshotFrom(name, await readFile(disk, folder, name)).sequence === sequence;
  } catch (error) {
    if (error instanceof UnknownVersion) throw error;
    return false;
  }
}

/**
 * Writes a snapshot and answers its name once it is durable and proved: read back and woken. Throws
 * when it cannot be, and removes nothing older.
 */
export async function writeSnapshot(
  disk: Disk,
  folder: string,
  snapshot: Omit<Snapshot, 'engineVersion'>,
  createMachine: () => Machine,
): Promise<string> {
  const name = snapshotName(snapshot.sequence);
  const unfinished = unfinishedName(name);
  const { unfinished: leftovers } = await listFolder(disk, folder);
  if (leftovers.includes(unfinished)) await disk.remove(pathOf(folder, unfinished));

  const file = await disk.open(pathOf(folder, unfinished), 'create');
  try {
    let position = 0;
    for (const part of snapshotParts(snapshot)) {
      await writeWhole(file, part, position);
      position += part.length;
    }
    await file.sync();
  } catch (error) {
    // What a full disk took is given back; the next attempt starts afresh.
    await file.close();
    await disk.remove(pathOf(folder, unfinished));
    throw error;
  }
  await file.close();
  await disk.rename(pathOf(folder, unfinished), pathOf(folder, name));
  await disk.syncFolder(folder);

  const judgement = await wakeSnapshot(
    disk,
    folder,
    { name, sequence: snapshot.sequence },
    createMachine,
  );
  if (!judgement.good)
    throw new UnprovedSnapshot(
      `a snapshot just written is not what it should be: ${judgement.reason}`,
    );
  return name;
}

export interface PruneOptions {
  /** What the history store has applied: a snapshot that is not newer stays. */
  readonly neededFrom?: Sequence | undefined;
  /** Names of snapshots that this program could not start from, whole or not. */
  readonly useless?: ReadonlySet<string>;
}

/**
 * The good snapshots that stay: the newest two, and one that is not newer than what the history
 * store has applied.
 */
async function keptSnapshots(
  disk: Disk,
  folder: string,
  newestFirst: readonly NamedFile[],
  { neededFrom, useless }: PruneOptions,
): Promise<NamedFile[]> {
  const kept: NamedFile[] = [];
  for (const snapshot of newestFirst) {
    const serves = neededFrom === undefined || kept.some(({ sequence }) => sequence <= neededFrom);
    if (kept.length >= SNAPSHOTS_KEPT && serves) break;
    if (kept.length >= SNAPSHOTS_KEPT && neededFrom !== undefined && snapshot.sequence > neededFrom)
      continue;
    if (useless?.has(snapshot.name) !== true && (await isWholeSnapshot(disk, folder, snapshot)))
      kept.push(snapshot);
  }
  return kept;
}

/**
 * Removes what no start can need any more. While fewer than two snapshots are good, everything
 * stays.
 */
export async function pruneFolder(
  disk: Disk,
  folder: string,
  options: PruneOptions,
): Promise<void> {
  const { neededFrom } = options;
  const { segments, snapshots } = await listFolder(disk, folder);
  const kept = await keptSnapshots(disk, folder, snapshots.toReversed(), options);
  const oldest = kept.at(-1);
  if (
    oldest === undefined ||
    kept.length < SNAPSHOTS_KEPT ||
    (neededFrom !== undefined && oldest.sequence > neededFrom)
  )
    return;

  const { position } = snapshotFrom(oldest.name, await readFile(disk, folder, oldest.name));
  const names = [
    ...snapshots.filter((snapshot) => !kept.includes(snapshot)),
    ...segments.filter(({ sequence }) => sequence < position.segment),
  ].map(({ name }) => name);
  if (names.length === 0) return;
  for (const name of names) await disk.remove(pathOf(folder, name));
  await disk.syncFolder(folder);
}
