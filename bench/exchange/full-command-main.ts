/** Measures the full command in a process of its own, which the bench bundles first: as the program is built, so it is measured. */
import { type FullCommandOptions, measureFullCommand } from './full-command.ts';

const [options = '{}'] = process.argv.slice(2);
process.stdout.write(JSON.stringify(measureFullCommand(JSON.parse(options) as FullCommandOptions)));
