/**
 * Manages snapshots in a journal's folder. A snapshot is written under another name, synced,
 * renamed, read back and restored before older ones are pruned. So a crash at any step leaves an
 * older snapshot and the journal after it.
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
   * Decodes saved bytes and returns a function that restores the views. Throws, and changes
   * nothing, if the bytes cannot be read.
   */
  read(bytes: Uint8Array): () => void;
}

/** Two snapshots stay: if the newest is bad, the other one and the journal after it still work. */
const SNAPSHOTS_MAX = 2;

/** A snapshot with its restored machine, whose own hash was compared. */
export interface RestoredSnapshot {
  readonly snapshot: Snapshot;
  readonly machine: Machine;
}

export type SnapshotJudgement =
  | ({ readonly good: true } & RestoredSnapshot)
  /** Another version: whole, but this program cannot read it. */
  | { readonly good: false; readonly reason: string; readonly isOtherVersion: boolean };

/**
 * Reads a snapshot and restores a machine from it; any difference from the written state makes it
 * bad.
 */
export async function restoreSnapshot(
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
      return bad(`the machine restores at sequence ${machine.sequence}`);
    if (machine.digest() !== snapshot.digest)
      return bad('the machine restores with another digest');
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

/** Whether a snapshot's bytes are unchanged; an unreadable one counts as changed. */
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
 * Writes a snapshot and returns its name once it is durable and was read back and restored. Throws
 * on failure and removes nothing older.
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
    // Frees the space on a full disk, so that the next attempt starts clean.
    await file.close();
    await disk.remove(pathOf(folder, unfinished));
    throw error;
  }
  await file.close();
  await disk.rename(pathOf(folder, unfinished), pathOf(folder, name));
  await disk.syncFolder(folder);

  const judgement = await restoreSnapshot(
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
  /** Last sequence applied by the history store; a snapshot at or before it is kept. */
  readonly neededFrom?: Sequence | undefined;
  /** Names of snapshots that this program could not start from, whether whole or not. */
  readonly useless?: ReadonlySet<string>;
}

/**
 * The good snapshots to keep: the newest two, and one at or before what the history store has
 * applied.
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
    if (kept.length >= SNAPSHOTS_MAX && serves) break;
    if (kept.length >= SNAPSHOTS_MAX && neededFrom !== undefined && snapshot.sequence > neededFrom)
      continue;
    if (useless?.has(snapshot.name) !== true && (await isWholeSnapshot(disk, folder, snapshot)))
      kept.push(snapshot);
  }
  return kept;
}

/**
 * Removes files that no start needs any more. With fewer than two good snapshots, everything stays.
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
    kept.length < SNAPSHOTS_MAX ||
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
