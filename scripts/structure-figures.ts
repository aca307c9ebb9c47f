/**
 * Computes figures about the structure of the source: cycles, imports between domains, file sizes
 * and rules.
 */
import { getOrMake } from '../src/kernel/get-or-make.ts';
import { importsOf } from '../test/tidy/imports.ts';
import { rulesIn } from '../test/tidy/rule-checks.ts';
import type { SourceFile } from '../test/tidy/source-text.ts';

/** For each file, the files that it imports. */
type Imports = ReadonlyMap<string, readonly string[]>;

const isTest = ({ path }: SourceFile): boolean => /\.(?:test|test-support)\.ts$/.test(path);

/** Statements that import types alone. */
const NAMED_TYPE = String.raw`\s*type\s+[\w$]+(?:\s+as\s+[\w$]+)?\s*,?`;
const TYPE_IMPORT = new RegExp(
  String.raw`\bimport\s+type\b[^;]*;|\bimport\s*\{(?:${NAMED_TYPE})+\}\s*from[^;]*;`,
  'g',
);

/** With type imports or without them. */
export function importsAmong(files: readonly SourceFile[], kind: 'all' | 'values'): Imports {
  const paths = new Set(files.map(({ path }) => path));
  const importedBy = ({ path, text }: SourceFile): readonly string[] => {
    const looked = kind === 'all' ? text : text.replace(TYPE_IMPORT, '');
    const found = importsOf({ path, text: looked }).map((each) => each.path);
    return [...new Set(found)].filter((each) => each !== undefined && paths.has(each)) as string[];
  };
  return new Map(files.map((file) => [file.path, importedBy(file)]));
}

/** Files that one file imports, directly or through others. */
function reachedFrom(imports: Imports, start: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...(imports.get(start) ?? [])];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    open.push(...(imports.get(file) ?? []));
  }
  return reached;
}

/** Groups of files that all import each other, directly or through others; largest first. */
export function cyclesIn(imports: Imports): readonly (readonly string[])[] {
  const reached = new Map([...imports.keys()].map((file) => [file, reachedFrom(imports, file)]));
  const seen = new Set<string>();
  const cycles: string[][] = [];
  for (const [file, ahead] of reached) {
    if (seen.has(file) || !ahead.has(file)) continue;
    const cycle = [...ahead].filter((other) => reached.get(other)!.has(file)).sort();
    for (const member of cycle) seen.add(member);
    cycles.push(cycle);
  }
  return cycles.sort((one, other) => other.length - one.length);
}

const CORE = 'src/core/';
/** The domain folder of a file of the core; undefined for the tables and the state beside them. */
const domainOf = (path: string): string | undefined =>
  path.startsWith(CORE) ? /^([^/]+)\//.exec(path.slice(CORE.length))?.[1] : undefined;

interface DomainFigures {
  /** `one ⇄ other` for domains that import each other. */
  readonly twoWay: readonly string[];
  /** Domains from the bottom up, so that few imports point up. */
  readonly order: readonly string[];
  /** Value imports that point up in that order. */
  readonly upward: number;
}

/** Number of imports from files of one domain to files of another. */
type Arrows = ReadonlyMap<string, ReadonlyMap<string, number>>;

function arrowsIn(imports: Imports): Arrows {
  const arrows = new Map<string, Map<string, number>>();
  for (const [file, imported] of imports) {
    const from = domainOf(file);
    if (from === undefined) continue;
    const row = getOrMake(arrows, from, () => new Map<string, number>());
    for (const to of imported.map(domainOf))
      if (to !== undefined && to !== from) row.set(to, (row.get(to) ?? 0) + 1);
  }
  return arrows;
}

const upwardIn = (arrows: Arrows, order: readonly string[]): number =>
  order.reduce((sum, from, place) => {
    const above = order.slice(place + 1);
    return above.reduce((count, to) => count + (arrows.get(from)?.get(to) ?? 0), sum);
  }, 0);

/** Moves one domain at a time to its best place, until no move helps. */
function bestOrder(arrows: Arrows): readonly string[] {
  let best = [...arrows.keys()].sort();
  let least = upwardIn(arrows, best);
  for (let isBetter = true; isBetter; ) {
    isBetter = false;
    for (const domain of [...best])
      for (let place = 0; place < best.length; place++) {
        const others = best.filter((other) => other !== domain);
        const tried = [...others.slice(0, place), domain, ...others.slice(place)];
        const upward = upwardIn(arrows, tried);
        if (upward >= least) continue;
        [best, least, isBetter] = [tried, upward, true];
      }
  }
  return best;
}

export function domainFigures(all: Imports, values: Imports): DomainFigures {
  const arrows = arrowsIn(all);
  const twoWay = [...arrows].flatMap(([one, row]) =>
    [...row.keys()].flatMap((other) =>
      one < other && arrows.get(other)?.has(one) === true ? [`${one} ⇄ ${other}`] : [],
    ),
  );
  const ofValues = arrowsIn(values);
  const order = bestOrder(ofValues);
  return { twoWay: twoWay.sort(), order, upward: upwardIn(ofValues, order) };
}

const linesOf = ({ text }: SourceFile): number => text.split('\n').length - 1;

interface SizeFigures {
  readonly coreFiles: number;
  readonly coreLines: number;
  /** Files under 40 lines, anywhere in src. */
  readonly small: number;
  readonly files: number;
}

const SMALL_BELOW = 40;

export function sizeFigures(files: readonly SourceFile[]): SizeFigures {
  const core = files.filter(({ path }) => path.startsWith(CORE));
  return {
    files: files.length,
    coreFiles: core.length,
    coreLines: core.reduce((sum, file) => sum + linesOf(file), 0),
    small: files.filter((file) => linesOf(file) < SMALL_BELOW).length,
  };
}

interface RuleFigures {
  readonly total: number;
  readonly over: Readonly<Record<240 | 300 | 400, number>>;
}

/** Measures the sentence of each rule alone. */
export function ruleFigures(documents: readonly SourceFile[]): RuleFigures {
  const lengths = documents.flatMap(rulesIn).map(({ sentence }) => sentence.length);
  const over = (length: number): number => lengths.filter((each) => each > length).length;
  return { total: lengths.length, over: { 240: over(240), 300: over(300), 400: over(400) } };
}

export const shipped = (files: readonly SourceFile[]): readonly SourceFile[] =>
  files.filter((file) => file.path.startsWith('src/') && !isTest(file));
