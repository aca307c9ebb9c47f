/**
 * Actions of operators and external feeds: prices, listings, halts, the clock, keys and deposits.
 */

import { indexPriceOf } from '../../core/derived/market-context.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { ClientOid, Uid } from '../../kernel/ids.ts';
import { money, moneyText, type Price } from '../../kernel/money.ts';
import { DAY, HOUR, MINUTE } from '../../kernel/time.ts';
import { FEE_MARKETS } from '../../messages/fees.ts';
import {
  FEE_CREDIT_KINDS,
  INSTRUMENT_STATUSES,
  LEVELS,
  POSITION_MODES,
} from '../../messages/vocabulary.ts';
import { tradable } from './crowd.ts';
import { relistCoin, relistInstrument } from './listings.ts';
import type { PricePaths } from './price-paths.ts';
import type { Act, Acts } from './trading.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

const tick: Act = () => ({ type: 'tick' });

const pinMark: Act = ({ random, crowd, state }) => {
  const instrument = random.pick(tradable(crowd, true));
  const { category, symbol } = instrument;
  const index = indexPriceOf(state, instrument) ?? money<Price>('1');
  const parts = BigInt(9_700 + random.below(600));
  const mark = decimal(moneyText(((index * parts) / 10_000n) as Price));
  const release = random.below(2) === 0;
  return {
    type: 'setPrices',
    prices: [
      { category, symbol, releaseMark: release, force: false, ...(release ? {} : { mark }) },
    ],
  };
};

/**
 * A frozen clock is released three times out of four; otherwise timers would rarely fall due by
 * themselves.
 */
const moveClock: Act = ({ random, wall }) => ({
  type: 'moveClock',
  wall,
  ...(random.below(8) === 0
    ? { frozen: random.below(4) === 0 }
    : {
        advanceMs: random.pick([
          1,
          250,
          MINUTE,
          MINUTE,
          MINUTE,
          MINUTE,
          HOUR,
          HOUR,
          HOUR,
          8 * HOUR,
          DAY,
        ]),
      }),
});

/** Returns to normal three times out of four; otherwise nothing would trade. */
const changeStatus: Act = ({ random, crowd }) => {
  const { category, symbol } = random.pick(crowd.instruments);
  const status = random.below(4) === 0 ? random.pick(INSTRUMENT_STATUSES) : 'normal';
  return { type: 'setInstrumentStatus', category, symbol, status };
};

const switchMarket: Act = ({ random }) => ({ type: 'switchMarket', on: random.below(2) === 0 });

const newcomer: Act = ({ random, crowd, state }) => ({
  type: 'createUser',
  level: random.pick(LEVELS),
  positionMode: random.pick(POSITION_MODES),
  ...(random.below(2) === 0 ? { email: `user${random.below(50)}@example.com` } : {}),
  ...(random.below(3) === 0 ? { parentUid: random.pick(crowd.everyone) } : {}),
  ...(random.below(2) === 0
    ? { referralCode: random.pick([...state.agentBooks.referralCodes.keys(), 'UNUSED']) }
    : {}),
});

const grantCredit: Act = ({ random, crowd }) => ({
  type: 'grantFeeCredit',
  uid: random.pick(crowd.everyone),
  coin: random.pick(['USDT', 'BTC']),
  kind: random.pick(FEE_CREDIT_KINDS),
  size: decimal(random.pick(['1', '25.5', '0.001'])),
});

/** Ruined users receive new, larger deposits. */
const refill: Act = ({ random, crowd }) => ({
  type: 'deposit',
  uid: random.pick([...crowd.members.gambler, ...crowd.members.taker]) as Uid,
  coin: random.pick(['USDT', 'USDC']),
  size: decimal(String(100 + random.below(5_000))),
  ...(random.below(3) === 0 ? { clientOid: `refill-${random.below(100)}` as ClientOid } : {}),
});

const makeKey: Act = ({ random, crowd }) => ({
  type: 'createKey',
  uid: random.pick(crowd.everyone),
  apiKey: `key-${random.below(60)}`,
  sealedSecret: 'sealed',
  passphraseHash: 'hash',
  permissions: ['uta_trade.write'],
  addresses: [],
});

const dropKey: Act = ({ random }) => ({ type: 'revokeKey', apiKey: `key-${random.below(60)}` });

const boundDays: Act = ({ random }) => ({
  type: 'setDailyOrders',
  ...(random.below(2) === 0
    ? {}
    : { warn: 20 + random.below(200), restrict: 100 + random.below(1_000) }),
});

/**
 * All users, or all up to a level, get the same fee rates, up to a hundred times the usual. Rates
 * below those of the next level are refused.
 */
const changeFees: Act = ({ random }) => {
  const taker = 24 + random.below(60);
  const maker = random.below(taker + 1);
  const upTo = random.below(2) === 0 ? LEVELS.length : 1 + random.below(LEVELS.length);
  const steepness = random.pick(['0.000', '0.000', '0.00', '0.0']);
  const rate = (parts: number): DecimalText =>
    decimal(`${steepness}${String(parts).padStart(2, '0')}`);
  return {
    type: 'setFees',
    market: random.pick(FEE_MARKETS),
    rates: LEVELS.slice(0, upTo).map((level) => ({
      level,
      maker: rate(maker),
      taker: rate(taker),
    })),
  };
};

/**
 * Price paths exist outside the exchange: a feed does not know whether its prices were accepted.
 */
export const operations = (paths: PricePaths): Acts => ({
  price: [16, () => paths.next() ?? { type: 'tick' }],
  tick: [4, tick],
  pinMark: [1, pinMark],
  moveClock: [0.6, moveClock],
  changeStatus: [1, changeStatus],
  relistInstrument: [1, relistInstrument],
  relistCoin: [0.5, relistCoin],
  switchMarket: [0.2, switchMarket],
  newcomer: [0.2, newcomer],
  refill: [1.5, refill],
  grantCredit: [0.5, grantCredit],
  makeKey: [0.3, makeKey],
  dropKey: [0.2, dropKey],
  boundDays: [0.3, boundDays],
  changeFees: [0.3, changeFees],
});
