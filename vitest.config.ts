/** Which test file runs in which project; CONTRIBUTING names the three commands that run them. */
import { defineConfig } from 'vitest/config';
import { bundled } from './test/bundled.ts';

const SLOW = '{src,test}/**/*.slow.test.ts';
const LONG = '{src,test}/**/*.long.test.ts';
const TIDY = 'test/tidy/**/*.test.ts';
const WIRE = 'test/wire/**/*.test.ts';
const SIMULATION = 'test/simulation/**/*.long.test.ts';
const LOCKSTEP = 'test/lockstep/**/*.long.test.ts';

interface Files {
  readonly include: string[];
  readonly exclude?: string[];
}

const project = (name: string, files: Files, testTimeout = 60_000, execArgv: string[] = []) => ({
  test: {
    name,
    ...files,
    testTimeout,
    hookTimeout: 60_000,
    pool: 'forks' as const,
    maxWorkers: 2,
    execArgv,
  },
});

/**
 * A simulation makes many short-lived objects: with more room for them, collection takes a tenth
 * less time.
 */
const YOUNG_OBJECTS_ROOM = ['--max-semi-space-size=64'];

const simulation = {
  ...project('simulation', { include: [SIMULATION] }, 600_000, YOUNG_OBJECTS_ROOM),
  plugins: [bundled(/\/test\/simulation\/.*\.long\.test\.ts$/)],
};

/** Test files share the modules they import: loading them for each file takes half of the time. */
const sharingModules = ({ test }: ReturnType<typeof project>) => ({
  test: { ...test, isolate: false },
});

export default defineConfig({
  test: {
    projects: [
      project('tidy', { include: [TIDY] }),
      sharingModules(
        project('unit', {
          include: ['{src,test}/**/*.test.ts'],
          exclude: [SLOW, LONG, TIDY, WIRE],
        }),
      ),
      sharingModules(project('slow', { include: [SLOW], exclude: [WIRE] })),
      sharingModules(project('wire', { include: [WIRE], exclude: [LONG] })),
      sharingModules(project('clients', { include: ['test/wire/**/*.long.test.ts'] })),
      sharingModules(project('lockstep', { include: [LOCKSTEP] }, 600_000)),
      simulation,
      project('programme', { include: [LONG], exclude: [WIRE, SIMULATION, LOCKSTEP] }, 600_000),
    ],
  },
});
