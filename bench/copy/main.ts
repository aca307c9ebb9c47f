/**
 * Measures copy trading: one order of a leader mirrored to ten thousand followers, and the waiting
 * time of other users meanwhile.
 */
import { pathToFileURL } from 'node:url';
import { cpuNanoseconds } from '../order-book/runs.ts';
import { compared, type Measured, median, tableOf } from '../rows.ts';
import { CopyCrowd } from './crowd.ts';

export interface CopyBenchOptions {
  readonly repetitions: number;
  readonly followers: number;
}

const SECOND_MS = 1_000;
/** Orders of the other user before any mirroring, as a baseline. */
const IDLE_ORDERS = 2_000;

const NANOSECONDS_PER_MS = 1e6;

/** Processor time, so that other programs on the machine do not count. */
const timed = (act: () => void): number => cpuNanoseconds(act) / NANOSECONDS_PER_MS;

const atPart = (values: readonly number[], part: number): number =>
  values.toSorted((left, right) => left - right)[
    Math.min(values.length - 1, Math.floor(values.length * part))
  ] ?? Number.NaN;

interface Turn {
  /** In milliseconds: the total, and each work portion. */
  readonly totalMs: number;
  readonly portions: readonly number[];
  /** Each order of the other user in between, with the work portion that followed it. */
  readonly others: readonly number[];
}

/**
 * The leader trades; then ticks mirror the rest, and between two of them another user places an
 * order.
 */
function mirrorTurn(crowd: CopyCrowd, side: 'buy' | 'sell'): Turn {
  const portions: number[] = [timed(() => crowd.lead(side))];
  const others: number[] = [];
  while (crowd.engine.hasDeferredWork()) {
    portions.push(timed(() => crowd.submit({ type: 'tick' })));
    others.push(timed(() => crowd.otherOrder()));
    if (others.length % 100 === 0) crowd.otherCancels();
  }
  crowd.otherCancels();
  const totalMs = [...portions, ...others].reduce((sum, ms) => sum + ms, 0);
  return { totalMs, portions, others };
}

/** The same orders, placed by the followers directly. */
const directTurn = (crowd: CopyCrowd, side: 'buy' | 'sell'): number =>
  timed(() => {
    for (const uid of crowd.followers) crowd.followerOrder(uid, side);
  });

export function benchCopy(
  { repetitions, followers }: CopyBenchOptions = { repetitions: 5, followers: 10_000 },
): readonly Measured[] {
  const crowd = new CopyCrowd(followers);
  const turns = { buy: [] as Turn[], sell: [] as Turn[] };
  const direct = { buy: [] as number[], sell: [] as number[] };
  const idle: number[] = [];
  for (let repetition = 0; repetition <= repetitions; repetition++) {
    for (const side of ['buy', 'sell'] as const) {
      const turn = mirrorTurn(crowd, side);
      const copied = crowd.copied;
      if (copied !== (side === 'buy' ? followers : 0))
        throw new Error(`${copied} of ${followers} followers have a copy`);
      // The first is the warm-up.
      if (repetition > 0) turns[side].push(turn);
    }
    for (const side of ['buy', 'sell'] as const) {
      const ms = directTurn(crowd, side);
      if (repetition > 0) direct[side].push(ms);
    }
    for (let count = 0; count < IDLE_ORDERS / (repetitions + 1); count++) {
      idle.push(timed(() => crowd.otherOrder()));
      if (count % 100 === 99) crowd.otherCancels();
    }
    crowd.otherCancels();
  }
  return rowsOf(followers, turns, direct, idle);
}

function rowsOf(
  followers: number,
  turns: { readonly buy: readonly Turn[]; readonly sell: readonly Turn[] },
  direct: { readonly buy: readonly number[]; readonly sell: readonly number[] },
  idle: readonly number[],
): Measured[] {
  const counted = followers.toLocaleString('en-US');
  const rate = (name: string, ms: readonly number[]): Measured => ({
    name: `copy: ${name}`,
    value: (followers * SECOND_MS) / median(ms),
    unit: 'followers per CPU second',
  });
  const whole = (each: readonly Turn[]): number[] => each.map(({ totalMs }) => totalMs);
  const [opened, closed] = [
    rate(`${counted} followers open themselves`, direct.buy),
    rate(`${counted} followers close themselves`, direct.sell),
  ];
  const all = [...turns.buy, ...turns.sell];
  const wait = (name: string, value: number): Measured => ({
    name: `copy: ${name}`,
    value,
    unit: 'ms CPU',
    lessIsBetter: true,
  });
  const atOnce = wait('one order mirrored to all, from first to last', median(whole(turns.buy)));
  const others = all.flatMap((turn) => turn.others);
  const portions = all.flatMap((turn) => turn.portions);
  return [
    compared(rate(`one order opened for ${counted} followers`, whole(turns.buy)), opened),
    opened,
    compared(rate(`one order closed for ${counted} followers`, whole(turns.sell)), closed),
    closed,
    atOnce,
    compared(wait('a work portion, median', atPart(portions, 0.5)), atOnce),
    compared(wait('a work portion, 99 of 100', atPart(portions, 0.99)), atOnce),
    wait("another user's order while nothing is mirrored, median", atPart(idle, 0.5)),
    compared(
      wait(
        "another user's order meanwhile, with the work portion after it, median",
        atPart(others, 0.5),
      ),
      atOnce,
    ),
    compared(
      wait(
        "another user's order meanwhile, with the work portion after it, 99 of 100",
        atPart(others, 0.99),
      ),
      atOnce,
    ),
  ];
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const quick = process.argv.includes('--quick');
  process.stdout.write(
    `${tableOf(benchCopy(quick ? { repetitions: 1, followers: 1_000 } : undefined))}\n`,
  );
}
