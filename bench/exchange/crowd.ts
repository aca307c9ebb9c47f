/**
 * An exchange with given numbers of accounts, resting orders, ended orders and positions, which
 * trading does not change.
 */

import { createEngine, type Engine, type Executed } from '../../src/core/engine.ts';
import { nextFunding } from '../../src/formulas/funding.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { ClientOid } from '../../src/kernel/ids.ts';
import { invariant } from '../../src/kernel/invariant.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import { DEFAULT_INSTRUMENTS, DEMO_INDEX_PRICES } from '../../src/listings/default-instruments.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { OrderDraft } from '../../src/messages/orders.ts';
import type { Category, Side, TimeInForce } from '../../src/messages/vocabulary.ts';
import { expectAccepted, MARKET_START, openingCommands, uidAt } from './market.ts';

export interface CrowdShape {
  readonly accounts: number;
  /** Of each account, in USDT and in USDC. */
  readonly deposit: string;
  readonly resting: number;
  /** Orders that were placed and ended today, each with its own client id. */
  readonly ended: number;
  /** Every account has a long or short position of BTCUSDT. */
  readonly positions: boolean;
}

/** One round is a cancel and a new order, a trade and a new order. */
export const COMMANDS_PER_ROUND = 4;
/** Prices on each side of the middle. */
const SIDE_PRICES = 500;
const ORDERS_PER_BATCH = 20;
const POSITION_SIZE = '0.1' as DecimalText;
const FUNDING_HOURS = 8;
const CHARGES_PER_COMMAND = 100;
/** The index moves by up to this many hundredths of a percent: far from any liquidation. */
const TICK_REACH = 50;

/** Contracts that settle in dollars: a million orders exceed the capacity of one book. */
interface Contract {
  readonly category: Category;
  readonly symbol: string;
  readonly lot: DecimalText;
  readonly decimals: number;
  readonly step: number;
  /** The index in steps. */
  readonly middle: number;
}

const CONTRACTS: readonly Contract[] = DEFAULT_INSTRUMENTS.filter(
  ({ category }) => category === 'USDT-FUTURES' || category === 'USDC-FUTURES',
).map(({ category, symbol, baseCoin, sizeStep, priceStep }) => {
  const step = Number(priceStep);
  return {
    category,
    symbol,
    lot: sizeStep,
    decimals: priceStep.length - 2,
    step,
    middle: Math.round(Number(DEMO_INDEX_PRICES[baseCoin]) / step),
  };
});

const clientOid = (place: number, generation: number): ClientOid =>
  `${place}-${generation}` as ClientOid;

export class Crowd {
  readonly engine: Engine = createEngine();
  readonly #shape: CrowdShape;
  readonly #random: Random = seededRandom(7);
  /** How often each place has been used: it determines the client id of its order. */
  readonly #generations: Int32Array;
  #takers = 0;
  #at = MARKET_START;

  constructor(shape: CrowdShape) {
    this.#shape = shape;
    this.#generations = new Int32Array(shape.resting);
    for (const command of openingCommands(shape.accounts, shape.deposit)) this.#submit(command);
    if (shape.positions) this.#openPositions();
    this.#endOrders();
    for (let first = 0; first < shape.resting; first += ORDERS_PER_BATCH) this.#restBatch(first);
    invariant(this.engine.state.orders.size === shape.resting, 'what is built rests');
  }

  /** Rounds of trading across the whole exchange. */
  trade(rounds: number): void {
    for (let round = 0; round < rounds; round++) {
      const place = this.#random.below(this.#shape.resting);
      this.#cancel(place);
      this.#rest(place);
      this.#rest(this.#take());
    }
    invariant(
      this.engine.state.orders.size === this.#shape.resting,
      'the number that rests never changes',
    );
  }

  /** Prices without effect. */
  tick(ticks: number): void {
    for (let tick = 0; tick < ticks; tick++) {
      const index = (
        60_000 *
        (1 + (this.#random.below(2 * TICK_REACH) - TICK_REACH) / 10_000)
      ).toFixed(1) as DecimalText;
      const prices = [
        {
          category: 'USDT-FUTURES',
          symbol: 'BTCUSDT',
          index,
          mark: undefined,
          releaseMark: false,
          force: false,
        },
      ] as const;
      const { events } = this.#submit({ type: 'setPrices', prices });
      invariant(
        !events.some(({ type }) => type === 'liquidationBegun'),
        'no position is liquidated',
      );
    }
  }

  /** Advances time to just before the next funding, so that nothing else falls due with it. */
  advanceToFunding(): void {
    this.#at = (nextFunding(this.#at, FUNDING_HOURS) - 1) as Timestamp;
    this.#submit({ type: 'tick' });
    this.chargeAll();
  }

  /** One command fixes what each position of BTCUSDT pays or receives, and charges some of them. */
  fallDue(): void {
    this.#at = nextFunding(this.#at, FUNDING_HOURS);
    this.#submit({ type: 'tick' });
    const charged = (this.engine.state.pendingCharges?.size ?? 0) + CHARGES_PER_COMMAND;
    invariant(charged >= this.positions, `${charged} of ${this.positions} positions are charged`);
  }

  /** Ticks charge all the others. */
  chargeAll(): void {
    while (this.engine.hasDeferredWork()) this.#submit({ type: 'tick' });
  }

  get positions(): number {
    return this.#shape.positions ? this.#shape.accounts : 0;
  }

  #submit(command: Command): Executed {
    const executed = this.engine.execute(command, this.#at);
    expectAccepted(command, executed.outcome);
    return executed;
  }

  #order(account: number, { category }: Contract, ...orders: readonly OrderDraft[]): Executed {
    return this.#submit({ type: 'placeOrders', uid: uidAt(account), category, orders });
  }

  #draft(
    contract: Contract,
    side: Side,
    tick: number,
    name: ClientOid | undefined,
    timeInForce: TimeInForce = 'gtc',
  ): OrderDraft {
    return {
      symbol: contract.symbol,
      side,
      orderType: 'limit',
      size: contract.lot,
      price: (tick * contract.step).toFixed(contract.decimals) as DecimalText,
      timeInForce,
      positionSide: undefined,
      clientOid: name,
      selfTradeMode: undefined,
      reduceOnly: false,
      marginMode: undefined,
      loanType: undefined,
    };
  }

  /** Places are spread over accounts and contracts in batches; every other place buys. */
  #contractOf(place: number): Contract {
    return CONTRACTS[Math.floor(place / ORDERS_PER_BATCH) % CONTRACTS.length]!;
  }

  #accountOf(place: number): number {
    return Math.floor(place / ORDERS_PER_BATCH) % this.#shape.accounts;
  }

  #restingDraft(place: number): OrderDraft {
    const contract = this.#contractOf(place);
    const distance = 1 + this.#random.below(SIDE_PRICES);
    const buys = place % 2 === 0;
    const generation = this.#generations[place]! + 1;
    this.#generations[place] = generation;
    const tick = contract.middle + (buys ? -distance : distance);
    return this.#draft(contract, buys ? 'buy' : 'sell', tick, clientOid(place, generation));
  }

  #rest(place: number): void {
    this.#order(this.#accountOf(place), this.#contractOf(place), this.#restingDraft(place));
  }

  #restBatch(first: number): void {
    const length = Math.min(ORDERS_PER_BATCH, this.#shape.resting - first);
    const drafts = Array.from({ length }, (_, at) => this.#restingDraft(first + at));
    this.#order(this.#accountOf(first), this.#contractOf(first), ...drafts);
  }

  #cancel(place: number): void {
    const name = clientOid(place, this.#generations[place]!);
    this.#submit({
      type: 'cancelOrders',
      uid: uidAt(this.#accountOf(place)),
      orders: [{ orderId: undefined, clientOid: name }],
    });
  }

  /** A user takes one lot at the touch; returns the place that is now free. */
  #take(): number {
    const taker = this.#takers++;
    const contract = CONTRACTS[taker % CONTRACTS.length]!;
    const buys = Math.floor(taker / CONTRACTS.length) % 2 === 0;
    const tick = contract.middle + (buys ? SIDE_PRICES : -SIDE_PRICES);
    const account = this.#random.below(this.#shape.accounts);
    const draft = this.#draft(
      contract,
      buys ? 'buy' : 'sell',
      tick,
      `taker-${taker}` as ClientOid,
      'ioc',
    );
    const { events } = this.#order(account, contract, draft);
    for (const event of events) {
      if (event.type === 'fillSettled' && event.fill.role === 'maker')
        return Number.parseInt(event.fill.clientOid, 10);
    }
    throw new Error('a taker found no order to trade with');
  }

  /** Neighbours trade with each other. */
  #openPositions(): void {
    const [contract] = CONTRACTS as readonly [Contract];
    for (let account = 0; account < this.#shape.accounts; account++) {
      const draft = this.#draft(
        contract,
        account % 2 === 0 ? 'buy' : 'sell',
        contract.middle,
        undefined,
      );
      this.#order(account, contract, { ...draft, size: POSITION_SIZE });
    }
    const { positions } = this.engine.state;
    invariant(positions.size === this.#shape.accounts, 'every account has a position');
  }

  /** Orders that match nothing and end at once. */
  #endOrders(): void {
    const { ended } = this.#shape;
    for (let first = 0; first < ended; first += ORDERS_PER_BATCH) {
      const contract = this.#contractOf(first);
      const drafts = Array.from({ length: Math.min(ORDERS_PER_BATCH, ended - first) }, (_, at) =>
        this.#draft(
          contract,
          'buy',
          contract.middle - 1,
          `ended-${first + at}` as ClientOid,
          'ioc',
        ),
      );
      this.#order(this.#accountOf(first), contract, ...drafts);
    }
  }
}
