/** `rialto replay`: replays a data folder in a new engine and prints the final state. */
import { checkRecordings, MissingRecording } from '../app/recordings/recordings.ts';
import { createEngine, type Engine } from '../core/engine.ts';
import type { Disk } from '../journal/disk.ts';
import { snapshotSequenceOf } from '../journal/file-names.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { listFolder, readSegment } from '../journal/reader.ts';
import { recoverUpTo } from '../journal/recovery.ts';
import { ENGINE_VERSION_OLDEST } from '../journal/version.ts';
import { CliError } from './cli-error.ts';
import { existingJournal, readableUpTo } from './existing-journal.ts';
import { describeError } from './explained.ts';

const withoutSnapshots: Disk = {
  ...nodeDisk,
  list: async (folder) =>
    (await nodeDisk.list(folder)).filter((name) => snapshotSequenceOf(name) === undefined),
};

/** Reads each file in full, because its rows affected the exchange's answers. */
function checkNamedRecordings(data: string, { state }: Engine): void {
  try {
    checkRecordings(data, state.recordings, true);
  } catch (error) {
    throw error instanceof MissingRecording ? new CliError(error.message) : error;
  }
}

export async function replay(options: { readonly data: string }): Promise<void> {
  const folder = existingJournal(options.data);
  const upTo = await describeError(readableUpTo(options.data));
  const { segments } = await describeError(listFolder(nodeDisk, folder));
  const [oldest] = segments;
  if (oldest === undefined) throw new CliError(`${folder} holds no journal`);
  const { header } = await describeError(readSegment(nodeDisk, folder, oldest));
  // Starts as early as this program can: a snapshot would skip the commands that replay should
  // verify.
  const fromStart = oldest.sequence === 1 && header.engineVersion >= ENGINE_VERSION_OLDEST;
  const disk = fromStart ? withoutSnapshots : nodeDisk;
  const begun = performance.now();
  let engine = createEngine();
  const createMachine = (): Engine => {
    engine = createEngine();
    return engine;
  };
  const { machine, lastSequence, snapshotSequence } = await describeError(
    recoverUpTo({ disk, folder, createMachine }, upTo),
  );
  checkNamedRecordings(options.data, engine);
  const seconds = (performance.now() - begun) / 1000;
  const from =
    snapshotSequence === 0 ? 'the first command' : `the snapshot of sequence ${snapshotSequence}`;
  process.stdout.write(
    `replayed from ${from} to sequence ${lastSequence} in ${seconds.toFixed(2)} s\n`,
  );
  process.stdout.write(`stateHash ${machine.stateHash()}\n`);
}
