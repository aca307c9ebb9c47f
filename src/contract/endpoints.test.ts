/**
 * Compares the rows with tables that are copied by hand from the specification, so that a change of
 * the contract shows.
 */
import { describe, expect, test } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import { operatorEndpoints, publicEndpoints } from './endpoints.ts';
import { JsonNumber, type Raw } from './raw.ts';
import { fieldLines, requestLines } from './reference.ts';
import type { JsonSchema } from './schema.ts';
import { ANSWER_FIELDS, REQUEST_FIELDS } from './specified-fields.test-support.ts';

const rows: Readonly<Record<string, Endpoint>> = publicEndpoints;
const operatorRows: Readonly<Record<string, Endpoint>> = operatorEndpoints;
const raw = (entries: Readonly<Record<string, Raw>>): Raw => new Map(Object.entries(entries));

/** Name, method and path, permission, calls per second, and the subject of the limit. */
const specified = [
  ['placeTriggerOrder', 'POST /api/v2/mix/order/place-plan-order', 'futures.write', 10, 'uid'],
  ['placeTpslOrder', 'POST /api/v2/mix/order/place-tpsl-order', 'futures.write', 10, 'uid'],
  ['placePositionTpsl', 'POST /api/v2/mix/order/place-pos-tpsl', 'futures.write', 10, 'uid'],
  ['cancelTriggerOrders', 'POST /api/v2/mix/order/cancel-plan-order', 'futures.write', 10, 'uid'],
  [
    'listPendingTriggerOrders',
    'GET /api/v2/mix/order/orders-plan-pending',
    'futures.read',
    10,
    'uid',
  ],
  [
    'listTriggerOrderHistory',
    'GET /api/v2/mix/order/orders-plan-history',
    'futures.read',
    10,
    'uid',
  ],
  ['getAllPositions', 'GET /api/v2/mix/position/all-position', 'futures.read', 5, 'uid'],
  ['getSinglePosition', 'GET /api/v2/mix/position/single-position', 'futures.read', 10, 'uid'],
  ['getCurrentPositions', 'GET /api/v3/position/current-position', 'uta_trade.read', 20, 'uid'],
  ['listIsolatedFills', 'GET /api/v2/margin/isolated/fills', 'margin.read', 10, 'uid'],
  ['placeBatch', 'POST /api/v3/trade/place-batch', 'uta_trade.write', 5, 'uid'],
  ['getOrder', 'GET /api/v3/trade/order-info', 'uta_trade.read', 20, 'uid'],
  ['getAccountSettings', 'GET /api/v3/account/settings', 'uta_mgt.read', 20, 'uid'],
  ['requestWithdrawal', 'POST /api/v3/account/withdrawal', 'uta_mgt.write', 1, 'uid'],
  ['listWithdrawalRecords', 'GET /api/v3/account/withdrawal-records', 'uta_mgt.read', 10, 'uid'],
  [
    'listFollowerHistory',
    'GET /api/v2/copy/mix-follower/query-history-orders',
    'copy.read',
    5,
    'uid',
  ],
  [
    'listLeaderTrackedOrders',
    'GET /api/v2/copy/mix-trader/order-current-track',
    'copy.read',
    5,
    'uid',
  ],
  ['setCopySettings', 'POST /api/v2/copy/mix-follower/settings', 'copy.write', 5, 'uid'],
  ['setTrackedOrderTpsl', 'POST /api/v2/copy/mix-follower/setting-tpsl', 'copy.write', 5, 'uid'],
  ['listFollowLimits', 'GET /api/v2/copy/mix-follower/query-quantity-limit', 'copy.read', 10, 'ip'],
  ['listAgentCustomers', 'POST /api/broker/v1/agent/customerList', 'broker.read', 10, 'uid'],
  ['getRebateRatios', 'GET /api/v2/broker/rebate-info', 'broker.read', 20, 'uid'],
  [
    'listAgentCommissions',
    'GET /api/broker/v1/agent/customer-commissions',
    'broker.read',
    10,
    'uid',
  ],
] as const;

const sorted = (texts: readonly string[]): readonly string[] => [...texts].sort();
const listed = (text: string): readonly string[] =>
  sorted(text.split(/\s+/).filter((each) => each !== ''));

describe('the 23 calls', () => {
  test.each(specified)(
    '[API-20] %s is %s, needs %s, allows %d calls a second per %s',
    (name, call, access, perSecond, countedBy) => {
      const row = rows[name]!;
      expect(`${row.method} ${row.path}`).toBe(call);
      expect(row.access).toBe(access);
      expect(row.limit).toEqual({ perSecond, countedBy });
    },
  );
  test('[ORD-70][POS-66] the calls of orders and positions have their limits', () => {
    const limits = [
      'placeBatch',
      'getOrder',
      'getAllPositions',
      'getSinglePosition',
      'getCurrentPositions',
    ].map((name) => rows[name]!.limit);
    expect(limits.map((limit) => `${limit?.perSecond} per ${limit?.countedBy}`)).toEqual([
      '5 per uid',
      '20 per uid',
      '5 per uid',
      '10 per uid',
      '20 per uid',
    ]);
  });
  test('[API-20] the specification has 23 calls', () =>
    expect(new Set(specified.map(([, call]) => call)).size).toBe(23));
  test.each(Object.entries(REQUEST_FIELDS))(
    '[API-20] %s has the request fields of the specification',
    (name, text) => {
      const found = requestLines(rows[name]!).map(
        ({ path, required }) => `${path}${required ? '*' : ''}`,
      );
      expect(sorted(found)).toEqual(listed(text));
    },
  );
  test.each(Object.entries(ANSWER_FIELDS))(
    '[API-20] %s has the answer fields of the specification',
    (name, text) => {
      expect(sorted(fieldLines(rows[name]!.response.schema).map(({ path }) => path))).toEqual(
        listed(text),
      );
    },
  );
  test('[API-20] the rows of trigger orders have every specified field', () => {
    const both =
      'planType symbol size orderId clientOid planStatus price executePrice callbackRatio triggerPrice triggerType side posSide marginCoin marginMode enterPointSource tradeSide posMode orderType cTime uTime stopSurplusExecutePrice stopSurplusTriggerPrice stopSurplusTriggerType stopLossExecutePrice stopLossTriggerPrice stopLossTriggerType';
    const namesIn = (name: string): readonly string[] =>
      fieldLines(rows[name]!.response.schema)
        .map(({ path }) => path)
        .filter((path) => path.includes('[].'))
        .map((path) => path.slice('entrustedList[].'.length));
    expect(sorted(namesIn('listPendingTriggerOrders'))).toEqual(listed(`${both} orderSource`));
    expect(sorted(namesIn('listTriggerOrderHistory'))).toEqual(
      listed(`${both} executeOrderId priceAvg baseVolume`),
    );
  });
  test.each([
    ['listPendingTriggerOrders', 'limit', 100, 100],
    ['listTriggerOrderHistory', 'limit', 100, 100],
    ['listFollowerHistory', 'limit', 20, 100],
    ['listLeaderTrackedOrders', 'limit', 20, 50],
    ['listIsolatedFills', 'limit', 100, 500],
    ['listWithdrawalRecords', 'limit', 20, 100],
    ['listAgentCustomers', 'pageSize', 100, 1000],
    ['listAgentCommissions', 'limit', 100, 1000],
  ] as const)('[API-20] %s: %s defaults to %d and is at most %d', (name, limit, standard, max) => {
    const field = rows[name]!.request.fields[limit]!;
    expect(field.decode(undefined, limit)).toEqual({ ok: true, value: standard });
    expect(field.decode(String(max), limit)).toEqual({ ok: true, value: max });
    expect(field.decode(String(max + 1), limit)).toMatchObject({
      ok: false,
      refusal: { reason: 'fieldOutOfRange' },
    });
  });
});

describe('beyond the specification', () => {
  test('[API-21] rows that clients know by two paths have both paths', () => {
    expect(rows.requestWithdrawal!.aliases).toEqual(['/api/v3/account/withdraw']);
    expect(rows.listAgentCustomers!.aliases).toEqual(['/api/v2/broker/customer-list']);
    expect(rows.listAgentCommissions!.aliases).toEqual(['/api/v2/broker/customer-commissions']);
    expect(rows.getServerTime!.aliases).toEqual(['/api/v3/public/time']);
  });
  test('[API-22] a trigger order as an existing client sends it', () => {
    const body = raw({
      symbol: 'BTCUSDT',
      orderType: 'limit',
      price: '50000',
      force: 'GTC',
      marginCoin: 'USDT',
      size: '0.01',
      productType: 'USDT-FUTURES',
      triggerType: 'index_price',
      planType: 'normal_plan',
      triggerPrice: new JsonNumber('49000'),
      executePrice: '50000',
      marginMode: 'crossed',
      side: 'buy',
      tradeSide: 'Open',
      reduceOnly: 'YES',
      presetStopSurplusPrice: '',
      presetStopLossPrice: '48000',
    });
    expect(publicEndpoints.placeTriggerOrder.request.decode(body)).toMatchObject({
      ok: true,
      value: {
        planType: 'conditional',
        triggerType: 'index',
        triggerPrice: '49000',
        tradeSide: 'open',
        reduceOnly: true,
        presetStopSurplusPrice: undefined,
        presetStopLossPrice: '48000',
        stpMode: undefined,
      },
    });
  });
  test('[API-22] words that clients send without a specification are accepted', () => {
    const cancel = publicEndpoints.cancelTriggerOrders.request.fields.planType!;
    expect(cancel.decode('track_plan', 'planType')).toEqual({ ok: true, value: 'trailing' });
    expect(cancel.decode('profit_loss', 'planType')).toEqual({ ok: true, value: 'tpsl' });
    const status = publicEndpoints.listTriggerOrderHistory.request.fields.planStatus!;
    expect(status.decode('fail_trigger', 'planStatus')).toEqual({ ok: true, value: 'failed' });
    expect(status.decode('fail_execute', 'planStatus')).toEqual({ ok: true, value: 'failed' });
    expect(status.decode('live', 'planStatus')).toMatchObject({ ok: false });
  });
  test.each([
    [
      'API-50',
      'POST /api/v3/trade/place-order, POST /api/v3/trade/cancel-order, POST /api/v3/trade/cancel-batch, POST /api/v3/trade/cancel-symbol-order, POST /api/v3/trade/close-positions, GET /api/v3/trade/unfilled-orders, GET /api/v3/trade/history-orders, GET /api/v3/trade/fills',
    ],
    [
      'API-51',
      'POST /api/v2/mix/order/place-order, POST /api/v2/mix/order/batch-place-order, POST /api/v2/mix/order/cancel-order, POST /api/v2/mix/order/batch-cancel-orders, POST /api/v2/mix/order/cancel-all-orders, POST /api/v2/mix/order/close-positions, GET /api/v2/mix/order/detail, GET /api/v2/mix/order/orders-pending, GET /api/v2/mix/order/orders-history, GET /api/v2/mix/order/fills',
    ],
    [
      'API-52',
      'POST /api/v2/spot/trade/place-order, POST /api/v2/spot/trade/cancel-order, POST /api/v2/spot/trade/batch-orders, POST /api/v2/spot/trade/batch-cancel-order, POST /api/v2/spot/trade/cancel-symbol-order, GET /api/v2/spot/trade/orderInfo, GET /api/v2/spot/trade/unfilled-orders, GET /api/v2/spot/trade/history-orders, GET /api/v2/spot/trade/fills, GET /api/v2/spot/account/assets',
    ],
    [
      'API-53',
      'GET /api/v2/mix/account/accounts, GET /api/v2/mix/account/account, POST /api/v2/mix/account/set-margin, POST /api/v3/account/set-margin, GET /api/v3/account/info, GET /api/v2/spot/account/info, GET /api/v3/account/fee-rate, GET /api/v3/account/all-fee-rate, GET /api/v2/common/trade-rate',
    ],
    [
      'API-54',
      'GET /api/v3/market/tickers, GET /api/v3/market/orderbook, GET /api/v3/market/fills, GET /api/v3/market/current-fund-rate, GET /api/v3/market/history-fund-rate, GET /api/v3/market/position-tier, GET /api/v3/market/open-interest, GET /api/v3/market/candles, GET /api/v2/mix/market/ticker, GET /api/v2/mix/market/tickers, GET /api/v2/mix/market/merge-depth, GET /api/v2/mix/market/funding-time, GET /api/v2/mix/market/open-interest, GET /api/v2/mix/market/symbol-price, GET /api/v2/mix/market/current-fund-rate, GET /api/v2/mix/market/history-fund-rate, GET /api/v2/mix/market/query-position-lever, GET /api/v2/mix/market/fills-history, GET /api/v2/mix/market/candles, GET /api/v2/mix/market/history-mark-candles, GET /api/v2/mix/market/history-index-candles, GET /api/v2/spot/market/tickers, GET /api/v2/spot/market/orderbook, GET /api/v2/spot/market/fills-history, GET /api/v2/spot/market/candles',
    ],
    ['API-56', 'GET /api/v2/mix/position/history-position, GET /api/v3/position/history-position'],
  ] as const)('[API-50][API-51][API-52][API-53][API-54][API-56] the calls of %s', (rule, calls) => {
    const found = Object.values(rows).filter(({ rules }) => rules.includes(rule));
    expect(sorted(found.map(({ method, path }) => `${method} ${path}`))).toEqual(
      sorted(calls.split(', ')),
    );
  });
  test('[API-23] an account has these further calls', () => {
    const found = Object.values(rows).filter(({ rules }) => rules.includes('API-23'));
    expect(sorted(found.map(({ method, path }) => `${method} ${path}`))).toEqual([
      'GET /api/v3/account/assets',
      'GET /api/v3/account/deposit-address',
      'GET /api/v3/account/deposit-records',
      'GET /api/v3/account/max-withdrawal',
      'POST /api/v2/mix/account/set-leverage',
      'POST /api/v2/mix/account/set-margin-mode',
      'POST /api/v2/mix/account/set-position-mode',
      'POST /api/v3/account/cancel-withdrawal',
      'POST /api/v3/account/set-hold-mode',
      'POST /api/v3/account/set-leverage',
    ]);
    for (const { access, limit } of found)
      expect([access === 'anybody', limit === undefined]).toEqual([false, false]);
  });
  test('[API-24] market calls are public', () => {
    const found = Object.values(rows).filter(({ access }) => access === 'anybody');
    const paths = found.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        '/api/v2/margin/currencies',
        '/api/v2/mix/market/contracts',
        '/api/v2/public/time',
        '/api/v2/spot/public/coins',
        '/api/v2/spot/public/symbols',
        '/api/v3/market/instruments',
      ]),
    );
    expect(
      paths.filter((path) => !/\/(?:market|public)\/|\/margin\/currencies$/.test(path)),
    ).toEqual([]);
    for (const { path, limit } of found)
      expect([path, limit]).toEqual([
        path,
        { perSecond: path.endsWith('/account-long-short') ? 1 : 20, countedBy: 'ip' },
      ]);
  });
  test('[API-24] demo product types are accepted and match nothing', () => {
    const field = publicEndpoints.listContracts.request.fields.productType!;
    for (const input of ['SUSDT-FUTURES', 'SCOIN-FUTURES', 'SUSDC-FUTURES']) {
      expect(field.decode(input, 'productType')).toEqual({ ok: true, value: 'demo' });
    }
    expect(field.decode('SUSD-FUTURES', 'productType')).toMatchObject({ ok: false });
  });
});

/** Lists and objects, whose fields have the descriptions. */
const LISTS_OF_FIELDS = new RegExp(
  [
    'List$|list$|fills|chains|tiers|assets|balances|coins|settings|feeDetail|violations|approvals',
    'dailyLimitsUsd|scenes|supportMarginCoins|currentTradingPairs|profitSummary|permissions',
    'authorities|asks$|bids$|^a$|^b$',
  ].join('|'),
);

describe('all rows', () => {
  const all = [...Object.entries(rows), ...Object.entries(operatorRows)];
  const undescribed = (schema: JsonSchema): readonly string[] =>
    fieldLines(schema)
      .filter(({ about, path }) => about === '' && path !== 'data' && !LISTS_OF_FIELDS.test(path))
      .map(({ path }) => path);

  test('[API-25] no two rows share a method and a path', () => {
    const calls = all.flatMap(([, { method, path, aliases = [] }]) =>
      [path, ...aliases].map((each) => `${method} ${each}`),
    );
    expect(new Set(calls).size).toBe(calls.length);
  });
  test('[API-25] every row cites rules, and every field is described', () => {
    for (const [name, row] of all) {
      expect([name, row.rules.length > 0]).toEqual([name, true]);
      expect([name, undescribed(row.request.schema), undescribed(row.response.schema)]).toEqual([
        name,
        [],
        [],
      ]);
    }
  });
  test('[API-25] public rows have a limit, and no public row is for the operator', () => {
    for (const [name, row] of Object.entries(rows)) {
      expect([name, row.limit === undefined, row.access === 'operator']).toEqual([
        name,
        false,
        false,
      ]);
    }
  });
});
