/** Fee rates and the profile of the caller over HTTP. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

const symbol = 'BTCUSDT';

let exchange: TradingExchange;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000');
  await exchange.setIndex('ETHUSDT', '3000');
});

afterEach(() => exchange.clearBooks());
afterAll(() => exchange.stop());

const time = expect.stringMatching(/^\d{13}$/);

describe('fees and profile', () => {
  test('[POS-26][POS-27] rates follow the level', async () => {
    const [newcomer, professional] = [
      await exchange.trader(),
      await exchange.trader({ level: 'VIP3' }),
    ];
    expect(
      await exchange.data(newcomer, 'getFeeRate', { category: 'USDT-FUTURES', symbol }),
    ).toEqual({
      makerFeeRate: '0.0002',
      takerFeeRate: '0.0006',
    });
    expect(await exchange.data(newcomer, 'getFeeRate', { category: 'SPOT', symbol })).toEqual({
      makerFeeRate: '0.001',
      takerFeeRate: '0.001',
    });
    expect(
      await exchange.data(professional, 'getTradeRate', { businessType: 'spot', symbol }),
    ).toEqual({
      makerFeeRate: '0.0005',
      takerFeeRate: '0.0006',
    });
    expect(
      await exchange.data(professional, 'getTradeRate', { businessType: 'mix', symbol: 'BTCUSD' }),
    ).toEqual({
      makerFeeRate: '0.00014',
      takerFeeRate: '0.00045',
    });
    expect(
      await exchange.code(newcomer, 'getTradeRate', { businessType: 'margin', symbol: 'BTCUSD' }),
    ).toBe('40034');
    expect(
      await exchange.code(newcomer, 'getFeeRate', { category: 'SPOT', symbol: 'NOSUCH' }),
    ).toBe('25100');
  });

  test('[API-53] v3 shows the user and permissions of the key', async () => {
    const trader = await exchange.trader();
    expect(await exchange.data(trader, 'getProfile')).toEqual({
      userId: trader.uid,
      inviterId: '',
      parentId: '',
      channelCode: '',
      channel: '',
      ips: '',
      permType: 'read-and-write',
      permissions: expect.arrayContaining(['uta_trade.write', 'uta_mgt.read']),
      regisTime: time,
    });
    const { uid } = trader;
    const key = (
      await exchange.operate('POST', '/operator/v1/keys', {
        uid,
        permissions: ['uta_mgt.read'],
        ips: ['127.0.0.1'],
      })
    ).data as Trader;
    expect(await exchange.data({ ...key, uid }, 'getProfile')).toMatchObject({
      ips: '127.0.0.1',
      permType: 'read-only',
      permissions: ['uta_mgt.read'],
    });
    expect(await exchange.code({ ...key, uid }, 'placeOrder', { category: 'SPOT' })).toBe('40014');
    expect(await exchange.data({ ...key, uid }, 'getClassicProfile')).toMatchObject({
      ips: '127.0.0.1',
      authorities: ['readonly'],
    });
  });

  test('[API-53] v2 shows the user and permissions of the key', async () => {
    const trader = await exchange.trader({ holdMode: 'hedge_mode' });
    const {
      permType: _type,
      permissions: _permissions,
      ...profile
    } = await exchange.data<Record<string, unknown>>(trader, 'getProfile');
    expect(await exchange.data(trader, 'getClassicProfile')).toEqual({
      ...profile,
      authorities: ['trade'],
      traderType: 'not_trader',
    });
    await exchange.operate('POST', '/operator/v1/traders', { uid: trader.uid, profitShare: '0.1' });
    expect(await exchange.data(trader, 'getClassicProfile')).toMatchObject({
      userId: trader.uid,
      traderType: 'trader',
    });
  });

  test('[ACC-13] settings show the position mode, self-trade prevention and every symbol', async () => {
    const trader = await exchange.trader({ holdMode: 'hedge_mode' });
    const settings = await exchange.data<
      Readonly<Record<string, unknown>> & { symbolConfigList: Row[] }
    >(trader, 'getAccountSettings');
    expect(settings).toMatchObject({
      uid: trader.uid,
      accountMode: 'unified',
      assetMode: 'multi_assets',
      holdMode: 'hedge_mode',
      stpMode: 'none',
    });
    expect(settings.symbolConfigList).toContainEqual({
      category: 'USDT-FUTURES',
      symbol,
      marginMode: 'crossed',
      leverage: '10',
    });
  });
});
