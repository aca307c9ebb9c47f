/**
 * One crowd on two exchanges: one charges everybody at once, the other one by one, while the crowd
 * goes on.
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
/** Of each seed: more commands than these leave somebody to be charged later. */
const WAITING_MIN = 3;

/** What a client names something by that the exchange has numbered. */
const IDS = new Set([
  'orderId',
  'triggerId',
  'trackingId',
  'transferId',
  'loanId',
  'repayId',
  'creditId',
]);
/** A client id that was not given follows from the number. */
const MADE_CLIENT_OID = /^1\d{18}$/;

/** Whatever was made that has a number of its own, in the order it was made. */
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

/** The same with another number wherever one is named. */
function renamed(value: unknown, names: ReadonlyMap<number, number>, field = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, names, field));
  if (typeof value !== 'object' || value === null)
    return IDS.has(field) ? (names.get(value as number) ?? value) : value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, renamed(inner, names, name)]),
  );
}

/** Without numbers. */
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

/** Money of everybody and of the house, and what is owed: whoever came to it first. */
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
   * False from the moment on at which somebody is liquidated who was to be charged: the one is
   * sooner than the other.
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

describe('a crowd that goes on', () => {
  test.each(SEEDS)(
    '[SIM-12][SIM-156][CLK-28] has the same whether all are charged at once or one by one (seed %i)',
    (seed) => {
      const twins = new Twins(seed);
      for (let count = 0; count < COMMANDS; count++) if (!twins.step()) break;
      expect(twins.waiting).toBeGreaterThan(WAITING_MIN);
    },
  );
});
