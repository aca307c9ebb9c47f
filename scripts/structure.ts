/** `npm run structure`: prints the figures that track the structure of the source. */
import { ruleDocuments, sources } from '../test/tidy/repository.ts';
import { orderWay } from './order-way.ts';
import {
  cyclesIn,
  domainFigures,
  importsAmong,
  ruleFigures,
  shipped,
  sizeFigures,
} from './structure-figures.ts';

const say = (name: string, value: string | number): void => console.log(`${name}: ${value}`);
const sizes = (cycles: readonly (readonly string[])[]): string =>
  cycles.length === 0 ? 'none' : `${cycles.map(({ length }) => length).join(', ')} files`;

const files = shipped(sources);
const all = importsAmong(files, 'all');
const values = importsAmong(files, 'values');
const domains = domainFigures(all, values);
const { coreFiles, coreLines, small, files: count } = sizeFigures(files);
const rules = ruleFigures(ruleDocuments);

say('import cycles in src, type imports too', sizes(cyclesIn(all)));
say('import cycles in src, values alone', sizes(cyclesIn(values)));
say('two-way pairs of domain folders in src/core', domains.twoWay.length);
say('value imports that point up in the best order of them', domains.upward);
for (const end of ['rests', 'trades'] as const) {
  const way = orderWay(end);
  say(
    `core on the way of one futures order that ${end}`,
    `${way.files} files, ${way.functions} functions`,
  );
}
say('src/core', `${coreLines} lines in ${coreFiles} files`);
say('files in src under 40 lines', `${small} of ${count}`);
say('rules', rules.total);
for (const [length, over] of Object.entries(rules.over))
  say(`rules over ${length} characters`, over);
if (process.argv.includes('--names')) {
  for (const cycle of cyclesIn(all)) console.log(`cycle: ${cycle.join(' ')}`);
  for (const pair of domains.twoWay) console.log(`two-way: ${pair}`);
  console.log(`order: ${domains.order.join(' ')}`);
}
