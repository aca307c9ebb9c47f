/** Runs with accounts close to the limits of open orders, triggers and daily orders. */
import type { Engine } from '../../src/core/engine.ts';
import {
  OPEN_ORDERS_MAX,
  openOrders,
  ordersToday,
  TRIGGERS_MAX,
  triggerPlaces,
} from '../exchange/naive-limits.ts';
import { bandOf, type NaiveDraft } from '../exchange/naive-placing.ts';
import type { NaiveInstrument, NaiveUser } from '../exchange/naive-state.ts';
import { shown } from '../exchange/whole-units.ts';
import { same } from './lockstep-compare.ts';
import type { Stream } from './lockstep-stream.ts';
import type { TriggerSteps } from './lockstep-triggers.ts';
import { FUTURES, type Future, INSTRUMENTS } from './lockstep-world.ts';

interface LimitsStream extends Stream {
  readonly state: () => Engine['state'];
}

const BATCH = 20;

export class Limits {
  readonly #stream: LimitsStream;
  /** The account and the kind of orders close to the limit. */
  readonly #user: number;
  readonly #instrument: NaiveInstrument;

  constructor(stream: LimitsStream) {
    const { random } = stream;
    this.#stream = stream;
    this.#user = random.pick([0, 3]);
    this.#instrument = random.pick([
      INSTRUMENTS.find(({ category }) => category === 'SPOT')!,
      random.pick(FUTURES),
    ]);
  }

  step(): void {
    const { random, naive, triggers } = this.#stream;
    const dice = random.below(4);
    if (dice === 0) this.#restrict();
    else if (dice === 1 && triggers !== undefined) this.#waitForMuch(triggers);
    else this.#askForMuch();
    for (const { name, owner } of naive.users)
      if (name === owner) this.#compareDay(naive.users[name]!);
  }

  /** Restricts an account with many orders; mostly lifted soon. */
  #restrict(): void {
    const { random, naive, triggers } = this.#stream;
    const most = ordersToday(naive, random.pick(naive.users)) + random.below(4);
    this.#setDay(most > 0 ? most : undefined);
    for (let left = random.below(12); left > 0; left--) {
      if (triggers === undefined || random.below(2) === 0)
        this.#order(random.pick(naive.users), random.pick(this.#stream.instruments));
      else triggers.step();
    }
    if (random.below(4) > 0) this.#setDay(undefined);
  }

  #setDay(restrict: number | undefined): void {
    const { naive, run, compare } = this.#stream;
    naive.begin();
    naive.day.restrict = restrict;
    naive.report.answers.push('accepted');
    compare(run({ type: 'setDailyOrders', warn: undefined, restrict }));
  }

  #order(user: NaiveUser, instrument: NaiveInstrument): void {
    const { random, draws, submit } = this.#stream;
    const onMargin = instrument.category === 'SPOT' && random.below(2) === 0;
    submit(user, onMargin ? 'MARGIN' : instrument.category, [
      { instrument, draft: draws.draft(user, instrument, onMargin) },
    ]);
  }

  /** Fills up the open orders, then requests more. */
  #askForMuch(): void {
    const { random, naive } = this.#stream;
    const user = naive.users[this.#user]!;
    this.#setDay(undefined);
    const wanted = OPEN_ORDERS_MAX - random.below(3);
    for (let tries = OPEN_ORDERS_MAX / BATCH; tries > 0; tries--) {
      const missing = wanted - openOrders(naive, user, this.#instrument);
      if (missing <= 0) break;
      this.#rest(user, Math.min(missing, BATCH));
    }
    for (let left = random.below(6); left > 0; left--) {
      const alike = this.#stream.instruments.filter(
        ({ category }) => (category === 'SPOT') === (this.#instrument.category === 'SPOT'),
      );
      this.#order(user, random.pick(alike));
    }
  }

  /** Far away and small. */
  #rest(user: NaiveUser, count: number): void {
    const { naive, submit } = this.#stream;
    const instrument = this.#instrument;
    const draft: NaiveDraft = {
      side: 'buy',
      market: false,
      size: shown(instrument.sizeMin),
      price: shown(bandOf(naive, instrument).lowest),
      timeInForce: 'gtc',
      positionSide: 'long',
      stp: 'none',
      reduceOnly: false,
      onMargin: false,
    };
    submit(
      user,
      instrument.category,
      Array.from({ length: count }, () => ({ instrument, draft })),
    );
  }

  /** Fills up the triggers of a symbol with a position, then requests more. */
  #waitForMuch(triggers: TriggerSteps): void {
    const { random, naive } = this.#stream;
    const [user, instrument] = triggers.focus ?? this.#context();
    this.#setDay(undefined);
    const wanted = TRIGGERS_MAX - random.below(4);
    for (
      let tries = TRIGGERS_MAX;
      tries > 0 && triggerPlaces(naive, user, instrument) < wanted;
      tries--
    )
      triggers.placeFar(user, instrument);
    triggers.focus = [user, instrument];
    for (let left = random.below(6); left > 0; left--) triggers.step();
  }

  #context(): [NaiveUser, Future] {
    const { random, naive, draws } = this.#stream;
    const held = naive.positions.map(({ user, instrument }): [NaiveUser, Future] => [
      user,
      instrument as Future,
    ]);
    return held.length > 0 ? random.pick(held) : draws.someone();
  }

  #compareDay(user: NaiveUser): void {
    const { naive, uidOf, state } = this.#stream;
    const { day, count } = state().accounts.get(uidOf(user))!.ordersToday;
    const own = day + 86_400_000 > naive.now ? count : 0;
    same(`orders of the day of ${user.name}`, [own], [ordersToday(naive, user)]);
  }
}
