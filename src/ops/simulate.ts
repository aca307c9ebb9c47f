/**
 * `rialto simulate`: runs the whole server without its sockets on commands and faults drawn from a
 * seed, and checks it throughout.
 */
import { type SimulateReport, simulate as simulateSeeds } from '../simulator/simulate.ts';
import { CliError } from './cli-error.ts';
import { wholeNumber } from './whole-number.ts';

export interface SimulateFlags {
  readonly seed: string;
  readonly seeds: string;
  readonly commands: string;
  readonly faults: string;
}

export async function simulate({
  seed,
  seeds,
  commands,
  faults,
}: SimulateFlags): Promise<SimulateReport> {
  const started = performance.now();
  const report = await simulateSeeds({
    firstSeed: wholeNumber(seed, '--seed'),
    seeds: wholeNumber(seeds, '--seeds', 1),
    commands: wholeNumber(commands, '--commands', 1),
    faults: faults !== 'off',
    onSeed: (done) =>
      console.log(
        `seed ${done.seed}: ${done.commands} commands, ${done.faults} faults, state ${done.stateHash.slice(0, 16)}`,
      ),
  }).catch((failure: unknown) => {
    throw new CliError(failure instanceof Error ? failure.message : String(failure));
  });
  for (const [what, times] of report.coverage.entries()) console.log(`  ${what}: ${times}`);
  const seconds = (performance.now() - started) / 1_000;
  console.log(
    `${report.commands} commands and ${report.faults} faults over ${report.seeds} seeds in ${seconds.toFixed(1)} s: every check passed`,
  );
  return report;
}
