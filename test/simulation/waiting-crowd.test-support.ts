/**
 * Accounts with every kind of pending charge: linear and inverse contracts, hedged, isolated and
 * copied positions, loans and isolated pairs.
 */
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import type { Random } from '../../src/kernel/random.ts';
import { HOUR, MINUTE } from '../../src/kernel/time.ts';
import type { CommandOf } from '../../src/messages/commands.ts';
import type { CopySetting } from '../../src/messages/copy-trading.ts';
import type { FuturesCategory, PositionSide, Side } from '../../src/messages/vocabulary.ts';
import { Market } from '../scenarios/market.test-support.ts';
import { triggerCommand } from '../scenarios/trigger-market.test-support.ts';

export const decimal = (text: string): DecimalText => text as DecimalText;
export const plainDecimal = (value: number): string => value.toFixed(1);
export const SIDES: readonly Side[] = ['buy', 'sell'];
export const POSITION_SIDES: readonly PositionSide[] = ['long', 'short'];

export interface Contract {
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
export const CONTRACTS: readonly Contract[] = [
  BTCUSDT,
  { category: 'USDT-FUTURES', symbol: 'ETHUSDT', mark: 2_500, sizes: ['0.02', '0.1', '0.2'] },
  { category: 'COIN-FUTURES', symbol: 'BTCUSD', mark: 50_000, sizes: ['0.002', '0.005', '0.01'] },
];

export interface Crowd {
  readonly market: Market;
  readonly people: readonly Uid[];
  readonly leader: Uid;
}

export const setting = (chance: Random): CopySetting => ({
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  margin: chance.pick(['leader', 'own']),
  leverage: chance.pick(['leader', 'position']),
  sizing: 'multiple',
  value: decimal(chance.pick(['1', '0.5'])),
});

/** Places deep quotes on both sides of every contract, around its mark price. */
function quote(market: Market, maker: Uid, around: number): void {
  for (const { symbol, mark } of CONTRACTS) {
    market.order(maker, 'sell', '300', symbol, plainDecimal(mark + around));
    market.order(maker, 'buy', '300', symbol, plainDecimal(mark - around));
  }
  for (const side of SIDES)
    market.order(maker, side, '20', 'SPOT:BTCUSDT', side === 'buy' ? '49999' : '50000');
}

export function isHedged({ state }: Market, uid: Uid): boolean {
  return state.accounts.get(uid)!.positionMode === 'hedge';
}

/** Places an order, with a position side if the account is in hedge mode. */
export function trade(
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

/** Opens positions, and by chance loans, orders, triggers and a withdrawal. */
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

export function triggerOf(market: Market, uid: Uid, chance: Random): CommandOf<'placeTrigger'> {
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
 * Builds the crowd, a minute before the full hour. Some accounts are sub-accounts, some are
 * customers of an agent, and some follow the leader.
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
