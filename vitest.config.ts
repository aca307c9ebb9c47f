import { defineConfig } from 'vitest/config';
import { bundled } from './test/bundled.ts';

/** Projects, from the quickest to the slowest; `npm run check` runs the first two, `npm test` all of them. */
const project = (name: string, include: string[], testTimeout = 60_000, execArgv: string[] = []) => ({
  test: { name, include, testTimeout, hookTimeout: 60_000, pool: 'forks' as const, maxWorkers: 2, execArgv },
});

/** A simulation makes much that is soon forgotten: with more room for it, it is collected in a tenth less time. */
const ROOM_FOR_THE_NEW = ['--max-semi-space-size=64'];

const simulation = {
  ...project('simulation', ['test/simulation/**/*.test.ts'], 600_000, ROOM_FOR_THE_NEW),
  plugins: [bundled(/\/test\/simulation\/.*\.test\.ts$/)],
};

/** What modules keep follows from what they were asked, so files may share them: reading them for each file took half of the time. */
const sharingModules = ({ test }: ReturnType<typeof project>) => ({ test: { ...test, isolate: false } });

export default defineConfig({
  test: {
    projects: [
      project('tidy', ['test/tidy/**/*.test.ts']),
      sharingModules(project('unit', ['src/**/*.test.ts', 'test/scenarios/**/*.test.ts'])),
      sharingModules(project('wire', ['test/wire/**/*.test.ts'])),
      simulation,
      project('programme', ['test/programme/**/*.test.ts'], 600_000),
    ],
  },
});
