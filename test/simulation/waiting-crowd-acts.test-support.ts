/** Random commands of a crowd whose accounts have pending charges. */

import type { Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import type { Random } from '../../src/kernel/random.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { Market } from '../scenarios/market.test-support.ts';
import {
  CONTRACTS,
  type Contract,
  type Crowd,
  decimal,
  isHedged,
  POSITION_SIDES,
  plainDecimal,
  SIDES,
  setting,
  trade,
  triggerOf,
} from './waiting-crowd.test-support.ts';

/** Places a resting close order, then a marketable one that may replace it (ORD-49). */
function replaceCloseOrder(
  market: Market,
  uid: Uid,
  { symbol, mark, category }: Contract,
  chance: Random,
): void {
  const own = [...(market.state.positions.get(uid)?.values() ?? [])].find(
    ({ key }) => key === `${category}:${symbol}`,
  );
  if (own === undefined) return;
  const [side, away] = own.side === 'long' ? (['sell', 1] as const) : (['buy', -1] as const);
  const size = moneyText(own.entry.size);
  const options = isHedged(market, uid) ? { positionSide: own.side } : { reduceOnly: true };
  market.order(uid, side, size, symbol, plainDecimal(mark * (1 + away * 0.05)), options);
  const timeInForce = chance.pick(['fok', 'ioc', 'gtc', 'postOnly'] as const);
  market.order(uid, side, size, symbol, plainDecimal(mark * (1 - away * 0.001)), {
    ...options,
    timeInForce,
  });
}

/** Modifies the account's first open order, in place or by replacement. */
function modify(market: Market, uid: Uid, chance: Random): void {
  const [orderId] = market.state.accounts.get(uid)!.openOrders;
  const order = orderId === undefined ? undefined : market.state.orders.get(orderId);
  if (orderId === undefined || order === undefined) return;
  const price = decimal(
    plainDecimal(
      (order.key.includes('ETH') ? 2_500 : 50_000) * (0.999 + chance.below(20) / 10_000),
    ),
  );
  market.submit({
    type: 'modifyOrder',
    uid,
    orderId,
    price,
    replace: chance.below(2) === 0,
    autoCancel: chance.below(2) === 0,
  });
}

function protect(
  market: Market,
  uid: Uid,
  { category, symbol, mark }: Contract,
  chance: Random,
): void {
  const side = chance.pick(POSITION_SIDES);
  const triggerPrice = decimal(plainDecimal(mark * (side === 'long' ? 0.9995 : 1.0005)));
  const kind = chance.pick(['positionStopLoss', 'stopLoss'] as const);
  const size = kind === 'stopLoss' ? { size: decimal('0.002') } : {};
  market.submit({
    type: 'placeTpsl',
    uid,
    category,
    symbol,
    side,
    tpsl: [{ kind, triggerPrice, source: 'mark', ...size }],
  });
}

/** Executes one random command. */
export function act({ market, people, leader }: Crowd, chance: Random): void {
  const uid = chance.pick(people);
  const contract = chance.pick(CONTRACTS);
  const { category, symbol, mark, sizes } = contract;
  const pair = { uid, symbol: 'BTCUSDT', coin: 'USDT' };
  const others = (): Command[] =>
    [...market.state.withdrawals.live.keys()].slice(0, 3).map((orderId) => ({
      type: 'decideWithdrawal',
      orderId,
      decision: chance.pick(['approve', 'reject']),
      operator: 'ann',
    }));
  const acts: readonly (() => unknown)[] = [
    () =>
      trade(
        market,
        uid,
        chance.pick(SIDES),
        chance.pick([...sizes, '0.5']),
        symbol,
        undefined,
        chance,
      ),
    () =>
      trade(
        market,
        uid,
        chance.pick(SIDES),
        chance.pick([...sizes, '0.1']),
        symbol,
        plainDecimal(mark * (0.999 + chance.below(20) / 10_000)),
        chance,
      ),
    () => market.submit({ type: 'closePositions', uid, category, symbol }),
    () => replaceCloseOrder(market, uid, contract, chance),
    () => modify(market, uid, chance),
    () => protect(market, uid, contract, chance),
    () =>
      market.submit({
        type: 'adjustMargin',
        uid,
        category,
        symbol,
        side: chance.pick(POSITION_SIDES),
        direction: chance.pick(['add', 'remove']),
        amount: decimal('0.1'),
      }),
    () =>
      market.submit({
        type: 'setLeverage',
        uid,
        category,
        symbol,
        leverage: decimal(chance.pick(['10', '20', '60', '125'])),
      }),
    () =>
      market.submit({
        type: 'setMarginMode',
        uid,
        category,
        symbol,
        marginMode: chance.pick(['crossed', 'isolated']),
      }),
    () =>
      market.submit({
        type: 'setPositionMode',
        uid,
        positionMode: chance.pick(['oneWay', 'hedge']),
      }),
    () =>
      market.submit({
        type: 'setCoinLeverage',
        uid,
        coin: 'USDT',
        leverage: decimal(chance.pick(['2', '5'])),
      }),
    () => market.submit({ type: 'cancelAllOrders', uid, category }),
    () => market.submit(triggerOf(market, uid, chance)),
    () =>
      market.order(
        uid,
        chance.pick(SIDES),
        '0.001',
        chance.pick(['MARGIN:BTCUSDT', 'SPOT:BTCUSDT']),
        '50000',
      ),
    () =>
      market.submit({
        type: 'transferToUser',
        uid,
        coin: chance.pick(['USDT', 'BTC']),
        size: decimal(chance.pick(['0.001', '5', '30'])),
        recipientKind: 'uid',
        recipient: `${chance.pick(people)}`,
      }),
    () =>
      market.submit({
        type: 'requestWithdrawal',
        uid,
        coin: 'USDT',
        size: decimal('10'),
        chain: 'TRC20',
        address: 'T',
        addressKind: 'tron',
      }),
    () => others().map((command) => market.submit(command)),
    () =>
      market.submit({
        type: 'transferIsolated',
        ...pair,
        amount: decimal('1'),
        direction: chance.pick(['in', 'out']),
      }),
    () => market.submit({ type: 'borrowIsolated', ...pair, amount: decimal('1') }),
    () => market.submit({ type: 'repayIsolated', ...pair, amount: decimal('1') }),
    () =>
      market.order(leader, chance.pick(SIDES), '0.002', 'BTCUSDT', undefined, {
        positionSide: chance.pick(POSITION_SIDES),
      }),
    () =>
      market.submit({
        type: 'closeTrackedOrders',
        uid: leader,
        role: 'leader',
        category: 'USDT-FUTURES',
      }),
    () =>
      market.submit({
        type: 'closeTrackedOrders',
        uid,
        role: 'follower',
        category: 'USDT-FUTURES',
      }),
    () =>
      market.submit({
        type: 'setCopySettings',
        uid,
        leader,
        mode: 'advanced',
        settings: [setting(chance)],
      }),
    () => market.submit({ type: 'unfollow', uid, leader }),
    () =>
      market.submit({
        type: 'setInstrumentStatus',
        category,
        symbol,
        status: chance.pick(['halted', 'normal', 'normal', 'off']),
      }),
    () => market.submit({ type: 'setInstrumentStatus', category, symbol, status: 'normal' }),
    () =>
      market.submit({
        type: 'setInstrumentStatus',
        category: 'SPOT',
        symbol: 'BTCUSDT',
        status: chance.pick(['off', 'normal']),
      }),
    () =>
      market.submit({
        type: 'listInstrument',
        instrument: {
          ...market.state.instruments.get(`${category}:${symbol}`)!.instrument,
          fundingHours: chance.pick([1, 4, 8]),
        },
      }),
    () => market.submit({ type: 'listCoin', coin: market.state.coins.get('USDT')! }),
    () => market.passes(chance.below(200)),
  ];
  chance.pick(acts)();
}
