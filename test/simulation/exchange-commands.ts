/** Draws commands for a simulated exchange: listings first, then users, money, prices, keys, settings and the clock, right ones and wrong ones. */
import { DEFAULT_COINS } from '../../src/app/world/coins.ts';
import { DEFAULT_INSTRUMENTS, DEMO_INDEX_PRICES } from '../../src/app/world/instruments.ts';
import type { Machine } from '../../src/journal/machine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { type ClientOid, UID_FIRST, type Uid } from '../../src/kernel/ids.ts';
import type { Random } from '../../src/kernel/random.ts';
import { DAY, HOUR, type Timestamp } from '../../src/kernel/time.ts';
import type { Command } from '../../src/messages/commands.ts';
import { MARGIN_MODES, POSITION_MODES, POSITION_SIDES } from '../../src/messages/vocabulary.ts';

const LISTINGS: readonly Command[] = [
  ...DEFAULT_COINS.map((coin): Command => ({ type: 'listCoin', coin })),
  ...DEFAULT_INSTRUMENTS.map((instrument): Command => ({ type: 'listInstrument', instrument })),
];

/** More users than are usually there: some are unknown. */
const USERS = 12;

const decimal = (text: string): DecimalText => text as DecimalText;
const someUser = (random: Random): Uid => (UID_FIRST + random.below(USERS)) as Uid;

const drawPrices = (random: Random): Command => {
  const [coin, start] = random.pick(Object.entries(DEMO_INDEX_PRICES));
  const moved = (Number.parseInt(start, 10) + 1) * (80 + random.below(41));
  const index = decimal(`${Math.floor(moved / 100)}.${String(moved % 100).padStart(2, '0')}`);
  return {
    type: 'setPrices',
    prices: [{ category: 'USDT-FUTURES', symbol: `${coin}USDT`, index, releaseMark: false, force: random.below(3) === 0 }],
  };
};

type Draw = (random: Random, machine: Machine) => Command;

/** Each as often as it stands here. */
const DRAWS: readonly Draw[] = [
  () => ({ type: 'tick' }),
  (random) => ({
    type: 'createUser',
    level: 'VIP0',
    positionMode: random.pick(POSITION_MODES),
    ...(random.below(2) === 0 ? { email: `user${random.below(20)}@example.com` } : {}),
  }),
  (random) => ({
    type: 'deposit',
    uid: someUser(random),
    coin: random.pick(['USDT', 'BTC', 'ETH', 'NONE']),
    size: decimal(random.pick(['1', '250.75', '0.00000001', '0'])),
  }),
  (random) => ({
    type: 'deposit',
    uid: someUser(random),
    coin: 'USDT',
    size: decimal(String(1 + random.below(3))),
    clientOid: `deposit-${random.below(30)}` as ClientOid,
  }),
  drawPrices,
  drawPrices,
  (random, machine) => ({ type: 'moveClock', wall: machine.at, advanceMs: random.pick([1, HOUR, DAY]) }),
  (random) => ({
    type: 'setLeverage',
    uid: someUser(random),
    category: 'USDT-FUTURES',
    symbol: random.pick(['BTCUSDT', 'NONEUSDT']),
    leverage: decimal(String(random.below(200))),
    ...(random.below(2) === 0 ? { side: random.pick(POSITION_SIDES) } : {}),
  }),
  (random) => ({
    type: 'setMarginMode',
    uid: someUser(random),
    category: 'COIN-FUTURES',
    symbol: 'BTCUSD',
    marginMode: random.pick(MARGIN_MODES),
  }),
  (random) => ({ type: 'setPositionMode', uid: someUser(random), positionMode: random.pick(POSITION_MODES) }),
  (random) => ({
    type: 'createKey',
    uid: someUser(random),
    apiKey: `key-${random.below(40)}`,
    sealedSecret: 'sealed',
    passphraseHash: 'hash',
    permissions: ['uta_trade.write'],
    addresses: [],
  }),
  (random) => ({ type: 'revokeKey', apiKey: `key-${random.below(40)}` }),
  (_random, machine) => ({ type: 'moveClock', wall: 0 as Timestamp, to: (machine.at - 1) as Timestamp }),
];

export const drawExchangeCommand: Draw = (random, machine) => LISTINGS[machine.sequence] ?? random.pick(DRAWS)(random, machine);
