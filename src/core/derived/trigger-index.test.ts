import { describe, expect, test } from 'vitest';
import type { Way } from '../../formulas/callback.ts';
import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import { money, type Price, type Rate } from '../../kernel/money.ts';
import { type Random, seededRandom } from '../../kernel/random.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Side } from '../../messages/vocabulary.ts';
import type { Lots } from '../book/order-book.ts';
import type { Trigger } from '../state/trigger.ts';
import { TriggerIndex } from './trigger-index.ts';

const KEY = 'USDT-FUTURES:BTCUSDT';

const price = (value: number | string): Price => money<Price>(String(value));

function trigger(
  id: number,
  at: number | string,
  way: Way,
  side: Side = 'sell',
  callback?: string,
): Trigger {
  return {
    id: id as Id,
    uid: 1 as Uid,
    clientOid: String(id) as ClientOid,
    key: KEY,
    kind: callback === undefined ? 'conditional' : 'trailing',
    marginMode: 'crossed',
    positionMode: 'oneWay',
    intent: 'open',
    side,
    reduceOnly: false,
    selfTradeMode: 'none',
    createdAt: 0 as Timestamp,
    lots: 1 as Lots,
    triggerPrice: price(at),
    source: 'last',
    way,
    callbackRate: callback === undefined ? undefined : money<Rate>(callback),
  };
}

/** Checks each trigger by the rules. Percents are in hundredths, prices in whole units: exact. */
class NaiveTriggers {
  readonly #live: {
    id: number;
    at: number;
    way: Way;
    side: Side;
    callback: number | undefined;
    best: number | undefined;
  }[] = [];

  add(id: number, at: number, way: Way, side: Side, callback: number | undefined): void {
    this.#live.push({ id, at, way, side, callback, best: undefined });
  }

  delete(id: number): void {
    this.#live.splice(
      this.#live.findIndex((one) => one.id === id),
      1,
    );
  }

  ids(): number[] {
    return this.#live.map(({ id }) => id);
  }

  update(now: number): number[] {
    const met: { id: number; distance: number }[] = [];
    for (const one of this.#live) {
      if (one.callback !== undefined && one.best !== undefined) {
        const sells = one.side === 'sell';
        one.best = sells ? Math.max(one.best, now) : Math.min(one.best, now);
        const turn = (one.best * (10_000 + (sells ? -one.callback : one.callback))) / 10_000;
        if (sells ? now <= turn : now >= turn)
          met.push({ id: one.id, distance: sells ? -turn : turn });
        continue;
      }
      if (one.way === 'rising' ? now < one.at : now > one.at) continue;
      if (one.callback === undefined)
        met.push({ id: one.id, distance: one.way === 'rising' ? one.at : -one.at });
      else one.best = now;
    }
    met.sort((left, right) => left.distance - right.distance || left.id - right.id);
    for (const { id } of met) this.delete(id);
    return met.map(({ id }) => id);
  }
}

describe('triggers by the price that reaches them', () => {
  test('[TRG-32] a trigger is reached at its price, but not just before it', () => {
    for (const [way, short, there] of [
      ['rising', '99.9999999999', '100'],
      ['falling', '100.0000000001', '100'],
    ] as const) {
      const index = new TriggerIndex();
      index.arm(trigger(1, 100, way));
      expect(index.reach(KEY, 'last', price(short))).toEqual([]);
      expect(index.reach(KEY, 'last', price(there)).map(({ id }) => id)).toEqual([1]);
      expect(index.reach(KEY, 'last', price(there))).toEqual([]);
    }
  });

  test('[TRG-34] a trigger reacts only to its own price source and symbol', () => {
    const index = new TriggerIndex();
    index.arm(trigger(1, 100, 'rising'));
    index.arm({ ...trigger(2, 100, 'rising'), source: 'mark' });
    index.arm({ ...trigger(3, 100, 'rising'), source: 'index' });
    index.arm({ ...trigger(4, 100, 'rising'), key: 'USDT-FUTURES:ETHUSDT' });
    expect(index.reach(KEY, 'mark', price(100)).map(({ id }) => id)).toEqual([2]);
    expect(index.reach(KEY, 'index', price(100)).map(({ id }) => id)).toEqual([3]);
    expect(index.reach(KEY, 'last', price(100)).map(({ id }) => id)).toEqual([1]);
    expect(index.size).toBe(1);
  });

  test('[TRG-35] a second index over the same trails, as in an audit, does not stop them', () => {
    const [index, beside] = [new TriggerIndex(), new TriggerIndex()];
    const trails = [
      trigger(1, 61_000, 'rising', 'sell', '1'),
      trigger(2, 61_000, 'rising', 'sell', '2'),
    ];
    for (const trail of trails) index.arm(trail);
    index.reach(KEY, 'last', price(61_000));
    for (const trail of trails) beside.arm(trail);
    expect(index.reach(KEY, 'last', price(62_000))).toEqual([]);
    expect(trails.map(({ trail }) => trail)).toEqual([
      { best: price(62_000) },
      { best: price(62_000) },
    ]);
    expect(index.reach(KEY, 'last', price('60760')).map(({ id }) => id)).toEqual([1, 2]);
  });

  test('[CLK-12] a reached trailing order that waits to fire no longer follows the price', () => {
    const index = new TriggerIndex();
    const [turning, following] = [
      trigger(1, 61_000, 'rising', 'sell', '1'),
      trigger(2, 61_000, 'rising', 'sell', '5'),
    ];
    for (const trail of [turning, following]) index.arm(trail);
    index.reach(KEY, 'last', price(61_000));
    index.reach(KEY, 'last', price(62_000));
    expect(index.reach(KEY, 'last', price(61_380)).map(({ id }) => id)).toEqual([1]);
    index.reach(KEY, 'last', price(63_000));
    expect(turning.trail).toEqual({ best: price(62_000) });
    expect(following.trail).toEqual({ best: price(63_000) });
  });

  test('[TRG-35] a trailing sell of 1 % with a best price of 62,000 fires at 61,380', () => {
    const index = new TriggerIndex();
    index.arm(trigger(1, 61_000, 'rising', 'sell', '1'));
    expect(index.reach(KEY, 'last', price('60999.9'))).toEqual([]);
    expect(index.reach(KEY, 'last', price(60_000))).toEqual([]);
    expect(index.reach(KEY, 'last', price(61_000))).toEqual([]);
    expect(index.reach(KEY, 'last', price(62_000))).toEqual([]);
    expect(index.reach(KEY, 'last', price('61380.1'))).toEqual([]);
    expect(index.reach(KEY, 'last', price('61380')).map(({ id }) => id)).toEqual([1]);
  });

  test('[TRG-35] a trailing buy of 1 % with a best price of 58,000 fires at 58,580', () => {
    const index = new TriggerIndex();
    index.arm(trigger(1, 59_000, 'falling', 'buy', '1'));
    for (const seen of ['59000', '58000', '58579.9'])
      expect(index.reach(KEY, 'last', price(seen))).toEqual([]);
    expect(index.reach(KEY, 'last', price('58580')).map(({ id }) => id)).toEqual([1]);
  });

  test('[TRG-37] a price reaches the nearest trigger first, and the oldest at one price', () => {
    const index = new TriggerIndex();
    for (const [id, at] of [
      [5, 103],
      [4, 101],
      [3, 102],
      [2, 101],
      [1, 105],
    ] as const)
      index.arm(trigger(id, at, 'rising'));
    expect(index.reach(KEY, 'last', price(104)).map(({ id }) => id)).toEqual([2, 4, 3, 5]);
    for (const id of [7, 6]) index.arm(trigger(id, 90, 'falling'));
    index.arm(trigger(8, 95, 'falling'));
    expect(index.reach(KEY, 'last', price(80)).map(({ id }) => id)).toEqual([8, 6, 7]);
  });

  test('[TRG-37] trailing orders are sorted by the price at which they fire', () => {
    const index = new TriggerIndex();
    index.arm({ ...trigger(1, 100, 'rising', 'sell', '5'), trail: { best: price(100) } });
    index.arm({ ...trigger(2, 100, 'rising', 'sell', '2'), trail: { best: price(100) } });
    index.arm(trigger(3, 96, 'falling'));
    index.arm(trigger(4, 99, 'falling'));
    expect(index.reach(KEY, 'last', price(90)).map(({ id }) => id)).toEqual([4, 2, 3, 1]);
  });

  test('[TRG-37] a trailing order with the same firing price as others is sorted by age', () => {
    const index = new TriggerIndex();
    index.arm(trigger(3, 98, 'falling'));
    index.arm({ ...trigger(2, 100, 'rising', 'sell', '2'), trail: { best: price(100) } });
    index.arm(trigger(1, 98, 'falling'));
    expect(index.reach(KEY, 'last', price('98.1'))).toEqual([]);
    expect(index.reach(KEY, 'last', price(98)).map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  test.each([1, 2, 3, 4])(
    '[TRG-35][TRG-37] the index agrees with a naive check on random paths, from seed %i',
    (seed) => {
      const random: Random = seededRandom(seed);
      const index = new TriggerIndex();
      const naive = new NaiveTriggers();
      const live = new Map<number, Trigger>();
      let now = 10_000;
      for (let step = 1; step <= 4_000; step++) {
        const chance = random.below(10);
        if (chance < 5) {
          // A random walk with occasional gaps.
          now = Math.max(
            100,
            now + (random.below(12) === 0 ? random.below(3_001) - 1_500 : random.below(81) - 40),
          );
          const reached = index.reach(KEY, 'last', price(now)).map(({ id }) => id as number);
          expect(reached).toEqual(naive.update(now));
          for (const id of reached) live.delete(id);
        } else if (chance < 9) {
          const at = Math.max(1, now + random.below(1_201) - 600);
          if (at === now) continue;
          const way: Way = at > now ? 'rising' : 'falling';
          const side: Side = random.below(2) === 0 ? 'buy' : 'sell';
          // 1 to 10 percent in steps of a quarter.
          const callback = random.below(2) === 0 ? undefined : 100 + 25 * random.below(37);
          const made = trigger(
            step,
            at,
            way,
            side,
            callback === undefined ? undefined : String(callback / 100),
          );
          index.arm(made);
          naive.add(step, at, way, side, callback);
          live.set(step, made);
        } else if (live.size > 0) {
          const [id, made] = [...live][random.below(live.size)]!;
          index.disarm(made);
          naive.delete(id);
          live.delete(id);
        }
        expect(index.size).toBe(live.size);
      }
      expect([...live.keys()]).toEqual(naive.ids());
    },
  );
});
