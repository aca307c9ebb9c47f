/** Queries a run before and after each kind of restart. */
import { Program } from './program.ts';
import { RecordedRun } from './recorded-run.ts';

/** What happens to the program between two rounds of questions. */
const TURNS: readonly (readonly [name: string, turn: (program: Program) => Promise<void>])[] = [
  ['as it is', async () => {}],
  ['stored, with a snapshot', (program) => program.takeSnapshot()],
  ['started from the journal', (program) => program.restartFromJournal()],
  ['killed and started from the snapshot', (program) => program.restartFromSnapshot('killed')],
  ['stopped and started from the snapshot', (program) => program.restartFromSnapshot('stopped')],
];
/** Before this round the exchange rests until the first rows are older than any window. */
const RESTED = 'started from the journal';
const REST_DAYS = 30;

export interface Length {
  readonly firstSteps: number;
  /** Before each round. */
  readonly steps: number;
}

/** `asking` starts with the run and returns the questions for each round. */
export async function askThroughStarts(
  seed: number,
  { firstSteps, steps }: Length,
  asking: (run: RecordedRun, program: Program) => (turn: string) => Promise<void>,
): Promise<void> {
  const run = new RecordedRun(seed);
  const program = await Program.start(run);
  const ask = asking(run, program);
  try {
    run.steps(firstSteps);
    for (const [name, turn] of TURNS) {
      run.steps(steps);
      if (name === RESTED) run.rest(REST_DAYS);
      await turn(program);
      await ask(name);
    }
  } finally {
    await program.stop();
  }
}
