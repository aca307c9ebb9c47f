/**
 * Executes a batch of the journal again, and makes sure that it does what it did the first time.
 */
import { BrokenInvariant } from '../kernel/invariant.ts';
import { DivergedReplay, UnknownVersion } from './failures.ts';
import type { Executed, Machine } from './machine.ts';
import { commandIn, type FoundBatch } from './reader.ts';
import { ENGINE_VERSION, ENGINE_VERSION_OLDEST } from './version.ts';

/**
 * Refuses commands that this program would execute differently than the one that took them in. An
 * empty batch holds none.
 */
function checkExecutable({ records, file, header: { engineVersion } }: FoundBatch): void {
  const [first] = records;
  if (first === undefined || engineVersion >= ENGINE_VERSION_OLDEST) return;
  throw new UnknownVersion(
    `${file} holds commands from sequence ${first.sequence} on that engine version ${engineVersion} executed; this is version ${ENGINE_VERSION} and would execute them differently. ` +
      `Run \`rialto snapshot\` of the program with engine version ${engineVersion} on this folder: this one goes on from there.`,
  );
}

const batchText = ({ file, start, end }: FoundBatch): string =>
  `batch ${start.batch} (sequences ${start.sequence} to ${end.sequence - 1}) in ${file} at byte ${start.offset}`;

/**
 * Executes a batch again and compares what it did with what it did the first time; `between` two
 * commands others may be let in.
 */
export function replayBatch(
  machine: Machine,
  batch: FoundBatch,
  between?: () => void,
): readonly Executed[] {
  checkExecutable(batch);
  const input = `${batchText(batch)}, written by engine version ${batch.header.engineVersion}`;
  const executed = batch.records.map(({ sequence, at, command }) => {
    between?.();
    try {
      return machine.execute(commandIn(command), at);
    } catch (error) {
      if (!(error instanceof BrokenInvariant)) throw error;
      throw new DivergedReplay(
        `sequence ${sequence} of ${input} breaks an invariant when it is executed again: ${error.message}`,
        {
          cause: error,
        },
      );
    }
  });
  const last = batch.end.sequence - 1;
  if (executed.length > 0 && (machine.sequence !== last || machine.digest() !== batch.digest)) {
    throw new DivergedReplay(
      `executing ${input} again gives sequence ${machine.sequence} and digest ${machine.digest()}, not ${last} and ${batch.digest}`,
    );
  }
  return executed;
}
