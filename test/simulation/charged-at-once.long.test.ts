/**
 * Runs one crowd on two exchanges. One makes pending charges at once, the other makes them account
 * by account.
 */
import { describe, expect, test } from 'vitest';
import { WORK_PORTIONS } from '../../src/core/derived/work-portions.ts';
import { createEngine, type Engine, type Executed } from '../../src/core/engine.ts';
import type { State } from '../../src/core/state/state.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import { HOUR, type Timestamp } from '../../src/kernel/time.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { Event } from '../../src/messages/events.ts';
import { Population } from '../../src/simulator/population/population.ts';

const SEEDS = [1, 8, 9, 12];
const COMMANDS = 2_000;
/** In each seed, more commands than this leave pending charges behind. */
const WAITING_MIN = 3;

/** Fields that hold an id the exchange assigned. */
const IDS = new Set([
  'orderId',
  'triggerId',
  'trackingId',
  'transferId',
  'loanId',
  'repayId',
  'creditId',
]);
/** A client id that the exchange generated follows from the order id. */
const MADE_CLIENT_OID = /^1\d{18}$/;

/** The ids that an event assigns, in order. */
function madeBy(event: Event): readonly number[] {
  switch (event.type) {
    case 'orderAccepted':
      return [event.order.orderId];
    case 'triggerPlaced':
      return [event.trigger.triggerId];
    case 'trackedOrderOpened':
      return [event.order.trackingId];
    case 'withdrawalRequested':
      return [event.withdrawal.orderId];
    default:
      return [];
  }
}

/** The same value with ids mapped from one exchange to the other. */
function renamed(value: unknown, names: ReadonlyMap<number, number>, field = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, names, field));
  if (typeof value !== 'object' || value === null)
    return IDS.has(field) ? (names.get(value as number) ?? value) : value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, renamed(inner, names, name)]),
  );
}

/** The value without ids. */
function unnamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unnamed);
  if (typeof value === 'string') return MADE_CLIENT_OID.test(value) ? 'made' : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      IDS.has(name) ? [] : [[name, unnamed(inner)]],
    ),
  );
}

const isLiquidation = ({ type }: Event): boolean =>
  type === 'liquidationBegun' || type === 'isolatedLiquidationBegun';

/** Balances of all users and of the house, and debts. The maps may differ in order. */
const moneyIn = ({ ledger, debts, isolatedDebts, isolatedPairs }: State) => ({
  ledger,
  debts,
  isolatedDebts,
  isolatedPairs,
});

class Twins {
  readonly #atOnce = createEngine({
    portions: { ...WORK_PORTIONS, pendingCharges: Number.MAX_SAFE_INTEGER },
  });
  readonly #inLine = createEngine({ portions: { ...WORK_PORTIONS, pendingCharges: 1 } });
  readonly #names = new Map<number, number>();
  readonly #random: Random;
  readonly #population: Population;
  #at = 1_700_000_000_000;
  waiting = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.#population = new Population(this.#random.fork('crowd'));
  }

  /**
   * Returns false once a pending account is liquidated, because the two exchanges do that at
   * different commands.
   */
  step(): boolean {
    const command = this.#population.draw(this.#atOnce, this.#atOnce.at);
    this.#at += this.#random.below(this.#random.below(30) === 0 ? 2 * HOUR : 20);
    const at = Math.max(this.#at, this.#atOnce.at, this.#inLine.at) as Timestamp;
    const one = this.#atOnce.execute(command, at);
    const other = this.#inLine.execute(renamed(command, this.#names) as Command, at);
    if (this.#inLine.state.pendingCharges !== undefined) this.waiting++;
    if (!this.#isTogether(one, other)) return false;
    expect(unnamed(other.outcome), `${JSON.stringify(command)}`).toEqual(unnamed(one.outcome));
    if (this.#isIdle(this.#inLine) && this.#isIdle(this.#atOnce))
      expect(moneyIn(this.#inLine.state)).toEqual(moneyIn(this.#atOnce.state));
    return true;
  }

  #isIdle(engine: Engine): boolean {
    return !engine.hasDeferredWork();
  }

  #isTogether(one: Executed, other: Executed): boolean {
    if (one.events.filter(isLiquidation).length !== other.events.filter(isLiquidation).length)
      return false;
    const [made, madeToo] = [one.events.flatMap(madeBy), other.events.flatMap(madeBy)];
    expect(madeToo).toHaveLength(made.length);
    for (const [place, id] of made.entries()) this.#names.set(id, madeToo[place]!);
    return true;
  }
}

describe('two exchanges with one crowd', () => {
  test.each(SEEDS)(
    '[SIM-12][SIM-156][CLK-28] are equal, charging all at once or one by one (seed %i)',
    (seed) => {
      const twins = new Twins(seed);
      for (let count = 0; count < COMMANDS; count++) if (!twins.step()) break;
      expect(twins.waiting).toBeGreaterThan(WAITING_MIN);
    },
  );
});
