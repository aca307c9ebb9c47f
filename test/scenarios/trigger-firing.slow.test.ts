/** Which prices fire a trigger, and in which order triggers fire. */
import { describe, expect } from 'vitest';
import { WORK_PORTIONS } from '../../src/core/derived/work-portions.ts';
import { type ClientOid, type Id, idText } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import type { OrderDraft } from '../../src/messages/orders.ts';
import { PRICE_SOURCES, type PriceSource } from '../../src/messages/vocabulary.ts';
import { test } from './market.test-support.ts';
import { ready } from './trigger-firing.test-support.ts';
import { Triggers } from './trigger-market.test-support.ts';

const MOVES: Readonly<Record<PriceSource, (triggers: Triggers, price: string) => void>> = {
  last: (triggers, price) => triggers.trades(price),
  mark: ({ market }, price) => void market.pin('BTCUSDT', price),
  index: ({ market }, price) => void market.index('BTC', price),
};

/** Moves one price of BTCUSDT only. */
const move = (triggers: Triggers, source: PriceSource, price: string): void =>
  MOVES[source](triggers, price);

describe('the order of a trigger', () => {
  test('[TRG-36][ORD-85] has the id of its trigger as client id, which takes precedence over an older order', ({
    market,
  }) => {
    const triggers = ready(market);
    const alice = market.joins({ USDT: '1000000' });
    const trigger = triggers.placed(alice, 'buy', { at: '51000', source: 'mark', price: '45000' });
    const clientOid = idText(trigger) as ClientOid;
    const draft = {
      symbol: 'BTCUSDT',
      side: 'buy',
      size: '1',
      price: '44000',
      orderType: 'limit',
      timeInForce: 'gtc',
    } as const;
    const orders = [{ ...draft, reduceOnly: false, clientOid } as unknown as OrderDraft];
    market.accepted({ type: 'placeOrders', uid: alice, category: 'USDT-FUTURES', orders });
    move(triggers, 'mark', '51000');
    const limits = (): string[] =>
      market.state.accounts
        .get(alice)!
        .openOrders.map((id) => market.state.orders.get(id)!.clientOid);
    expect([triggers.ends(), limits()]).toEqual([[`fired ${trigger}`], [clientOid, clientOid]]);
    const [first, made] = market.state.accounts.get(alice)!.openOrders;
    const cancel = (name: { clientOid: ClientOid } | { orderId: Id }) => {
      market.accepted({
        type: 'cancelOrders',
        uid: alice,
        orders: [{ orderId: undefined, clientOid: undefined, ...name }],
      });
      return market.emitted('orderEnded').map(({ end }) => end.orderId);
    };
    expect([cancel({ clientOid }), cancel({ clientOid }), cancel({ orderId: made! })]).toEqual([
      [made],
      [first],
      [],
    ]);
  });
});

describe('reaching a trigger price', () => {
  test.for(PRICE_SOURCES)(
    '[TRG-05][TRG-32][TRG-34] by %s: just not reached and just reached, from below and from above',
    (source, { market }) => {
      const triggers = ready(market);
      const alice = market.joins({ USDT: '1000000' });
      const above = triggers.placed(alice, 'buy', { at: '51000', source });
      const below = triggers.placed(alice, 'sell', { at: '49000', source });
      for (const price of ['50999.9', '49000.1', '50000']) {
        move(triggers, source, price);
        expect(triggers.ends()).toEqual([]);
      }
      move(triggers, source, '51000');
      expect(triggers.ends()).toEqual([`fired ${above}`]);
      expect(triggers.live(below)).toBeDefined();
      if (source === 'last') triggers.trades('50000');
      move(triggers, source, '49000');
      expect(triggers.ends()).toEqual([`fired ${below}`]);
      expect(market.state.triggers.size).toBe(0);
    },
  );

  test.for(PRICE_SOURCES)(
    '[TRG-34] a move of %s fires no trigger with another source',
    (source, { market }) => {
      const triggers = ready(market);
      const alice = market.joins({ USDT: '1000000' });
      const others = PRICE_SOURCES.filter((other) => other !== source);
      for (const other of others) triggers.placed(alice, 'buy', { at: '51000', source: other });
      move(triggers, source, '52000');
      expect(triggers.ends()).toEqual([]);
      expect(market.state.triggers.size).toBe(2);
    },
  );

  test('[TRG-33] a trigger already reached at placing fires at once, and one beside it waits', ({
    market,
  }) => {
    const triggers = ready(market);
    const alice = market.joins({ USDT: '1000000' });
    const there = triggers.placed(alice, 'buy', { at: '50000' });
    expect(triggers.ends()).toEqual([`fired ${there}`]);
    const besides = triggers.placed(alice, 'buy', { at: '59999.9', size: '0.1' });
    expect(triggers.ends()).toEqual([]);
    expect(triggers.live(besides)?.way).toBe('falling');
  });

  test('[TRG-34] before the first trade the index is the last price', ({ market }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '1000000' });
    triggers.offers('sell', '51500');
    const id = triggers.placed(alice, 'buy', { at: '51000', size: '0.1' });
    market.index('BTC', '51000');
    expect(triggers.ends()).toEqual([`fired ${id}`]);
  });

  test('[TRG-45] a frozen mark fires nothing until it is fresh again', ({ market }) => {
    const triggers = ready(market);
    const alice = market.joins({ USDT: '1000000' });
    market.accepted({ type: 'switchMarket', on: true });
    const id = triggers.placed(alice, 'buy', { at: '50500', source: 'mark', size: '0.1' });
    const placedThere = () =>
      triggers.placed(alice, 'buy', { at: '50500', source: 'mark', size: '0.1' });
    market.index('BTC', '50600');
    market.passes(10_000);
    // Without its pin the mark follows the index, which is stale. The book was not sampled
    // meanwhile (PRC-16).
    market.pin('BTCUSDT', undefined);
    expect([triggers.ends(), market.mark('BTCUSDT')]).toEqual([[], '50600']);
    const late = placedThere();
    expect(triggers.ends()).toEqual([]);
    expect(market.engine.audit().violations).toEqual([]);
    market.index('BTC', '50600');
    expect(triggers.ends()).toEqual([`fired ${id}`]);
    expect(triggers.live(late)?.way).toBe('falling');
  });
});

describe('trailing', () => {
  test.for(PRICE_SOURCES)(
    '[TRG-35] by %s: a sell trail of one percent that saw 62,000 fires at 61,380, not at 61,380.1',
    (source, { market }) => {
      const triggers = ready(market);
      const alice = market.joins({ USDT: '1000000' });
      if (source === 'last')
        market.accepted({ type: 'cancelAllOrders', uid: triggers.maker, category: 'USDT-FUTURES' });
      const id = triggers.placed(alice, 'sell', {
        at: '61000',
        source,
        callback: '1',
        size: '0.1',
      });
      // A fall before the activation price is no callback.
      for (const price of ['60999.9', '55000', '61000', '62000', '61500', '61380.1']) {
        move(triggers, source, price);
        expect([price, triggers.ends()]).toEqual([price, []]);
      }
      if (source === 'last') triggers.offers('buy', '61000');
      move(triggers, source, '61380');
      expect(triggers.ends()).toEqual([`fired ${id}`]);
    },
  );

  test('[OPR-12][TRG-35] an audit at any time leaves trailing triggers following, firing and cancellable', ({
    market,
  }) => {
    const triggers = ready(market);
    const alice = market.joins({ USDT: '1000000' });
    const trail = (at: string): Id =>
      triggers.placed(alice, 'sell', { at, source: 'mark', callback: '1', size: '0.1' });
    const [early, late, cancelled] = [trail('51000'), trail('51500'), trail('52000')];
    const best = (id: Id): string => moneyText(triggers.live(id)!.trail!.best);
    for (const price of ['51000', '51500', '52000', '52500', '53000']) {
      move(triggers, 'mark', price);
      expect(market.engine.audit().violations).toEqual([]);
      expect(best(early)).toBe(price);
    }
    expect([best(late), best(cancelled)]).toEqual(['53000', '53000']);
    market.accepted({
      type: 'cancelTriggers',
      uid: alice,
      category: 'USDT-FUTURES',
      kinds: [],
      triggers: [{ triggerId: cancelled }],
    });
    move(triggers, 'mark', '52470.1');
    expect(triggers.ends()).toEqual([]);
    move(triggers, 'mark', '52470');
    expect(triggers.ends()).toEqual([`fired ${early}`, `fired ${late}`]);
  });

  test('[TRG-35] a buy trail follows the lowest price and fires when the price rises from it', ({
    market,
  }) => {
    const triggers = ready(market);
    const alice = market.joins({ USDT: '1000000' });
    const id = triggers.placed(alice, 'buy', {
      at: '49000',
      source: 'mark',
      callback: '10',
      size: '0.1',
    });
    for (const price of ['49000.1', '49000', '45000', '46000', '44000', '48399.9']) {
      move(triggers, 'mark', price);
      expect([price, triggers.ends()]).toEqual([price, []]);
    }
    move(triggers, 'mark', '48400');
    expect(triggers.ends()).toEqual([`fired ${id}`]);
  });

  test('[TRG-35] a trail already active at placing follows from the current price', ({
    market,
  }) => {
    const triggers = ready(market);
    const alice = market.joins({ USDT: '1000000' });
    const id = triggers.placed(alice, 'sell', {
      at: '50000',
      source: 'mark',
      callback: '2',
      size: '0.1',
    });
    expect(moneyText(triggers.live(id)!.trail!.best)).toBe('50000');
    move(triggers, 'mark', '49000.1');
    expect(triggers.ends()).toEqual([]);
    move(triggers, 'mark', '49000');
    expect(triggers.ends()).toEqual([`fired ${id}`]);
  });
});

describe('the order of firing', () => {
  test('[TRG-37] along the path of the price, then oldest first', ({ market }) => {
    const triggers = ready(market);
    const alice = market.joins({ USDT: '10000000' });
    const at = (price: string): Id =>
      triggers.placed(alice, 'sell', { at: price, source: 'mark', size: '0.001' });
    const [far, near, middle, nearToo, rises] = [
      at('46000'),
      at('49000'),
      at('47500'),
      at('49000'),
      at('51000'),
    ];
    move(triggers, 'mark', '46000');
    expect(triggers.ends()).toEqual([near, nearToo, middle, far].map((id) => `fired ${id}`));
    expect(triggers.live(rises)).toBeDefined();
    const ups = [at('48000'), at('47000'), at('48000')];
    move(triggers, 'mark', '52000');
    expect(triggers.ends()).toEqual([ups[1], ups[0], ups[2], rises].map((id) => `fired ${id}`));
  });

  test('[TRG-38] a trade of a fired trigger may reach the next one, in the same command', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    triggers.trades('50000');
    const alice = market.joins({ USDT: '10000000' });
    // Each sale takes the best bid, so the price falls to the next one.
    for (const price of ['49500', '49000', '48500', '48000']) triggers.offers('buy', price, '0.01');
    const chain = ['49900', '49500', '49000', '48500'].map((price) =>
      triggers.placed(alice, 'sell', { at: price, size: '0.01' }),
    );
    const out = triggers.placed(alice, 'sell', { at: '47999.9', size: '0.01' });
    triggers.trades('49900');
    expect(triggers.ends()).toEqual(chain.map((id) => `fired ${id}`));
    expect(triggers.live(out)).toBeDefined();
  });

  test('[TRG-38] a command fires a portion, ticks fire the rest, and a price that returns loses none', ({
    market,
  }) => {
    const triggers = ready(market);
    const people = Array.from({ length: 4 }, () => market.joins({ USDT: '100000' }));
    const ids = people.flatMap((uid) =>
      Array.from({ length: 450 }, (_, at) =>
        triggers.placed(uid, 'sell', {
          at: `${49_000 - at}`,
          source: 'mark',
          size: '0.0001',
          marginMode: 'crossed',
        }),
      ),
    );
    const inOrder = [...ids].sort((one, other) => {
      const [left, right] = [triggers.live(one)!, triggers.live(other)!];
      return left.triggerPrice === right.triggerPrice
        ? one - other
        : right.triggerPrice > left.triggerPrice
          ? 1
          : -1;
    });
    market.pin('BTCUSDT', '48000');
    const fired = triggers.ends();
    expect(fired).toHaveLength(2 * WORK_PORTIONS.triggers);
    expect(market.engine.audit().violations).toEqual([]);
    // A reached trigger cannot change, but can be cancelled until it fires. A price that returns
    // does not save it.
    const waiting = inOrder[1_600]!;
    expect(triggers.change(triggers.live(waiting)!.uid, waiting, { triggerPrice: '40000' })).toBe(
      'unknownTrigger',
    );
    fired.push(...triggers.ends());
    expect(fired).toHaveLength(3 * WORK_PORTIONS.triggers);
    const spared = inOrder[1_700]!;
    expect(triggers.cancel(triggers.live(spared)!.uid, [], [{ triggerId: spared }])).toEqual([
      'cancelled',
    ]);
    fired.push(...triggers.ends().filter((end) => end.startsWith('fired')));
    market.pin('BTCUSDT', '50000');
    fired.push(...triggers.ends());
    while (market.state.reachedTriggers.size > 0) {
      market.accepted({ type: 'tick' });
      fired.push(...triggers.ends());
    }
    expect(fired).toEqual(inOrder.filter((id) => id !== spared).map((id) => `fired ${id}`));
    expect(market.state.triggers.size).toBe(0);
  });

  test('[TRG-66] a stop-loss closes before the same price liquidates', ({ market }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '2530' });
    market.settings(alice, 'BTCUSDT', '20', 'isolated');
    market.trade(alice, triggers.maker, '1', 'BTCUSDT', '50000');
    triggers.offers('buy', '48500');
    const [stop] = triggers.tpsl(alice, 'long', {
      kind: 'positionStopLoss',
      at: '49000',
      source: 'mark',
    });
    // At 47,719.5 the position would be liquidated.
    market.index('BTC', '47000');
    expect(triggers.ends()).toEqual([`fired ${stop}`]);
    expect(market.emitted('liquidationBegun')).toEqual([]);
    expect(market.fills(alice)).toEqual(['normal sell 1 at 48500']);
  });
});
