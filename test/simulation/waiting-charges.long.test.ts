/**
 * Random streams while hundreds of accounts have pending charges. The result is the same as if the
 * charges came first.
 */
import { describe, expect, test } from 'vitest';
import type { State } from '../../src/core/state/state.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import { HOUR } from '../../src/kernel/time.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { Side } from '../../src/messages/vocabulary.ts';
import { Market } from '../scenarios/market.test-support.ts';

const MARK = 50_000;
const SYMBOL = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;
const PEOPLE = 700;

/**
 * Every account has a position, some isolated with hardly any headroom. Many have an order beside
 * the mark, and a third have a loan.
 */
function crowd(seed: number): { readonly market: Market; readonly people: readonly Uid[] } {
  const chance = seededRandom(seed).fork('crowd');
  const market = new Market();
  market.index('BTC', `${MARK}`);
  const [buyer, seller] = [
    market.joins({ USDT: '9000000' }),
    market.joins({ USDT: '9000000', BTC: '100' }),
  ];
  market.order(buyer, 'buy', '20', 'BTCUSDT', '50000');
  market.order(seller, 'sell', '20', 'SPOT:BTCUSDT', '50000');
  const people = Array.from({ length: PEOPLE }, (_, place) => {
    if (place === PEOPLE / 2) {
      market.accepted({
        type: 'cancelAllOrders',
        uid: buyer,
        category: 'USDT-FUTURES',
        symbol: undefined,
      });
      market.order(seller, 'sell', '20', 'BTCUSDT', '50000');
    }
    const uid = market.joins(
      chance.pick([{ USDT: '200' }, { USDT: '40' }, { USDT: '30', BTC: '0.01' }, { BTC: '0.01' }]),
    );
    market.settings(
      uid,
      'BTCUSDT',
      chance.pick(['20', '50', '125']),
      chance.pick(['isolated', 'crossed']),
    );
    market.order(
      uid,
      place < PEOPLE / 2 ? 'sell' : 'buy',
      chance.pick(['0.01', '0.005', '0.002']),
      'BTCUSDT',
    );
    if (chance.below(3) === 0) market.order(uid, 'buy', '0.001', 'MARGIN:BTCUSDT', '50000');
    if (chance.below(2) === 0)
      market.order(
        uid,
        chance.pick<Side>(['buy', 'sell']),
        '0.004',
        'BTCUSDT',
        `${MARK - 50 + chance.below(100)}`,
      );
    return uid;
  });
  market.accepted({
    type: 'cancelAllOrders',
    uid: seller,
    category: 'USDT-FUTURES',
    symbol: undefined,
  });
  return { market, people: [buyer, seller, ...people] };
}

/** One random action of an account. */
function act(market: Market, people: readonly Uid[], chance: Random): void {
  const uid = chance.pick(people);
  const [size, side] = [
    chance.pick(['0.002', '0.01', '0.05', '0.2']),
    chance.pick<Side>(['buy', 'sell']),
  ];
  const commands: readonly (() => Command)[] = [
    () => ({ type: 'closePositions', uid, ...SYMBOL, side: undefined }),
    () => ({
      type: 'adjustMargin',
      uid,
      ...SYMBOL,
      direction: chance.pick(['add', 'remove']),
      amount: chance.pick(['1', '0.1']) as never,
    }),
    () => ({
      type: 'setLeverage',
      uid,
      ...SYMBOL,
      leverage: chance.pick(['20', '60', '125']) as never,
      side: undefined,
    }),
    () => ({ type: 'cancelAllOrders', uid, category: 'USDT-FUTURES', symbol: undefined }),
  ];
  const roll = chance.below(10);
  if (roll === 0)
    market.order(uid, side, '0.001', chance.pick(['MARGIN:BTCUSDT', 'SPOT:BTCUSDT']), '50000');
  else if (roll < 4) market.submit(chance.pick(commands)());
  else if (roll < 7) market.order(uid, side, size, 'BTCUSDT');
  else
    market.order(uid, side, size, 'BTCUSDT', `${MARK - 50 + chance.below(100)}`, {
      timeInForce: chance.pick(['gtc', 'ioc', 'fok', 'postOnly']),
      reduceOnly: chance.below(4) === 0,
    });
}

function finishCharges(market: Market): void {
  while (market.engine.hasDeferredWork()) market.passes(0);
}

/** Balances, debts, positions and orders of all accounts and the house, without ids and times. */
function standing({ ledger, debts, positions, orders }: State) {
  const own = [...positions.values()].flatMap((some) => [...some.values()]);
  return {
    wallets: new Map([...ledger.wallets].sort(([one], [other]) => one - other)),
    house: ledger.house,
    debts: new Map([...debts].sort(([one], [other]) => one - other)),
    positions: own
      .sort((one, other) => one.uid - other.uid)
      .map(({ id: _id, updatedAt: _at, ...position }) => position),
    orders: [...orders.values()].map(({ uid, side, limit, left, hold }) => ({
      uid,
      side,
      limit,
      left,
      hold,
    })),
  };
}

const SEEDS = Array.from(
  { length: Number.parseInt(process.env.RIALTO_STREAM_SEEDS ?? '6', 10) },
  (_, place) => place + 1,
);

describe('while hundreds of accounts have pending charges', () => {
  test.each(SEEDS)(
    '[CLK-153][CLK-27] the result is as if all charges had come first (seed %i)',
    (seed) => {
      const [meanwhile, after] = [false, true].map((waits) => {
        const { market, people } = crowd(seed);
        market.passes(8 * HOUR);
        expect(market.state.pendingCharges!.size).toBeGreaterThan(500);
        if (waits) finishCharges(market);
        const chance = seededRandom(seed).fork('acts');
        for (let count = 0; count < 8; count++) act(market, people, chance);
        finishCharges(market);
        market.check();
        return standing(market.state);
      });
      expect(meanwhile).toEqual(after);
    },
  );

  test.each(SEEDS)(
    '[CLK-27][CLK-28] each account is charged once, despite price moves and liquidations (seed %i)',
    (seed) => {
      const { market, people } = crowd(seed);
      const chance = seededRandom(seed).fork('prices');
      const before = new Set(
        [...market.state.positions.values()].flatMap((own) =>
          [...own.values()].map(({ id }) => id),
        ),
      );
      const emitted: number[] = [];
      market.passes(8 * HOUR);
      emitted.push(...market.emitted('fundingCharged').map(({ positionId }) => positionId));
      while (market.engine.hasDeferredWork()) {
        if (chance.below(2) === 0) market.pin('BTCUSDT', `${MARK - 600 + chance.below(1_200)}`);
        else act(market, people, chance);
        emitted.push(...market.emitted('fundingCharged').map(({ positionId }) => positionId));
        market.check();
      }
      expect(emitted.sort((one, other) => one - other)).toEqual(
        [...before].sort((one, other) => one - other),
      );
      market.checkReplay();
    },
  );
});
