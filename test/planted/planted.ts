/**
 * `npm run planted`: plants one bug after another in a copy of the program and checks that the
 * tests catch it.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Bug, plant } from './bug.ts';
import { BUGS } from './bugs.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = [
  'src',
  'test',
  'model',
  'docs',
  'bench',
  'scripts',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
];
/** A bug that makes the program hang is caught as well. */
const STAGE_MS_MAX = 900_000;

interface Stage {
  readonly name: string;
  readonly line: readonly string[];
}

const vitest = (...paths: readonly string[]): readonly string[] => [
  'npx',
  'vitest',
  'run',
  '--bail',
  '1',
  ...paths,
];
const SIMULATION: Stage = { name: 'simulation', line: ['npx', 'tsx', 'test/planted/simulated.ts'] };
const CORE: Stage = {
  name: 'core tests',
  line: vitest(
    'src/core',
    'src/formulas',
    'src/kernel',
    'src/views',
    'test/scenarios',
    'test/lockstep',
  ),
};
const JOURNAL: Stage = {
  name: 'journal tests',
  line: vitest('src/journal', 'test/simulation/crashes', 'test/simulation/disk-faults'),
};

/** A bug that one stage has caught skips the next. */
const stagesFor = ({ file }: Bug): readonly Stage[] =>
  file.startsWith('src/journal') ? [SIMULATION, JOURNAL] : [SIMULATION, CORE];

function copyProgram(): string {
  const root = mkdtempSync(join(tmpdir(), 'rialto-planted-'));
  for (const name of COPIED) cpSync(join(REPOSITORY, name), join(root, name), { recursive: true });
  symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'));
  return root;
}

/** The stage that caught it; undefined if none did. */
function catchBug(root: string, bug: Bug): string | undefined {
  const takeOut = plant(root, bug);
  try {
    for (const { name, line } of stagesFor(bug)) {
      const { status } = spawnSync(line[0]!, line.slice(1), {
        cwd: root,
        stdio: 'ignore',
        timeout: STAGE_MS_MAX,
        env: { ...process.env, CRASH_POINTS: '1500' },
      });
      if (status !== 0) return status === null ? `${name}, which had no end` : name;
    }
    return undefined;
  } finally {
    takeOut();
  }
}

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const chosen = BUGS.filter(({ name }) => values.only === undefined || name.includes(values.only));
const root = copyProgram();
const missed: string[] = [];
for (const bug of chosen) {
  const stage = catchBug(root, bug);
  if (stage === undefined) missed.push(bug.name);
  console.log(
    `${stage === undefined ? 'MISSED' : 'caught'} ${bug.name}${stage === undefined ? '' : `: by ${stage}`}`,
  );
}
rmSync(root, { recursive: true, force: true });
console.log(`${chosen.length - missed.length} of ${chosen.length} caught`);
if (missed.length > 0) process.exitCode = 1;
