/**
 * Executes a batch of the journal again, and checks that the result matches the first execution.
 */
import { BrokenInvariant } from '../kernel/invariant.ts';
import { DivergedReplay, UnknownVersion } from './failures.ts';
import type { Executed, Machine } from './machine.ts';
import { commandIn, type FoundBatch } from './reader.ts';
import { ENGINE_VERSION, ENGINE_VERSION_OLDEST } from './version.ts';

/**
 * Refuses commands of an engine version that this program would execute differently. An empty batch
 * passes.
 */
function checkExecutable({ records, file, header: { engineVersion } }: FoundBatch): void {
  const [first] = records;
  if (first === undefined || engineVersion >= ENGINE_VERSION_OLDEST) return;
  throw new UnknownVersion(
    `${file} holds commands from sequence ${first.sequence} on that engine version ` +
      `${engineVersion} executed; this is version ${ENGINE_VERSION} and would execute them ` +
      'differently. ' +
      `Run \`rialto snapshot\` of the program with engine version ${engineVersion} on this ` +
      'folder: this one continues from there.',
  );
}

const batchText = ({ file, start, end }: FoundBatch): string =>
  `batch ${start.batch} (sequences ${start.sequence} to ${end.sequence - 1}) in ${file} at ` +
  `byte ${start.offset}`;

/**
 * Executes a batch again and compares the result with the recorded digest; `between` runs between
 * two commands.
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
        `sequence ${sequence} of ${input} breaks an invariant when it is executed again: ` +
          `${error.message}`,
        {
          cause: error,
        },
      );
    }
  });
  const last = batch.end.sequence - 1;
  if (executed.length > 0 && (machine.sequence !== last || machine.digest() !== batch.digest)) {
    throw new DivergedReplay(
      `executing ${input} again gives sequence ${machine.sequence} and digest ` +
        `${machine.digest()}, not ${last} and ${batch.digest}`,
    );
  }
  return executed;
}
