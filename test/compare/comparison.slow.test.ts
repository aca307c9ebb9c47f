import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import type { ComparedProgram, Happened } from './compared.ts';
import { Comparison, type Version } from './comparison.ts';
import { versionOfTree } from './versions.ts';

const GOLDEN = fileURLToPath(new URL('../simulation/golden', import.meta.url));
const COMMANDS = 400;
const PLANTED_AT = 300;

let present: Version;
beforeAll(async () => {
  present = await versionOfTree('present');
});

type Fields = Readonly<Record<string, unknown>>;

/** The present program, with one change in what it reports of a command. */
const changed = (change: (happened: Happened, executed: number) => Happened): Version => ({
  ...present,
  module: {
    createProgram: (seed): ComparedProgram => {
      const program = present.module.createProgram(seed);
      let executed = 0;
      return { ...program, execute: (row) => change(program.execute(row), ++executed) };
    },
  },
});

/** Applies to the first command from a place on that has events. */
const once = (
  change: (happened: Happened) => Happened,
): ((happened: Happened, executed: number) => Happened) => {
  let isDone = false;
  return (happened, executed) => {
    if (isDone || executed < PLANTED_AT || happened.events.length === 0) return happened;
    isDone = true;
    return change(happened);
  };
};

const compare = (other: Version): Promise<string | undefined> =>
  new Comparison(present, other).ofCrowd(2, COMMANDS);

/** Replaces one text of the file whose path has this end. */
const planted = (end: string, right: RegExp, wrong: string): Plugin => ({
  name: 'planted',
  setup: (build) => {
    build.onLoad({ filter: new RegExp(`${end.replaceAll('.', '\\.')}$`) }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      expect(text, path).toMatch(right);
      return { contents: text.replace(right, wrong), loader: 'ts' };
    });
  },
});

test('[SIM-15] a version equals itself, on a crowd and on the golden journal', async () => {
  const comparison = new Comparison(present, present);
  expect(await comparison.ofCrowd(2, COMMANDS)).toBeUndefined();
  expect(await comparison.ofJournal(GOLDEN)).toBeUndefined();
  expect(comparison.renames()).toEqual([]);
  expect(comparison.counts.answers).toBeGreaterThan(1_000);
});

test('[SIM-15] a missing event is found', async () => {
  const version = changed(
    once((happened) => ({ ...happened, events: happened.events.slice(0, -1) })),
  );
  expect(await compare(version)).toMatch(/^seed 2, sequence 30\d, event\[\d+\].* became nothing/);
});

test('[SIM-15] two events in the other order are found', async () => {
  const other = await compare(
    changed((happened) => ({ ...happened, events: happened.events.toReversed() })),
  );
  expect(other).toMatch(/^seed 2, sequence \d+, event\[0\]/);
});

test('[SIM-15] one unit more of money in one event is found', async () => {
  let isDone = false;
  const dearer = (event: unknown): unknown => {
    const [name, value] =
      Object.entries(event as Fields).find(([, item]) => typeof item === 'bigint') ?? [];
    if (isDone || name === undefined) return event;
    isDone = true;
    return { ...(event as Fields), [name]: (value as bigint) + 1n };
  };
  const other = await compare(
    changed((happened) => ({ ...happened, events: happened.events.map(dearer) })),
  );
  expect(other).toMatch(/^seed 2, sequence \d+, event\[\d+\]\.\w+: "\d+n" became "\d+n"/);
});

test('[SIM-15] a broken invariant of one version is found', async () => {
  const broken = changed((happened, executed) => {
    if (executed === PLANTED_AT) throw new Error('planted');
    return happened;
  });
  expect(await compare(broken)).toMatch(new RegExp(`^seed 2, sequence ${PLANTED_AT}, outcome`));
});

test('[SIM-15] an id that is one larger is found', async () => {
  const version = await versionOfTree('other-ids', [
    planted('src/core/transaction/step.ts', /\(id \+ 1\) as Id/, '(id + 2) as Id'),
  ]);
  expect(await compare(version)).toMatch(
    /^seed 2, sequence \d+, (?:outcome|event)\S*: \d+ became \d+/,
  );
});

test('[SIM-15] a fee that is one unit higher is found', async () => {
  const dearer = planted('src/formulas/fees.ts', /\(coins \* rate \+/, '(1n + coins * rate +');
  expect(await compare(await versionOfTree('dearer-fees', [dearer]))).toMatch(
    /^seed 2, sequence \d+, (?:event|outcome)/,
  );
});

test('[SIM-15] a wire field with another name is found', async () => {
  const version = await versionOfTree('other-wire', [
    planted('src/gateway/handlers/positions.ts', /openPriceAvg:/, 'openPriceAverage:'),
  ]);
  expect(await compare(version)).toMatch(
    /position of \d+ with .*\.data\[0\]\.openPriceAvg: "\S+" became nothing/,
  );
});

test('[SIM-17] a call that submits another command is found', async () => {
  const longer = planted(
    'src/gateway/handlers/orders.ts',
    /ms: countdown \* SECOND/,
    'ms: countdown * SECOND + 1',
  );
  const found = await compare(await versionOfTree('other-command', [longer]));
  expect(found).toMatch(
    /POST \S+countdown-cancel-all of \d+ with .*\.submitted\[0\]: "\w+" became/,
  );
});

test('[SIM-17] a call that answers an outcome in another way is found', async () => {
  const shorter = planted(
    'src/gateway/handlers/orders.ts',
    /=> 'success' as const/,
    "=> 'done' as never",
  );
  const found = await compare(await versionOfTree('other-answer', [shorter]));
  expect(found).toMatch(/POST .*\.data: "success" became "done"/);
});
