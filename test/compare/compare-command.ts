/** `npm run compare`: runs two versions on the same streams and fails at the first difference. */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { wholeNumber } from '../../src/ops/whole-number.ts';
import { Comparison } from './comparison.ts';
import { versionOf, versionOfTree } from './versions.ts';

const GOLDEN = fileURLToPath(new URL('../simulation/golden', import.meta.url));

const { values } = parseArgs({
  options: {
    old: { type: 'string', default: 'HEAD' },
    /** The working tree if omitted. */
    new: { type: 'string' },
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '4' },
    /** For each seed. */
    commands: { type: 'string', default: '2500' },
    /** Replaces crowds and the golden journal. */
    journal: { type: 'string' },
    /** `old=new`, as often as needed. */
    rename: { type: 'string', multiple: true, default: [] },
  },
});

const input = new Map(values.rename.map((pair) => pair.split('=', 2) as [string, string]));
const commandsEach = wholeNumber(values.commands, '--commands', 1);
const first = wholeNumber(values.seed, '--seed');
const seeds = wholeNumber(values.seeds, '--seeds', 1);

async function compareAll(comparison: Comparison): Promise<string | undefined> {
  if (values.journal !== undefined) return comparison.ofJournal(values.journal);
  const inGolden = await comparison.ofJournal(GOLDEN);
  if (inGolden !== undefined) return `golden journal, ${inGolden}`;
  for (let seed = first; seed < first + seeds; seed++) {
    const found = await comparison.ofCrowd(seed, commandsEach);
    if (found !== undefined) return found;
  }
  return undefined;
}

const started = performance.now();
const old = await versionOf(values.old);
const renewed = await (values.new === undefined ? versionOfTree('tree') : versionOf(values.new));
const comparison = new Comparison(old, renewed, input);
const found = await compareAll(comparison);
for (const rename of comparison.renames()) console.log(`renamed: ${rename}`);
const { commands, events, answers, kinds } = comparison.counts;
const { user, system } = process.cpuUsage();
const seconds = ((performance.now() - started) / 1_000).toFixed(1);
const onCore = ((user + system) / 1_000_000).toFixed(1);
console.log(`${commands} commands, ${events} events of ${kinds.size} kinds, ${answers} answers`);
console.log(`compared in ${seconds} s, with ${onCore} s of processor time`);
if (found === undefined) console.log('no difference');
else {
  console.log(`DIFFERENT: ${found}`);
  process.exitCode = 1;
}
