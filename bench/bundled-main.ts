/**
 * Runs one measurement in this process and writes its rows. The bench bundles this file first, as
 * the program is built.
 */
import { measureDurable } from './exchange/durable.ts';
import { measureFullCommand } from './exchange/full-command.ts';
import { benchJournal } from './journal.ts';
import { measureReplay } from './replay.ts';
import type { Measured } from './rows.ts';

const MEASUREMENTS = {
  fullCommand: measureFullCommand,
  durable: measureDurable,
  journal: benchJournal,
  replay: measureReplay,
};

export type Measurement = keyof typeof MEASUREMENTS;
export type OptionsOf<Name extends Measurement> = Parameters<(typeof MEASUREMENTS)[Name]>[0];

const [name, options] = process.argv.slice(2) as [Measurement, string];
const measure = MEASUREMENTS[name] as (options: unknown) => Measured[] | Promise<Measured[]>;
process.stdout.write(JSON.stringify(await measure(JSON.parse(options))));
