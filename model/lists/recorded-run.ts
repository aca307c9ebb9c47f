/** A random run of an exchange whose events are all kept in a plain list. */
import { createEngine } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import { DAY, HOUR, type Timestamp } from '../../src/kernel/time.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { Event, EventBatch } from '../../src/messages/events.ts';
import { type FuturesCategory, LOAN_TYPES } from '../../src/messages/vocabulary.ts';
import { COPYING } from '../../src/simulator/population/copying.ts';
import { MONEY_OUT } from '../../src/simulator/population/money-out.ts';
import { Population } from '../../src/simulator/population/population.ts';
import { type Act, place, someone, TRADING } from '../../src/simulator/population/trading.ts';

const START = 1_789_000_000_000;

/** An event with its time and its command. */
export interface EmittedEvents {
  readonly event: Event;
  readonly at: number;
  readonly sequence: number;
}

/** A transfer between wallet and pair; only its answer has the id. */
export interface EmittedTransfer {
  readonly transferId: number;
  readonly command: Extract<Command, { type: 'transferIsolated' }>;
  readonly at: number;
}

const decimal = (text: string): DecimalText => text as DecimalText;

/** Acts that the simulated crowd lacks and that appear in lists. */
const onlyHere: Act = ({ random, crowd, state }) => {
  const uid = random.pick(crowd.everyone);
  const operator = random.pick(['ann', 'ben']);
  switch (random.below(5)) {
    case 0:
      return {
        type: 'makeAgent',
        uid,
        affiliation: 'official',
        spotRatio: decimal('0.2'),
        futuresRatio: decimal('0.1'),
        userShare: decimal('0'),
      };
    case 1:
      return {
        type: 'createUser',
        level: 'VIP0',
        positionMode: 'oneWay',
        referralCode: random.pick([...state.agentBooks.referralCodes.keys()]),
      };
    case 2:
      return { type: 'makeLeader', uid, profitShare: decimal('0.05') };
    case 3:
      return { type: 'setReserve', coin: 'BTC', amount: decimal('1000'), operator };
    default:
      return {
        type: 'deposit',
        uid,
        coin: random.pick(['USDT', 'BTC']),
        size: decimal('1.5'),
        operator,
      };
  }
};

/** A leader closes everything in a market, and the followers close with the leader. */
const leaveMarket: Act = (scene) => {
  const { category } = scene.random.pick(scene.crowd.futures);
  return {
    type: 'closePositions',
    uid: someone(scene, 'leader'),
    category: category as FuturesCategory,
  };
};

const tradePair: Act = (scene) => {
  const { random, crowd } = scene;
  const instrument = random.pick(crowd.instruments.filter(({ category }) => category === 'MARGIN'));
  const order = place(scene, [
    {
      uid: someone(scene, 'borrower'),
      instrument,
      dollars: 20 + random.below(500),
      away: random.below(40) - 20,
    },
  ]);
  if (order.type !== 'placeOrders') return order;
  return {
    ...order,
    orders: order.orders.map((draft) => ({ ...draft, loanType: random.pick(LOAN_TYPES) })),
  };
};

const { lead, follow } = COPYING;
const { withdraw, send, moveOn } = MONEY_OUT;
const { borrow, take } = TRADING;
/** A seed may leave out acts; these are always included, because lists need them. */
const NEVER_LEFT_OUT: readonly Act[] = [
  onlyHere,
  leaveMarket,
  tradePair,
  ...[lead, lead, follow, withdraw, send, moveOn, borrow, take].flatMap((row) =>
    row === undefined ? [] : row[1],
  ),
];
const OWN_EVERY = 5;

export class RecordedRun {
  readonly engine = createEngine();
  readonly emitted: EmittedEvents[] = [];
  readonly batches: EventBatch[] = [];
  readonly transfers: EmittedTransfer[] = [];
  readonly #random: Random;
  readonly #population: Population;
  readonly #listeners: ((batch: EventBatch) => void)[] = [];
  #wall = START;

  constructor(seed: number) {
    this.#random = seededRandom(seed).fork('life');
    this.#population = new Population(seededRandom(seed));
  }

  get everyone(): readonly Uid[] {
    return [...this.engine.state.accounts.keys()];
  }

  get wall(): Timestamp {
    return this.#wall as Timestamp;
  }

  /** The exchange clock. */
  get now(): Timestamp {
    return Math.max(this.engine.exchangeTime(this.#wall as Timestamp), this.engine.at) as Timestamp;
  }

  listen(listener: (batch: EventBatch) => void): void {
    this.#listeners.splice(0, 1, listener);
  }

  /** A random user acts, often at the same time as another. */
  step(): void {
    this.#wall += this.#pause();
    this.execute(this.#draw());
  }

  /** Time passes without acts. */
  pass(ms: number): void {
    this.#wall += ms;
  }

  execute(command: Command): void {
    const { sequence, at, events, moments, outcome } = this.engine.execute(
      command,
      this.engine.exchangeTime(this.#wall as Timestamp),
    );
    const batch: EventBatch = {
      sequence,
      at,
      events,
      ...(moments === undefined ? {} : { moments }),
    };
    this.batches.push(batch);
    this.#keep(batch);
    if (command.type === 'transferIsolated' && outcome.ok)
      this.transfers.push({
        transferId: (outcome.value as { transferId: number }).transferId,
        command,
        at,
      });
    for (const listener of this.#listeners) listener(batch);
  }

  /** Almost no acts for a while. One command passes at most 30 days (CLK-26). */
  rest(days: number): void {
    for (let day = 0; day < days; day++) {
      this.#wall += DAY;
      this.step();
    }
  }

  steps(count: number): void {
    for (let step = 0; step < count; step++) this.step();
  }

  #draw(): Command {
    const { engine } = this;
    const { crowd } = this.#population;
    const isBegun = engine.sequence >= crowd.beginning.length;
    if (!isBegun || this.#random.below(OWN_EVERY) > 0)
      return this.#population.draw(engine, this.wall);
    return this.#random.pick(NEVER_LEFT_OUT)({
      random: this.#random,
      state: engine.state,
      at: engine.at,
      wall: this.wall,
      crowd,
    });
  }

  /**
   * Mostly zero or a moment, sometimes an hour, rarely days, so that some rows are older than a
   * window.
   */
  #pause(): number {
    const roll = this.#random.below(1_000);
    if (roll < 400) return 0;
    if (roll < 970) return this.#random.below(2_000);
    return roll < 997 ? this.#random.below(2 * HOUR) : this.#random.below(20 * DAY);
  }

  /** Events before the command, or during a clock move, have their own time. */
  #keep({ sequence, at, events, moments = [{ from: 0, at }] }: EventBatch): void {
    for (const [place, event] of events.entries()) {
      const moment = moments.findLast(({ from }) => from <= place);
      this.emitted.push({ event, at: moment?.at ?? at, sequence });
    }
  }
}
