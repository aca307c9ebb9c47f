/** `npm run compare`: runs two versions on the same streams, names the first difference and fails if there is one. */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Comparison } from './comparison.ts';
import { versionOf, versionOfTree } from './versions.ts';

const GOLDEN = fileURLToPath(new URL('../simulation/golden', import.meta.url));

const { values } = parseArgs({
  options: {
    old: { type: 'string', default: 'HEAD' },
    /** The working tree if it is left out. */
    new: { type: 'string' },
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '4' },
    /** For each seed. */
    commands: { type: 'string', default: '2500' },
    /** In place of crowds and the golden journal. */
    journal: { type: 'string' },
    /** `old=new`, as often as needed. */
    rename: { type: 'string', multiple: true, default: [] },
  },
});

/** Answers are asked for so often in each stream, the end among them. */
const CHECKPOINTS = 2;

const said = new Map(values.rename.map((pair) => pair.split('=', 2) as [string, string]));
const number = (text: string): number => Number.parseInt(text, 10);

async function compareAll(comparison: Comparison): Promise<string | undefined> {
  if (values.journal !== undefined)
    return comparison.ofJournal(values.journal, Number.MAX_SAFE_INTEGER);
  const inGolden = await comparison.ofJournal(GOLDEN, Number.MAX_SAFE_INTEGER);
  if (inGolden !== undefined) return `golden journal, ${inGolden}`;
  const commands = number(values.commands);
  const first = number(values.seed);
  for (let seed = first; seed < first + number(values.seeds); seed++) {
    const found = await comparison.ofCrowd(seed, commands, Math.ceil(commands / CHECKPOINTS));
    if (found !== undefined) return found;
  }
  return undefined;
}

const started = performance.now();
const old = await versionOf(values.old);
const renewed = await (values.new === undefined ? versionOfTree('tree') : versionOf(values.new));
const comparison = new Comparison(old, renewed, said);
const found = await compareAll(comparison);
for (const rename of comparison.renames()) console.log(`renamed: ${rename}`);
const { commands, events, answers } = comparison.counts;
const { user, system } = process.cpuUsage();
const times = `${((performance.now() - started) / 1_000).toFixed(1)} s, ${((user + system) / 1_000_000).toFixed(1)} s of them on a core`;
console.log(`${commands} commands, ${events} events and ${answers} answers compared in ${times}`);
if (found === undefined) console.log('no difference');
else {
  console.log(`DIFFERENT: ${found}`);
  process.exitCode = 1;
}
