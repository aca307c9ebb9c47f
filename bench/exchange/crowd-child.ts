/**
 * A crowd in its own process, so that garbage of other measurements is not collected at its cost.
 * Its parent sends it tasks.
 */
import { COMMANDS_PER_ROUND, Crowd, type CrowdShape } from './crowd.ts';

export type CrowdTask =
  | { readonly kind: 'build'; readonly shape: CrowdShape; readonly warmUpRounds: number }
  | { readonly kind: 'trade'; readonly rounds: number }
  | { readonly kind: 'tick'; readonly ticks: number }
  | { readonly kind: 'fallDue' }
  | { readonly kind: 'charge' };

export interface Built {
  readonly megabytes: number;
}

export interface Spent {
  /** For each command, or for each position that is charged. */
  readonly cpuMicroseconds: number;
}

let crowd: Crowd | undefined;

/** Small exchanges are built before code is compiled, so all get the same time to warm up. */
function build(shape: CrowdShape, warmUpRounds: number): Built {
  crowd = new Crowd(shape);
  crowd.trade(warmUpRounds);
  crowd.tick(warmUpRounds);
  return { megabytes: process.memoryUsage.rss() / 2 ** 20 };
}

function spentOn(parts: number, work: () => void): Spent {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return { cpuMicroseconds: (user + system) / parts };
}

function fallDue(built: Crowd): Spent {
  built.advanceToFunding();
  const spent = spentOn(1, () => built.fallDue());
  built.chargeAll();
  return spent;
}

function charge(built: Crowd): Spent {
  built.advanceToFunding();
  built.fallDue();
  return spentOn(built.positions, () => built.chargeAll());
}

function carryOut(task: CrowdTask): Built | Spent {
  if (task.kind === 'build') return build(task.shape, task.warmUpRounds);
  const built = crowd;
  if (built === undefined) throw new Error('a crowd is built before it does anything');
  if (task.kind === 'trade')
    return spentOn(task.rounds * COMMANDS_PER_ROUND, () => built.trade(task.rounds));
  if (task.kind === 'tick') return spentOn(task.ticks, () => built.tick(task.ticks));
  return task.kind === 'fallDue' ? fallDue(built) : charge(built);
}

process.on('message', (task: CrowdTask) => {
  process.send?.(carryOut(task));
});
