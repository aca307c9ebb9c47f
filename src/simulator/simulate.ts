/** Simulates many seeds, one after another, for `rialto simulate` and the tests. */
import { Coverage } from './coverage.ts';
import { portionsOf } from './drawn-portions.ts';
import { shrink } from './shrinking.ts';
import {
  type ExecutedCommand,
  SimulationFailure,
  type SimulationReport,
  simulateSeed,
} from './simulation.ts';

export interface SimulateOptions {
  readonly firstSeed: number;
  readonly seeds: number;
  /** The number of commands for each seed. */
  readonly commands: number;
  readonly faults: boolean;
  readonly onSeed?: (report: SimulationReport) => void;
}

export interface SimulateReport {
  readonly seeds: number;
  readonly commands: number;
  readonly faults: number;
  readonly coverage: Coverage;
}

export const repeatWith = (seed: number, commands: number, faults: boolean): string =>
  `npm run simulate -- --seed ${seed} --commands ${commands} --faults ${faults ? 'on' : 'off'}`;

/** Only what a replay needs; histories also have outcomes, which may contain money. */
const executedText = ({ command, at }: ExecutedCommand): string => JSON.stringify({ command, at });

/**
 * Describes the failure: the broken invariant, the shell command that repeats it, and the shortest
 * failing history.
 */
export function explain({ message, plan, history }: SimulationFailure): string {
  const short = shrink(history, portionsOf(plan.seed));
  const lines = [
    `seed ${plan.seed} failed: ${message}`,
    `repeat with: ${repeatWith(plan.seed, plan.commands, plan.faults)}`,
  ];
  if (short === undefined)
    lines.push(
      `only a failing disk causes it: the same ${history.length} commands pass without a disk`,
    );
  else
    lines.push(
      `shrunk from ${history.length} commands to ${short.length}:`,
      ...short.map(executedText),
    );
  return lines.join('\n');
}

/** Throws an explained failure at the first seed that fails. */
export async function simulate({
  firstSeed,
  seeds,
  commands,
  faults,
  onSeed,
}: SimulateOptions): Promise<SimulateReport> {
  const coverage = new Coverage();
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    try {
      const report = await simulateSeed({ seed, commands, faults });
      coverage.add(report.coverage);
      onSeed?.(report);
    } catch (failure) {
      if (!(failure instanceof SimulationFailure)) throw failure;
      throw new Error(explain(failure), { cause: failure });
    }
  }
  return { seeds, commands: coverage.of('commands'), faults: coverage.of('faults'), coverage };
}
