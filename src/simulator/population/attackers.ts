/**
 * Malicious requests: other users' orders, unknown names, numbers at and beyond every limit. None
 * may change anything forbidden.
 */
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Command } from '../../messages/commands.ts';
import type { OrderDraft } from '../../messages/orders.ts';
import { isFutures, POSITION_SIDES, SIDES, TIMES_IN_FORCE } from '../../messages/vocabulary.ts';
import type { Act, Acts, Scene } from './trading.ts';

const decimal = (text: string): DecimalText => text as DecimalText;
const EDGES = [
  '0',
  '0.00000000001',
  '0.0000000001',
  '1',
  '922337203.6854775807',
  '99999999999999999999',
  '1234567.123456789',
] as const;

const attacker = ({ random, crowd }: Scene): Uid => random.pick(crowd.members.attacker);

const badOrder: Act = (scene) => {
  const { random, crowd } = scene;
  const { category, symbol } = random.pick(crowd.instruments);
  const draft: OrderDraft = {
    symbol: random.pick([symbol, symbol, symbol, 'NONEUSDT', '']),
    side: random.pick(SIDES),
    orderType: random.pick(['limit', 'market']),
    size: decimal(random.pick(EDGES)),
    price: decimal(random.pick([...EDGES, '60000', '3000', '0.5'])),
    timeInForce: random.pick(TIMES_IN_FORCE),
    reduceOnly: random.below(3) === 0,
    ...(random.below(3) === 0 ? { positionSide: random.pick(POSITION_SIDES) } : {}),
    ...(random.below(3) === 0 ? { clientOid: 'the-same-for-ever' as ClientOid } : {}),
  };
  return {
    type: 'placeOrders',
    uid: attacker(scene),
    category,
    orders: Array.from({ length: 1 + random.below(3) }, () => draft),
  };
};

const othersOrder: Act = (scene) => {
  const { random, state, crowd } = scene;
  const victim = random.pick(crowd.everyone);
  const open = [...(state.accounts.get(victim)?.openOrders ?? [])];
  const orderId = open.length === 0 ? (random.below(1_000) as Id) : random.pick(open);
  return {
    type: 'cancelOrders',
    uid: attacker(scene),
    orders: [{ orderId }, {}, { clientOid: `c-${victim}-1` as ClientOid }],
  };
};

const badMoney: Act = (scene) => {
  const { random, crowd } = scene;
  const uid = random.pick([attacker(scene), 1 as Uid]);
  const size = decimal(random.pick(EDGES));
  const coin = random.pick(['USDT', 'BTC', 'NONE']);
  const { symbol } = random.pick(crowd.instruments);
  return random.pick<Command>([
    { type: 'deposit', uid, coin, size, clientOid: `d-${random.below(5)}` as ClientOid },
    { type: 'transferIsolated', uid, symbol, coin, amount: size, direction: 'out' },
    { type: 'borrowIsolated', uid, symbol, coin, amount: size },
    { type: 'repayIsolated', uid, symbol, coin, amount: size },
  ]);
};

const badSetting: Act = (scene) => {
  const { random, crowd, at, wall } = scene;
  const { category, symbol } = random.pick(crowd.instruments);
  const uid = attacker(scene);
  if (!isFutures(category))
    return {
      type: 'setCoinLeverage',
      uid,
      coin: random.pick(['BTC', 'NONE']),
      leverage: decimal(random.pick(EDGES)),
    };
  return random.pick<Command>([
    { type: 'setLeverage', uid, category, symbol, leverage: decimal(random.pick(EDGES)) },
    {
      type: 'adjustMargin',
      uid,
      category,
      symbol,
      amount: decimal(random.pick(EDGES)),
      direction: 'remove',
    },
    { type: 'closePositions', uid, category, symbol: 'NONEUSDT' },
    { type: 'moveClock', wall, to: (at - 1) as Timestamp },
    { type: 'revokeKey', apiKey: 'none' },
  ]);
};

export const ATTACKS: Acts = {
  badOrder: [4, badOrder],
  othersOrder: [2, othersOrder],
  badMoney: [2, badMoney],
  badSetting: [2, badSetting],
};
