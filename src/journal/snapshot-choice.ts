/**
 * Chooses where a recovery begins: the newest good snapshot that this program can restore, or the
 * first command.
 */
import { OtherVersion } from '../kernel/bytes.ts';
import type { Sequence } from '../kernel/ids.ts';
import type { Disk } from './disk.ts';
import { DamagedJournal, UnknownVersion } from './failures.ts';
import type { Machine } from './machine.ts';
import { type FolderContents, JOURNAL_START, type NamedFile, type Position } from './reader.ts';
import { restoreSnapshot, VIEWS_SECTION, type ViewsSection } from './snapshots.ts';

export interface SnapshotSource {
  readonly disk: Disk;
  readonly folder: string;
  /** A machine before its first command. */
  readonly createMachine: () => Machine;
  readonly views?: ViewsSection;
  /**
   * History is rebuilt and cannot receive everything. The oldest good snapshot from this sequence
   * on is used, so that history receives as much as possible.
   */
  readonly emitAgainFrom?: Sequence;
}

/** A snapshot that a recovery skipped. */
export interface PassedOver {
  readonly name: string;
  readonly reason: string;
  /** Whole, but in a state version that this program does not read. */
  readonly isOtherVersion: boolean;
}

export interface Choice {
  readonly machine: Machine;
  readonly position: Position;
  readonly sequence: Sequence;
  readonly badSnapshots: readonly PassedOver[];
  /** Makes the views those of the snapshot. */
  readonly restoreViews: () => void;
}

type Judged =
  | { readonly choice: Omit<Choice, 'badSnapshots'> }
  | { readonly passedOver: PassedOver };

async function judge(
  { disk, folder, createMachine, views }: SnapshotSource,
  named: NamedFile,
): Promise<Judged> {
  const { name, sequence } = named;
  const restored = await restoreSnapshot(disk, folder, named, createMachine);
  if (!restored.good)
    return {
      passedOver: { name, reason: restored.reason, isOtherVersion: restored.isOtherVersion },
    };
  const { machine, snapshot } = restored;
  const section = snapshot.sections.get(VIEWS_SECTION);
  if (views !== undefined && section === undefined)
    return {
      passedOver: { name, reason: `${name}: the views are missing`, isOtherVersion: false },
    };
  try {
    const restoreViews = section === undefined ? undefined : views?.read(section);
    return {
      choice: {
        machine,
        position: snapshot.position,
        sequence,
        restoreViews: () => restoreViews?.(),
      },
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return {
      passedOver: {
        name,
        reason: `${name}: ${error.message}`,
        isOtherVersion: error instanceof OtherVersion,
      },
    };
  }
}

/** Why a journal without its beginning cannot be used: no snapshot leads up to it. */
function nothingLeadsUp(oldest: NamedFile, badSnapshots: readonly PassedOver[]): Error {
  const reasons = badSnapshots.map(({ reason }) => reason).join('; ');
  if (badSnapshots.length > 0 && badSnapshots.every(({ isOtherVersion }) => isOtherVersion))
    return new UnknownVersion(
      `no snapshot here is one that this program reads (${reasons}), and the commands before ` +
        `sequence ${oldest.sequence} have been pruned. Use the program that wrote them.`,
    );
  const found = badSnapshots.length === 0 ? 'no snapshot is old enough' : reasons;
  return new DamagedJournal(`the journal begins here and no snapshot leads up to it (${found})`, {
    file: oldest.name,
    offset: 0,
    sequence: 1,
  });
}

/**
 * The newest good snapshot that is not too new, or the oldest that is not too old; without one, a
 * new machine.
 */
export async function chooseSnapshot(
  options: SnapshotSource,
  contents: FolderContents,
  notAfter: Sequence | undefined,
): Promise<Choice> {
  const { emitAgainFrom } = options;
  const badSnapshots: PassedOver[] = [];
  for (const named of emitAgainFrom === undefined
    ? contents.snapshots.toReversed()
    : contents.snapshots) {
    if (notAfter !== undefined && named.sequence > notAfter) continue;
    if (emitAgainFrom !== undefined && named.sequence < emitAgainFrom) continue;
    const judged = await judge(options, named);
    if ('choice' in judged) return { ...judged.choice, badSnapshots };
    badSnapshots.push(judged.passedOver);
  }
  const oldest = contents.segments[0];
  if (oldest !== undefined && oldest.sequence !== 1) throw nothingLeadsUp(oldest, badSnapshots);
  const machine = options.createMachine();
  return {
    machine,
    position: JOURNAL_START,
    sequence: 0 as Sequence,
    badSnapshots,
    restoreViews: () => undefined,
  };
}
