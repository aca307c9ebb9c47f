/**
 * Compares the cost of an order and of a price in a large exchange with that in a small one.
 * Also measures the cost of funding with many positions.
 */
import { Child, CLIENT_CORE, SERVER_CORE } from '../pinned.ts';
import { type Measured, median } from '../rows.ts';
import type { CrowdShape } from './crowd.ts';
import type { Built, CrowdTask, Spent } from './crowd-child.ts';

export interface ScaleOptions {
  readonly repetitions: number;
  readonly rounds: number;
  readonly warmUpRounds: number;
  readonly ticks: number;
  /** Divides all large numbers, for quick trials. */
  readonly smallerBy: number;
}

const RESTING = { few: 1_000, many: 1_000_000 };
const ACCOUNTS = { few: 100, many: 100_000 };
const ENDED_MANY = 1_000_000;
/** Enough for a million open orders at four hundred each, with some reserve. */
const TRADERS = 4_000;
const TRADERS_DEPOSIT = '10000000';
/** A position is liquidated when its price has moved by half. */
const POSITION_DEPOSIT = '3000';
const ACCOUNTS_RESTING = 10_000;

interface Subject {
  readonly name: string;
  readonly core: number;
  readonly shape: CrowdShape;
}

const counted = (count: number): string => count.toLocaleString('en-US');

function subjectsOf(
  smallerBy: number,
): Readonly<Record<'plain' | 'resting' | 'ended' | 'fewAccounts' | 'manyAccounts', Subject>> {
  const traders = {
    accounts: TRADERS,
    deposit: TRADERS_DEPOSIT,
    resting: RESTING.few,
    ended: 0,
    positions: false,
  };
  const accountsWithPositions = {
    deposit: POSITION_DEPOSIT,
    resting: ACCOUNTS_RESTING,
    ended: 0,
    positions: true,
  };
  const resting = RESTING.many / smallerBy;
  const ended = ENDED_MANY / smallerBy;
  const accounts = ACCOUNTS.many / smallerBy;
  // The two that take longest to build are built side by side.
  return {
    plain: { name: `${counted(RESTING.few)} resting orders`, core: SERVER_CORE, shape: traders },
    resting: {
      name: `${counted(resting)} resting orders`,
      core: SERVER_CORE,
      shape: { ...traders, resting },
    },
    ended: {
      name: `${counted(ended)} ended orders`,
      core: CLIENT_CORE,
      shape: { ...traders, ended },
    },
    fewAccounts: {
      name: `${counted(ACCOUNTS.few)} accounts`,
      core: SERVER_CORE,
      shape: { ...accountsWithPositions, accounts: ACCOUNTS.few },
    },
    manyAccounts: {
      name: `${counted(accounts)} accounts`,
      core: CLIENT_CORE,
      shape: { ...accountsWithPositions, accounts },
    },
  };
}

type Costs<Name> = ReadonlyMap<Name, readonly number[]>;

/** Runs one child at a time, so that a measured child has the machine to itself. */
class Crowds<Name extends string> {
  readonly #children = new Map<Name, Child>();
  readonly #subjects: Readonly<Record<Name, Subject>>;
  megabytes = 0;

  constructor(subjects: Readonly<Record<Name, Subject>>) {
    this.#subjects = subjects;
  }

  get #names(): readonly Name[] {
    return Object.keys(this.#subjects) as Name[];
  }

  async build(warmUpRounds: number): Promise<void> {
    const file = new URL('./crowd-child.ts', import.meta.url);
    const built = this.#names.map((name) => {
      const { core, shape } = this.#subjects[name];
      const child = new Child(file, core);
      this.#children.set(name, child);
      return child.ask<Built>({ kind: 'build', shape, warmUpRounds } satisfies CrowdTask);
    });
    for (const { megabytes } of await Promise.all(built)) this.megabytes += megabytes;
  }

  /**
   * The cost of a command for each of them in every repetition, in turns; the first repetition is
   * the warm-up.
   */
  async costs(names: readonly Name[], task: CrowdTask, repetitions: number): Promise<Costs<Name>> {
    const spent = new Map(names.map((name) => [name, [] as number[]]));
    for (let repetition = 0; repetition <= repetitions; repetition++) {
      for (const name of names) {
        const { cpuMicroseconds } = await this.#children.get(name)!.ask<Spent>(task);
        if (repetition > 0) spent.get(name)!.push(cpuMicroseconds);
      }
    }
    return spent;
  }

  end(): void {
    for (const child of this.#children.values()) child.end();
  }
}

export async function measureScale({
  repetitions,
  rounds,
  ticks,
  warmUpRounds,
  smallerBy,
}: ScaleOptions): Promise<Measured[]> {
  const subjects = subjectsOf(smallerBy);
  type Name = keyof typeof subjects;
  const crowds = new Crowds(subjects);
  await crowds.build(warmUpRounds);
  const orders = await crowds.costs(
    Object.keys(subjects) as Name[],
    { kind: 'trade', rounds },
    repetitions,
  );
  const prices = await crowds.costs(
    ['fewAccounts', 'manyAccounts'],
    { kind: 'tick', ticks },
    repetitions,
  );
  const fundings = await crowds.costs(['manyAccounts'], { kind: 'fallDue' }, repetitions);
  const pendingCharges = await crowds.costs(['manyAccounts'], { kind: 'charge' }, repetitions);
  crowds.end();

  const row = (what: string, costs: Costs<Name>, name: Name, against?: Name): Measured => {
    const named = (subject: Name): string => `${what} at ${subjects[subject].name}`;
    const own = {
      name: named(name),
      value: median(costs.get(name)!),
      unit: 'µs CPU',
      lessIsBetter: true,
    };
    if (against === undefined) return own;
    // The ratio is the cost as a multiple: the number that has a limit.
    const ratios = costs.get(name)!.map((cost, turn) => cost / costs.get(against)![turn]!);
    return { ...own, ratioTo: named(against), ratio: median(ratios) };
  };
  return [
    row('cost per order', orders, 'plain'),
    row('cost per order', orders, 'resting', 'plain'),
    row('cost per order', orders, 'ended', 'plain'),
    row('cost per order', orders, 'fewAccounts'),
    row('cost per order', orders, 'manyAccounts', 'fewAccounts'),
    row('price without effect', prices, 'fewAccounts'),
    row('price without effect', prices, 'manyAccounts', 'fewAccounts'),
    row('funding falls due, the command', fundings, 'manyAccounts'),
    row('funding is charged, for each position', pendingCharges, 'manyAccounts'),
    {
      name: 'memory: the five exchanges of these rows together',
      value: crowds.megabytes,
      unit: 'MB resident',
      lessIsBetter: true,
    },
  ];
}
