import { describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../src/core/engine.ts';
import { verifyJournal } from '../../src/journal/verification.ts';
import { drawExchangeCommand } from './exchange-commands.ts';
import { FOLDER, type Life, Lives } from './lives.ts';

/** `SIMULATION_SEEDS=500 SIMULATION_SEED=7 …` runs more of them, or from another one on. */
const FIRST_SEED = Number.parseInt(process.env.SIMULATION_SEED ?? '1', 10);
const SEEDS = Number.parseInt(process.env.SIMULATION_SEEDS ?? '40', 10);
const LIVES_PER_SEED = 6;

interface Counts {
  commands: number;
  crashes: number;
  kills: number;
  failures: number;
  snapshots: number;
  cuts: number;
}

/** Each life ends in its own way: the power goes, the program is killed, the disk fails, or it is stopped. */
function planEnding(lives: Lives): 'crash' | 'kill' | 'fail' | 'stop' {
  const call = 1 + lives.random.below(160);
  const ending = lives.random.pick(['crash', 'crash', 'kill', 'fail', 'stop'] as const);
  if (ending === 'crash' || ending === 'kill') lives.disk.setFaults((at) => (at === call ? 'powerLoss' : undefined));
  if (ending === 'fail') lives.disk.setFaults((at) => (at === call ? 'EIO' : undefined));
  if (ending === 'stop') lives.disk.setFaults((at) => (at % 7 === 0 ? 'short' : undefined));
  return ending;
}

async function beginLife(lives: Lives): Promise<Life | undefined> {
  return await lives.start().catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  });
}

async function liveOnce(lives: Lives, counts: Counts): Promise<void> {
  const ending = planEnding(lives);
  const life = await beginLife(lives);
  if (life !== undefined) {
    if (life.started.cutBytes > 0) counts.cuts++;
    lives.clock.jump(lives.random.pick([0, 0, -86_400_000, 3_600_000, -1_000]));
    const whole = await lives.work(life, 20 + lives.random.below(120));
    if (whole && ending === 'stop') await lives.stop(life);
    if (life.fatalities.length > 0) counts.failures++;
  }
  if (ending === 'crash') {
    counts.crashes++;
    lives.disk.crash();
  } else {
    counts.kills++;
    lives.disk.kill();
  }
}

/** All of it without faults: everything acknowledged is there, the books balance, and a replay from the beginning agrees. */
async function lastLife(lives: Lives): Promise<void> {
  const life = await lives.start();
  const engine = life!.started.machine as Engine;
  const { coins, violations } = engine.audit();
  expect(violations).toEqual([]);
  expect(coins.filter(({ difference }) => difference !== 0n)).toEqual([]);
  expect(engine.stateHash()).toBe(lives.hashFromZero());
  expect(await lives.work(life!, 10)).toBe(true);
  expect(await lives.stop(life!)).toBe(true);
  const report = await verifyJournal(lives.disk.mount(), FOLDER);
  expect([report.damage, report.tornEnd, report.segments.at(-1)!.last]).toEqual([[], false, lives.history.length]);
}

async function simulate(seed: number, counts: Counts): Promise<void> {
  const lives = new Lives({
    seed,
    createMachine: createEngine,
    drawCommand: drawExchangeCommand,
    segmentBytes: 32 * 1024,
    snapshotEvery: 40,
  });
  for (let life = 0; life < LIVES_PER_SEED; life++) await liveOnce(lives, counts);
  await lastLife(lives);
  counts.commands += lives.history.length;
  counts.snapshots += lives.snapshots;
}

const repeatWith = (seed: number): string =>
  `seed ${seed} failed; repeat with: SIMULATION_SEED=${seed} SIMULATION_SEEDS=1 npx vitest run --project simulation test/simulation/exchange.test.ts`;

describe('the exchange', () => {
  test('[JRN-01][JRN-02][JRN-27] however its lives end, every acknowledged command is there with its outcome, the books balance, and a replay from zero agrees', async () => {
    const counts: Counts = { commands: 0, crashes: 0, kills: 0, failures: 0, snapshots: 0, cuts: 0 };
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      await simulate(seed, counts).catch((error: unknown) => {
        throw new Error(repeatWith(seed), { cause: error });
      });
    }
    if (SEEDS < 40) return;
    // A simulation that meets nothing proves nothing.
    for (const [what, least] of Object.entries({ commands: 4_000, crashes: 50, kills: 50, failures: 4, snapshots: 50, cuts: 5 })) {
      expect(counts[what as keyof Counts], what).toBeGreaterThan(least);
    }
  });
});
