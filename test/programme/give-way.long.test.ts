import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { endAll, startServer, temporaryFolder } from './server.ts';

afterEach(endAll);

/** Where Linux lists the threads of a process. */
const tasksOf = (pid: number): string => `/proc/${pid}/task`;
/** Field number in the line of a thread, counted after its name, which may contain spaces. */
const NICE_FIELD = 16;

/** The nice value of each thread of a process, without threads that have just ended. */
function nicesOf(pid: number): readonly number[] {
  return readdirSync(tasksOf(pid)).flatMap((thread) => {
    try {
      const line = readFileSync(`${tasksOf(pid)}/${thread}/stat`, 'utf8');
      return [
        Number(
          line
            .slice(line.lastIndexOf(')') + 2)
            .split(' ')
            .at(NICE_FIELD),
        ),
      ];
    } catch {
      return [];
    }
  });
}

/**
 * The nice value of a thread `by` below trading. The program itself may have started with a lower
 * priority.
 */
const below = (trading: number, by: number): number =>
  Math.min(trading + by, constants.priority.PRIORITY_LOW);

const sorted = (nices: Iterable<number>): readonly number[] =>
  [...nices].toSorted((one, other) => one - other);

test('[JRN-36][VIEW-37] the history thread has lower priority, the snapshot thread the lowest, others none', async () => {
  const server = await startServer({ folder: temporaryFolder() });
  const knowsThreads = existsSync(tasksOf(server.pid));
  const seen = new Map<number, number>();
  const look = (): void => {
    for (const nice of knowsThreads ? nicesOf(server.pid) : [])
      seen.set(nice, (seen.get(nice) ?? 0) + 1);
  };
  look();
  const trading = getPriority(server.pid);
  const [history, snapshots] = [below(trading, 3), below(trading, 10)];
  const usual = knowsThreads ? [trading, history] : [];
  expect(sorted(seen.keys())).toEqual(usual);

  let made = false;
  const snapshot = server.operate('POST', '/operator/v1/snapshot', {}).then(() => {
    made = true;
  });
  while (!made) {
    look();
    await turn();
  }
  await snapshot;
  expect(sorted(seen.keys())).toEqual(knowsThreads ? [trading, history, snapshots] : []);
  // Other threads are unchanged; the snapshot thread waits for the next snapshot (JRN-40).
  const after = knowsThreads ? nicesOf(server.pid) : [];
  expect(sorted(new Set(after))).toEqual(knowsThreads ? [trading, history, snapshots] : []);
  expect(after.filter((nice) => nice !== trading).length).toBe(knowsThreads ? 2 : 0);
});
