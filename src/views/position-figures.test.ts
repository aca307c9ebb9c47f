/** Figures of positions and coins: how often an account is looked at for them. */
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
import { leavableOf } from './account-margins.ts';
import { createMemoryHistory } from './history/memory-history.ts';
import { positionFigures } from './position-figures.ts';
import type { OrderRecord } from './records.ts';
import { createViews } from './views.ts';

const AT = 1_789_000_000_000 as Timestamp;
const SYMBOLS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'];
const category = 'USDT-FUTURES';
const decimal = (text: string): DecimalText => text as DecimalText;

/**
 * Somebody who has bought 1 of each of four symbols at 100, and bids for 1 more of the last ten
 * times.
 */
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

test('[VIEW-43] positions in many symbols cost one look at each open order, and those of its own symbol two more', () => {
  const { views, uid } = manyPositions();
  let looks = 0;
  const counted = views.orders.open(uid).map(
    (record): OrderRecord => ({
      ...record,
      get order() {
        looks++;
        return record.order;
      },
    }),
  );
  // The first is for the margin of the account, which reads each order once.
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
  // Ten for the margin, ten to sort them by symbol, and ten each for what increases and what
  // reduces the one position.
  expect(looks).toBe(40);
});

test('[VIEW-43] what may leave of as many coins as are asked for is reckoned from one sum of the account', () => {
  const { views, uid } = manyPositions();
  const looks = vi.spyOn(views.orders, 'open');
  const leavable = leavableOf(views, uid, AT);
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
  // Once as it stands, and once without coins of which nothing was heard.
  expect(looks).toHaveBeenCalledTimes(2);
});
