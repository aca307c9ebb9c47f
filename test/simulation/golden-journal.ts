/** Reads, replays and rewrites the golden journal in `golden/`. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createEngine } from '../../src/core/engine.ts';
import { readCommands } from '../../src/journal/reader.ts';
import { recover, recoverUpTo } from '../../src/journal/recovery.ts';
import { createSequencer } from '../../src/journal/sequencer.ts';
import { ENGINE_VERSION } from '../../src/journal/version.ts';
import type { CommandType } from '../../src/messages/commands.ts';
import { FOLDER } from '../../src/simulator/crash-simulation.ts';
import { createManualClock } from '../../src/simulator/manual-clock.ts';
import { SimulatedDisk } from '../../src/simulator/simulated-disk.ts';
import { namesOf, pathIn } from './folders.ts';
import { GOLDEN_START, goldenStory } from './golden-story.ts';

const GOLDEN = new URL('golden/', import.meta.url);
const EXPECTED = new URL('golden.json', GOLDEN);
/** Small, so that the journal has several segments. */
const SEGMENT_BYTES = 16 * 1024;

/** The end of the golden journal, as the program that wrote it recorded it. */
export interface GoldenEnd {
  readonly engineVersion: number;
  readonly sequence: number;
  /** Covers every outcome and event. */
  readonly digest: string;
  /** Covers the stored state. */
  readonly stateHash: string;
}

export const expectedEnd = (): GoldenEnd => JSON.parse(readFileSync(EXPECTED, 'utf8')) as GoldenEnd;

function goldenDisk(): SimulatedDisk {
  const disk = new SimulatedDisk(1);
  for (const name of readdirSync(GOLDEN))
    if (name.endsWith('.seg')) disk.place(pathIn(name), readFileSync(new URL(name, GOLDEN)));
  return disk;
}

/** Replays the journal from its first command; throws if behaviour differs. */
export async function replayGolden(): Promise<GoldenEnd> {
  const { machine, lastSequence } = await recoverUpTo({
    disk: goldenDisk().mount(),
    folder: FOLDER,
    createMachine: createEngine,
  });
  return {
    engineVersion: ENGINE_VERSION,
    sequence: lastSequence,
    digest: machine.digest(),
    stateHash: machine.stateHash(),
  };
}

export async function commandTypesInGolden(): Promise<ReadonlySet<CommandType>> {
  const types = new Set<CommandType>();
  for await (const { command } of readCommands(goldenDisk().mount(), FOLDER))
    types.add(command.type);
  return types;
}

/** Executes the story again and replaces the golden journal. */
export async function writeGolden(): Promise<GoldenEnd> {
  const disk = new SimulatedDisk(1);
  const clock = createManualClock(GOLDEN_START);
  const owner = { id: 'golden', isAlive: () => false };
  const { machine, journal } = await recover({
    disk: disk.mount(),
    folder: FOLDER,
    createMachine: createEngine,
    segmentBytes: SEGMENT_BYTES,
    scheduler: clock,
    owner,
    drawSeed: () => 7,
  });
  const onFatal = ({ reason }: { readonly reason: string }): never => {
    throw new Error(reason);
  };
  const sequencer = createSequencer({
    machine,
    journal,
    clock,
    scheduler: clock,
    publish: () => {},
    onFatal,
  });
  for (const command of goldenStory()) {
    clock.pass(1_000);
    await sequencer.submit(command);
  }
  await sequencer.stop();
  rmSync(GOLDEN, { recursive: true, force: true });
  mkdirSync(GOLDEN, { recursive: true });
  for (const name of namesOf(disk, '.seg'))
    writeFileSync(new URL(name, GOLDEN), disk.bytesOf(pathIn(name)));
  const end = {
    engineVersion: ENGINE_VERSION,
    sequence: machine.sequence,
    digest: machine.digest(),
    stateHash: machine.stateHash(),
  };
  writeFileSync(EXPECTED, `${JSON.stringify(end, undefined, 2)}\n`);
  return end;
}
