/** Runs the engine and the naive exchange side by side on one random stream and compares them. */

import { createEngine, type Engine, type Executed } from '../../src/core/engine.ts';
import { canonicalBytes } from '../../src/kernel/canonical.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Id, Uid } from '../../src/kernel/ids.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import type { Command } from '../../src/messages/commands.ts';
import { NaiveExchange } from '../exchange/naive-exchange.ts';
import type { NaiveInstrument, NaivePrices, NaiveUser } from '../exchange/naive-state.ts';
import { units } from '../exchange/whole-units.ts';
import { AccountSteps } from './lockstep-account-steps.ts';
import {
  answersOf,
  compareAudit,
  compareMoney,
  compareTrading,
  countReport,
  engineDraft,
  engineFundings,
  enginePrices,
  OrderNumbers,
  restored,
  same,
} from './lockstep-compare.ts';
import { Draws } from './lockstep-draws.ts';
import { joinedUser } from './lockstep-join.ts';
import { Limits } from './lockstep-limits.ts';
import { Listings, listAtFirst } from './lockstep-listings.ts';
import { PairDraws } from './lockstep-pairs.ts';
import { type Counters, count } from './lockstep-run.ts';
import { Stale, type StaleStream } from './lockstep-stale.ts';
import type { DrawnCategory, Item } from './lockstep-stream.ts';
import { Switches, type SwitchesStream } from './lockstep-switches.ts';
import { TriggerSteps } from './lockstep-triggers.ts';
import { BOOKS, CAST, COINS, FUTURES, INSTRUMENTS, kindOf, LISTINGS } from './lockstep-world.ts';

const BEGIN = 1_735_689_600_000;
const decimal = (text: string): DecimalText => text as DecimalText;

export class Lockstep {
  engine: Engine;
  readonly naive = new NaiveExchange(BEGIN, FUTURES);
  readonly #random: Random;
  readonly #draws: Draws;
  readonly #instruments: readonly NaiveInstrument[];
  readonly #pairs: PairDraws | undefined;
  readonly #switches: Switches | undefined;
  readonly #stale: Stale | undefined;
  readonly #limits: Limits | undefined;
  readonly #listings: Listings | undefined;
  readonly #accounts: AccountSteps;
  readonly #triggers: TriggerSteps;
  readonly #hasTriggers: boolean;
  readonly #uids: Uid[] = [];
  readonly #numbers = new OrderNumbers();
  /** Names of positions by engine id. */
  readonly #positions = new Map<Id, string>();
  readonly #counters: Counters;

  constructor(seed: number, counters: Counters) {
    this.#random = seededRandom(seed);
    const { pairs, switches, triggers, stale, limits, relisted, cross } = kindOf(seed);
    this.#instruments = cross ? BOOKS : INSTRUMENTS;
    this.#draws = new Draws(this.#random, this.naive, this.#instruments);
    listAtFirst();
    this.#pairs = pairs ? new PairDraws(this.#random, this.naive, this.#draws) : undefined;
    this.#hasTriggers = triggers === true;
    this.#triggers = new TriggerSteps(this.#random, {
      naive: this.naive,
      futures: FUTURES,
      uids: this.#uids,
      run: (command) => this.#compare(this.#run(command)),
      setPrices: (prices) =>
        this.#stale === undefined ? this.#setPrices(prices) : this.#stale.sayChanged(prices),
    });
    this.#accounts = new AccountSteps(this.#optionalStream());
    this.#switches = switches ? new Switches(this.#optionalStream()) : undefined;
    this.#stale = stale ? new Stale(this.#optionalStream()) : undefined;
    this.#limits = limits
      ? new Limits({ ...this.#optionalStream(), state: () => this.engine.state })
      : undefined;
    this.#listings = relisted
      ? new Listings({ ...this.#optionalStream(), state: () => this.engine.state })
      : undefined;
    this.#counters = counters;
    this.engine = createEngine();
    for (const coin of COINS) this.#run({ type: 'listCoin', coin });
    for (const instrument of LISTINGS) this.#run({ type: 'listInstrument', instrument });
    const indexes = { BTC: units('60000'), ETH: units('3000') };
    this.#setPrices({
      indexes,
      marks: Object.fromEntries(
        FUTURES.map(({ symbol, base }) => [symbol, indexes[base as 'BTC' | 'ETH']]),
      ),
    });
    for (const [at, role] of CAST.entries())
      this.naive.users.push(joinedUser(role, at, this.#uids, (command) => this.#run(command)));
  }

  /** What optional steps need. */
  #optionalStream(): SwitchesStream & StaleStream {
    const pairs = this.#pairs;
    return {
      random: this.#random,
      naive: this.naive,
      instruments: this.#instruments,
      draws: this.#draws,
      uidOf: ({ name }) => this.#uids[name]!,
      run: (command) => this.#run(command),
      compare: (executed) => this.#compare(executed),
      movePrices: () => this.#setPrices(this.#draws.prices()),
      submit: (user, category, items) => this.#submit(user, category, items),
      count: (name) => this.#count(name),
      markOf: (key) => this.engine.state.symbolPrices.get(key)?.mark,
      triggers: this.#hasTriggers ? this.#triggers : undefined,
      pairs: pairs && {
        use: () => this.#useAPair(pairs),
        edge: () => this.#setPrices(pairs.edge() ?? this.#draws.prices()),
      },
    };
  }

  #run(command: Command): Executed {
    return this.engine.execute(command, this.naive.now as Timestamp);
  }

  #setPrices(prices: NaivePrices): void {
    this.naive.begin();
    this.naive.setPrices(prices);
    this.#compare(this.#run({ type: 'setPrices', prices: enginePrices(FUTURES, prices) }));
  }

  /** One command on both sides, compared. */
  step(): void {
    const random = this.#random;
    if (this.#switches !== undefined && random.below(14) === 0) return this.#switches.step();
    if (this.#stale !== undefined && random.below(4) === 0) return this.#stale.step();
    if (this.#limits !== undefined && random.below(30) === 0) return this.#limits.step();
    if (this.#listings !== undefined && random.below(40) === 0) return this.#listings.step();
    const dice = random.below(100);
    if (this.#hasTriggers && random.below(6) === 0) this.#triggers.step();
    else if (dice < 4) this.#movePrices();
    else if (dice < 6) this.#accounts.setLeverage();
    else if (dice < 8) this.#accounts.adjustMargin();
    else if (dice < 9) this.#accounts.closeAll();
    else if (dice < 10) this.#accounts.deposit();
    else if (dice < 11 && random.below(2) === 0) this.#accounts.setCoinLeverage();
    else if (dice < 11) this.#accounts.setCountdown();
    else if (dice < 18 && this.naive.orders.length > 0) this.#cancel();
    else if (dice < 28 && this.naive.orders.length > 0) this.#modify();
    else if (dice < 29) this.#sweep();
    else if (this.#pairs !== undefined && dice < 45) this.#useAPair(this.#pairs);
    else this.#place();
    if (random.below(4) === 0) this.#passTime();
    if (random.below(200) === 0) this.#restart();
  }

  #count(name: string): void {
    count(this.#counters, name);
  }

  #movePrices(): void {
    const edges = this.#random.pick([this.#draws, this.#pairs ?? this.#draws]);
    const edge = this.#random.below(4) === 0 ? edges.edge() : undefined;
    this.#setPrices(edge ?? this.#draws.prices());
    this.#count(
      edge === undefined
        ? 'prices'
        : this.naive.report.liquidations.length > 0
          ? 'just liquidated'
          : 'just safe',
    );
    // Earlier orders are far from the new price, so that one sweep of them costs much.
    if (this.#random.below(4) === 0) this.#sweep();
    if (this.#pairs !== undefined && this.#random.below(4) === 0) this.#placeInPair(this.#pairs);
  }

  #passTime(): void {
    const by = this.#draws.span();
    this.naive.begin();
    this.naive.passTime(this.naive.now + by);
    this.#compare(this.#run({ type: 'tick' }));
  }

  #cancel(): void {
    const order = this.#random.pick(this.naive.orders);
    const user = this.#random.below(10) === 0 ? this.#random.pick(this.naive.users) : order.user;
    this.naive.begin();
    this.naive.cancel(user, order.number);
    this.#compare(
      this.#run({
        type: 'cancelOrders',
        uid: this.#uids[user.name]!,
        orders: [{ orderId: this.#numbers.ids[order.number]! }],
      }),
    );
  }

  #modify(): void {
    const order = this.#random.pick(this.naive.orders);
    const user = this.#random.below(20) === 0 ? this.#random.pick(this.naive.users) : order.user;
    const { price, size, replace } = this.#draws.change(order);
    const before = this.#random.below(100) === 0 ? this.#plain() : undefined;
    this.naive.begin();
    this.naive.modify(user, order.number, { price, size, replace });
    const executed = this.#run({
      type: 'modifyOrder',
      uid: this.#uids[user.name]!,
      orderId: this.#numbers.ids[order.number]!,
      ...(price === undefined ? {} : { price: decimal(price) }),
      ...(size === undefined ? {} : { size: decimal(size) }),
      replace,
      autoCancel: false,
    });
    this.#compare(executed);
    if (!this.naive.report.answers.includes('accepted')) {
      this.#count(`not modified ${this.naive.report.answers[0]}`);
      if (before !== undefined)
        same('state after a refused modification', [this.#plain()], [before]);
    }
  }

  #place(): void {
    const random = this.#random;
    const user = random.pick(this.naive.users);
    const { category } = random.pick(this.#instruments);
    const onMargin = category === 'SPOT' && random.below(3) > 0;
    const count = random.below(8) === 0 ? 1 + random.below(5) : 1;
    const draw = (): Item => {
      const instrument = random.pick(
        this.#instruments.filter((each) => each.category === category),
      );
      return { instrument, draft: this.#draws.draft(user, instrument, onMargin) };
    };
    const first = draw();
    const { side, positionSide } = first.draft;
    // Sometimes several similar orders, so that an order that fills whole meets all of them.
    const alike = (): Item => ({
      instrument: first.instrument,
      draft: { ...this.#draws.draft(user, first.instrument, onMargin), side, positionSide },
    });
    const other = random.below(2) === 0 ? alike : draw;
    const items = [first, ...Array.from({ length: count - 1 }, other)];
    this.#submit(user, onMargin ? 'MARGIN' : category, this.#switches?.named(user, items) ?? items);
  }

  #useAPair(pairs: PairDraws): void {
    if (this.#random.below(2) === 0) this.#moneyOfPair(pairs);
    else this.#placeInPair(pairs);
  }

  #moneyOfPair(pairs: PairDraws): void {
    const before = this.#random.below(20) === 0 ? this.#plain() : undefined;
    const { command, answer, happened } = pairs.money(this.#uids);
    this.naive.begin();
    const refused = answer();
    this.naive.report.answers.push(refused ?? 'accepted');
    this.#compare(this.#run(command));
    this.#count(refused === undefined ? happened : `not ${happened}: ${refused}`);
    if (refused !== undefined && before !== undefined)
      same('state after a pair has refused', [this.#plain()], [before]);
  }

  #placeInPair(pairs: PairDraws): void {
    const first = (this.#random.below(3) === 0 ? pairs.edgeOrder() : undefined) ?? pairs.order();
    const count = this.#random.below(8) === 0 ? this.#random.below(4) : 0;
    const more = Array.from({ length: count }, () => pairs.order(first));
    const items = [first, ...more];
    this.#submit(first.user, 'MARGIN', this.#switches?.named(first.user, items) ?? items);
    for (const answer of this.naive.report.answers) this.#count(`order of a pair ${answer}`);
  }

  #sweep(): void {
    const drawn = this.#draws.sweep();
    if (drawn === undefined) return this.#place();
    const { user, instrument, draft } = drawn;
    this.#submit(user, instrument.category, [{ instrument, draft }]);
  }

  #submit(user: NaiveUser, category: DrawnCategory, items: readonly Item[]): void {
    const before = this.#random.below(100) === 0 ? this.#plain() : undefined;
    this.naive.begin();
    for (const { instrument, draft } of items) this.naive.place(user, instrument, draft);
    const orders = items.map(({ instrument, draft }) => engineDraft(instrument, draft));
    const executed = this.#run({
      type: 'placeOrders',
      uid: this.#uids[user.name]!,
      category,
      orders,
    });
    this.#compare(executed);
    this.#switches?.compareNames(user, items, executed);
    if (!this.naive.report.answers.includes('accepted')) {
      same('events of refused orders', executed.events, []);
      if (before !== undefined) same('state after refused orders', [this.#plain()], [before]);
    }
  }

  #plain(): string {
    const { sequence: _sequence, at: _at, digest: _digest, ...rest } = this.engine.state;
    return Buffer.from(canonicalBytes(rest)).toString('base64');
  }

  #restart(): void {
    this.engine = restored(this.engine);
    this.#count('restarts');
  }

  #compare({ outcome, events }: Executed): void {
    this.naive.finish();
    const { report } = this.naive;
    this.#numbers.take(events);
    same('answers', answersOf(outcome), report.answers);
    this.#stale?.compareMarks();
    this.#listings?.compareSettings();
    this.#triggers.compare(events, this.#numbers.of);
    same('fundings', engineFundings(events), report.fundings);
    compareTrading(events, report, {
      uids: this.#uids,
      numberOf: this.#numbers.of,
      positions: this.#positions,
    });
    countReport(this.#counters, report);
    if (!report.answers.includes('accepted')) return;
    compareMoney(this.engine, this.naive, { uids: this.#uids, ids: this.#numbers.ids });
    this.#triggers.compareWaiting(this.engine);
  }

  audit(): void {
    compareAudit(this.engine);
    this.#counters['most open orders'] = Math.max(
      this.#counters['most open orders'] ?? 0,
      this.naive.orders.length,
    );
  }
}
