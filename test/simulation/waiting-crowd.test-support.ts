/**
 * A crowd with everything that may be charged, and all that it may do meanwhile: both kinds of
 * contracts, hedged, isolated and copied positions, loans and pairs.
 */
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import type { Random } from '../../src/kernel/random.ts';
import { HOUR, MINUTE } from '../../src/kernel/time.ts';
import type { Command, CommandOf } from '../../src/messages/commands.ts';
import type { CopySetting } from '../../src/messages/copy-trading.ts';
import type { FuturesCategory, PositionSide, Side } from '../../src/messages/vocabulary.ts';
import { Market } from '../scenarios/market.test-support.ts';
import { triggerCommand } from '../scenarios/trigger-market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;
const plainDecimal = (value: number): string => value.toFixed(1);
const SIDES: readonly Side[] = ['buy', 'sell'];
const POSITION_SIDES: readonly PositionSide[] = ['long', 'short'];

interface Contract {
  readonly category: FuturesCategory;
  readonly symbol: string;
  readonly mark: number;
  readonly sizes: readonly string[];
}
const BTCUSDT: Contract = {
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  mark: 50_000,
  sizes: ['0.002', '0.005', '0.01'],
};
const CONTRACTS: readonly Contract[] = [
  BTCUSDT,
  { category: 'USDT-FUTURES', symbol: 'ETHUSDT', mark: 2_500, sizes: ['0.02', '0.1', '0.2'] },
  { category: 'COIN-FUTURES', symbol: 'BTCUSD', mark: 50_000, sizes: ['0.002', '0.005', '0.01'] },
];

export interface Crowd {
  readonly market: Market;
  readonly people: readonly Uid[];
  readonly leader: Uid;
}

const setting = (chance: Random): CopySetting => ({
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  margin: chance.pick(['leader', 'own']),
  leverage: chance.pick(['leader', 'position']),
  sizing: 'multiple',
  value: decimal(chance.pick(['1', '0.5'])),
});

/** Quotes of somebody deep on both sides of every contract, a little around its mark. */
function quote(market: Market, maker: Uid, around: number): void {
  for (const { symbol, mark } of CONTRACTS) {
    market.order(maker, 'sell', '300', symbol, plainDecimal(mark + around));
    market.order(maker, 'buy', '300', symbol, plainDecimal(mark - around));
  }
  for (const side of SIDES)
    market.order(maker, side, '20', 'SPOT:BTCUSDT', side === 'buy' ? '49999' : '50000');
}

function isHedged({ state }: Market, uid: Uid): boolean {
  return state.accounts.get(uid)!.positionMode === 'hedge';
}

/** An order of somebody in a contract, on the position side that his mode asks for. */
function trade(
  market: Market,
  uid: Uid,
  side: Side,
  size: string,
  symbol: string,
  price: string | undefined,
  chance: Random,
): string {
  const options = isHedged(market, uid)
    ? { positionSide: chance.pick(POSITION_SIDES) }
    : { reduceOnly: chance.below(6) === 0 };
  const timeInForce =
    price === undefined ? 'gtc' : chance.pick(['gtc', 'gtc', 'ioc', 'fok', 'postOnly'] as const);
  return market.order(uid, side, size, symbol, price, { ...options, timeInForce });
}

/** Has positions, by chance a loan, a loan in a pair, orders and triggers. */
function settle(market: Market, uid: Uid, chance: Random): void {
  for (const { category, symbol, mark, sizes } of CONTRACTS) {
    if (chance.below(4) === 0) continue;
    const marginMode = chance.pick(['isolated', 'crossed'] as const);
    market.submit({ type: 'setMarginMode', uid, category, symbol, marginMode });
    market.submit({
      type: 'setLeverage',
      uid,
      category,
      symbol,
      leverage: decimal(chance.pick(['20', '50', '100'])),
    });
    for (let count = isHedged(market, uid) ? 2 : 1; count > 0; count--) {
      const side = chance.pick(SIDES);
      const options = isHedged(market, uid)
        ? { positionSide: side === 'buy' ? ('long' as const) : ('short' as const) }
        : {};
      market.order(uid, side, chance.pick(sizes), symbol, undefined, options);
    }
    if (chance.below(3) === 0)
      trade(
        market,
        uid,
        chance.pick(SIDES),
        chance.pick(sizes),
        symbol,
        plainDecimal(mark * (0.999 + chance.below(20) / 10_000)),
        chance,
      );
  }
  if (chance.below(3) === 0)
    market.order(uid, 'buy', chance.pick(['0.001', '0.002']), 'MARGIN:BTCUSDT', '50000');
  if (chance.below(4) === 0) market.order(uid, 'buy', '0.0003', 'SPOT:BTCUSDT', '49000');
  if (chance.below(4) === 0) lendToPair(market, uid, chance);
  if (chance.below(3) === 0) market.submit(triggerOf(market, uid, chance));
  if (chance.below(8) === 0)
    market.submit({ type: 'setCountdown', uid, ms: 60_000 + chance.below(400) });
  if (chance.below(6) === 0)
    market.submit({
      type: 'requestWithdrawal',
      uid,
      coin: 'USDT',
      size: decimal('20'),
      chain: 'TRC20',
      address: 'T',
      addressKind: 'tron',
    });
}

function lendToPair(market: Market, uid: Uid, chance: Random): void {
  const pair = { uid, symbol: 'BTCUSDT', coin: 'USDT' };
  market.submit({ type: 'transferIsolated', ...pair, amount: decimal('10'), direction: 'in' });
  market.submit({ type: 'borrowIsolated', ...pair, amount: decimal(chance.pick(['20', '50'])) });
}

function triggerOf(market: Market, uid: Uid, chance: Random): CommandOf<'placeTrigger'> {
  const { category, symbol, mark, sizes } = chance.pick(CONTRACTS);
  const side = chance.pick(SIDES);
  return triggerCommand(uid, side, {
    category,
    symbol,
    size: chance.pick(sizes),
    at: plainDecimal(mark * (0.9995 + chance.below(11) / 10_000)),
    source: chance.pick(['mark', 'last'] as const),
    ...(isHedged(market, uid)
      ? { positionSide: chance.pick(POSITION_SIDES) }
      : { reduceOnly: chance.below(2) === 0 }),
  });
}

/**
 * Everybody, a minute before the full hour. Some are sub-accounts of others, some customers of an
 * agent, some follow the leader.
 */
export function crowd(chance: Random, size: number, hours: number): Crowd {
  const market = new Market();
  const update = (): void => {
    market.index('BTC', '50000');
    market.index('ETH', '2500');
  };
  update();
  const maker = market.joins({ USDT: '90000000', BTC: '9000' });
  quote(market, maker, 0.1);
  market.passes((hours - 1) * HOUR + 58 * MINUTE);
  update();
  const agent = market.joins({ USDT: '500' });
  const made = market.accepted({
    type: 'makeAgent',
    uid: agent,
    affiliation: 'affiliate',
    spotRatio: decimal('0.3'),
    futuresRatio: decimal('0.3'),
    userShare: decimal('0.2'),
  });
  const { referralCode } = (made.outcome as unknown as { value: { referralCode: string } }).value;
  const leader = market.joins({ USDT: '20000', BTC: '1' }, 'hedge');
  market.accepted({ type: 'makeLeader', uid: leader, profitShare: decimal('0.1') });
  const people: Uid[] = [];
  for (let count = 0; count < size; count++) {
    const positionMode = chance.pick(['oneWay', 'hedge'] as const);
    const parent =
      count > 0 && chance.below(5) === 0
        ? people.find((uid) => market.state.accounts.get(uid)!.profile.parentUid === undefined)
        : undefined;
    const { outcome } = market.accepted({
      type: 'createUser',
      level: 'VIP0',
      positionMode,
      ...(parent === undefined ? {} : { parentUid: parent }),
      ...(chance.below(3) === 0 ? { referralCode } : {}),
    });
    const { uid } = (outcome as { value: { uid: Uid } }).value;
    market.accepted({
      type: 'deposit',
      uid,
      coin: 'USDT',
      size: decimal(chance.pick(['40', '100', '300'])),
    });
    if (chance.below(2) === 0)
      market.accepted({ type: 'deposit', uid, coin: 'BTC', size: decimal('0.01') });
    if (chance.below(3) === 0)
      market.submit({
        type: 'setSelfTradeMode',
        uid,
        selfTradeMode: chance.pick(['cancelMaker', 'cancelBoth', 'none']),
      });
    if (positionMode === 'hedge' && chance.below(2) === 0)
      market.submit({
        type: 'setCopySettings',
        uid,
        leader,
        mode: 'advanced',
        settings: [setting(chance)],
      });
    people.push(uid);
  }
  market.settings(leader, 'BTCUSDT', '25', chance.pick(['crossed', 'isolated']));
  for (const side of ['long', 'short', 'long'] as const)
    market.order(leader, side === 'long' ? 'buy' : 'sell', '0.002', 'BTCUSDT', undefined, {
      positionSide: side,
    });
  market.passes(MINUTE);
  for (const uid of people) settle(market, uid, chance);
  market.accepted({ type: 'cancelAllOrders', uid: maker, category: 'COIN-FUTURES' });
  update();
  while (market.engine.hasDeferredWork()) market.passes(0);
  return { market, people: [maker, agent, leader, leader, leader, ...people], leader };
}

/**
 * Somebody closes by an order that rests, and then by one that takes its place where it finds
 * enough.
 */
function closeAnew(
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

/** The first of somebody's open orders, at another price or by another that takes its place. */
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

/** One thing that somebody does, or that happens. */
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
    () => closeAnew(market, uid, contract, chance),
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
