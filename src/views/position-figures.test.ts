/** Counts how often position and coin figures read an account. */
import { expect, test, vi } from 'vitest';
import { createEngine } from '../core/engine.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { Uid } from '../kernel/ids.ts';
import { moneyText } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import { DEFAULT_COINS } from '../listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../listings/default-instruments.ts';
import type { Command } from '../messages/commands.ts';
import type { Side } from '../messages/vocabulary.ts';
import { removableOf } from './account-margins.ts';
import { createMemoryHistory } from './history/memory-history.ts';
import { positionFigures } from './position-figures.ts';
import type { OrderRecord } from './records.ts';
import { createViews } from './views.ts';

const AT = 1_789_000_000_000 as Timestamp;
const SYMBOLS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'];
const category = 'USDT-FUTURES';
const decimal = (text: string): DecimalText => text as DecimalText;

/** An account with 1 of each of four symbols bought at 100, and ten bids for 1 more of the last. */
function manyPositions() {
  const engine = createEngine();
  const views = createViews(createMemoryHistory());
  const submit = (command: Command): unknown => {
    const { sequence, at, events, outcome } = engine.execute(command, AT);
    views.apply({ sequence, at, events });
    expect(outcome).toMatchObject({ ok: true });
    return (outcome as { value: unknown }).value;
  };
  const joins = (): Uid => {
    const { uid } = submit({ type: 'createUser', level: 'VIP0', positionMode: 'oneWay' }) as {
      uid: Uid;
    };
    submit({ type: 'deposit', uid, coin: 'USDT', size: decimal('10000') });
    return uid;
  };
  const order = (uid: Uid, symbol: string, side: Side, price: string): void => {
    const draft = {
      symbol,
      side,
      price: decimal(price),
      size: decimal('1'),
      orderType: 'limit',
      timeInForce: 'gtc',
      reduceOnly: false,
    } as const;
    expect(submit({ type: 'placeOrders', uid, category, orders: [draft] })).toMatchObject([
      { ok: true },
    ]);
  };
  for (const coin of DEFAULT_COINS) submit({ type: 'listCoin', coin });
  for (const instrument of DEFAULT_INSTRUMENTS) submit({ type: 'listInstrument', instrument });
  const prices = SYMBOLS.map(
    (symbol) =>
      ({ category, symbol, index: decimal('100'), releaseMark: false, force: true }) as const,
  );
  submit({ type: 'setPrices', prices });
  const [uid, other] = [joins(), joins()];
  for (const symbol of SYMBOLS) {
    order(other, symbol, 'sell', '100');
    order(uid, symbol, 'buy', '100');
  }
  for (let count = 0; count < 10; count++) order(uid, 'XRPUSDT', 'buy', '90');
  return { views, uid };
}

test('[VIEW-43] position figures read each open order once, and those of the own symbol twice more', () => {
  const { views, uid } = manyPositions();
  let reads = 0;
  const counted = views.orders.open(uid).map(
    (record): OrderRecord => ({
      ...record,
      get order() {
        reads++;
        return record.order;
      },
    }),
  );
  // The first read is for the account's margin, which reads each order once.
  vi.spyOn(views.orders, 'open').mockReturnValue(counted);
  const shown = positionFigures(views, uid, () => true).map(({ row, openOrderSize }) => [
    row.symbol,
    moneyText(openOrderSize),
  ]);
  expect(shown).toEqual([
    ['XRPUSDT', '10'],
    ['SOLUSDT', '0'],
    ['ETHUSDT', '0'],
    ['BTCUSDT', '0'],
  ]);
  // Ten for the margin, and ten to group by symbol. Ten each for the orders that increase and that
  // reduce the one position.
  expect(reads).toBe(40);
});

test('[VIEW-43] removable amounts of several coins are computed from one sum of the account', () => {
  const { views, uid } = manyPositions();
  const reads = vi.spyOn(views.orders, 'open');
  const leavable = removableOf(views, uid, AT);
  const shown = ['USDT', 'BTC', 'ETH', 'XRP'].map((coin) => [
    coin,
    moneyText(leavable(coin)) === '0',
  ]);
  expect(shown).toEqual([
    ['USDT', false],
    ['BTC', true],
    ['ETH', true],
    ['XRP', true],
  ]);
  // Once for the whole account, and once without stale coins.
  expect(reads).toHaveBeenCalledTimes(2);
});
