import { startExchange } from 'rialto/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, createClient } from '../../src/client/client.ts';
import type { publicEndpoints } from '../../src/contract/endpoints.ts';
import { DAY } from '../../src/kernel/time.ts';

type Exchange = Awaited<ReturnType<typeof startExchange>>;
type User = Client<typeof publicEndpoints>;

const START = Date.UTC(2025, 0, 1);
const YEAR = 365 * DAY;
let exchange: Exchange;
let carol: User;
let dave: User;

beforeAll(async () => {
  exchange = await startExchange({ startTime: START, market: 'off', limits: 'off' });
  const client = (name: string): User =>
    createClient({ baseUrl: exchange.url, ...exchange.user(name) });
  [carol, dave] = [client('carol'), client('dave')];
});
afterAll(() => exchange.stop());

/** Carol sells to dave at a price in the middle, so both hold a position. */
async function tradeBetween(
  category: 'USDT-FUTURES' | 'COIN-FUTURES' | 'USDC-FUTURES',
  symbol: string,
  price: string,
  qty: string,
): Promise<void> {
  await carol.call('placeOrder', {
    category,
    symbol,
    side: 'sell',
    orderType: 'limit',
    price,
    qty,
  });
  await dave.call('placeOrder', { category, symbol, side: 'buy', orderType: 'limit', price, qty });
}

describe('a year by moving the clock', () => {
  test('[CLK-22] funding, interest and day ends all happen in order over a year, and money adds up', async () => {
    await exchange.clock.freeze();
    await tradeBetween('USDT-FUTURES', 'BTCUSDT', '60000', '0.1');
    await tradeBetween('USDT-FUTURES', 'ETHUSDT', '3000', '1');
    await tradeBetween('USDC-FUTURES', 'BTCPERP', '60000', '0.1');
    await tradeBetween('COIN-FUTURES', 'BTCUSD', '60000', '0.1');
    // Dave sells borrowed coins and owes them for a year.
    await carol.call('placeOrder', {
      category: 'MARGIN',
      symbol: 'BTCUSDT',
      side: 'buy',
      orderType: 'limit',
      price: '60000',
      qty: '0.05',
    });
    await dave.call('placeOrder', {
      category: 'MARGIN',
      symbol: 'SOLUSDT',
      side: 'sell',
      orderType: 'limit',
      price: '150',
      qty: '10',
    });
    await carol.call('placeOrder', {
      category: 'MARGIN',
      symbol: 'SOLUSDT',
      side: 'buy',
      orderType: 'limit',
      price: '150',
      qty: '10',
    });
    const owed = async (): Promise<number> => {
      const { balances } = await exchange.operator.call('getUser', {
        uid: exchange.user('dave').uid,
      });
      return Number(balances.find(({ coin }) => coin === 'SOL')?.interest ?? 0);
    };
    expect(await owed()).toBe(0);

    await exchange.clock.advance(YEAR);

    expect(await exchange.clock.now()).toBe(START + YEAR);
    expect(await exchange.operator.call('audit', {})).toMatchObject({ ok: true, violations: [] });
    // Interest of every hour of the year.
    expect(await owed()).toBeGreaterThan(0);
    const { uid } = exchange.user('dave');
    const lines = await exchange.operator.call('listLedger', { uid, coin: 'USDC', limit: '1000' });
    // No quote was away from the index, so each funding costs the long the same, three times a day.
    expect(lines.filter(({ reason }) => reason === 'funding').length).toBeGreaterThan(900);
  });
});
