/** Halts in which accounts place orders near their limit without knowing later counterparties. */
import type { Random } from '../../src/kernel/random.ts';
import type { NaiveExchange } from '../exchange/naive-exchange.ts';
import { headroom } from '../exchange/naive-money.ts';
import { type NaiveDraft, referenceOf } from '../exchange/naive-placing.ts';
import type { NaiveInstrument, NaiveUser } from '../exchange/naive-state.ts';
import { max, min, shown, UNIT } from '../exchange/whole-units.ts';
import type { Item } from './lockstep-stream.ts';

interface World {
  readonly random: Random;
  readonly naive: NaiveExchange;
}

const PLAIN = { market: false, timeInForce: 'gtc', stp: 'none', reduceOnly: false } as const;

const onStep = (value: bigint, step: bigint): string => shown((value / step) * step);

/** From the account with the most money, around the current price. */
export function restingIn(
  { random, naive }: World,
  instrument: NaiveInstrument,
  side: 'buy' | 'sell',
): Item {
  const price =
    (referenceOf(naive, instrument) * BigInt(random.pick([980, 995, 1_005, 1_020, 1_200]))) /
    1_000n;
  const size = (UNIT * BigInt(random.pick([3, 10, 50]))) / (instrument.base === 'ETH' ? 1n : 10n);
  const positionSide = side === 'buy' ? 'long' : 'short';
  const draft: NaiveDraft = {
    ...PLAIN,
    side,
    positionSide,
    price: onStep(price, instrument.tick),
    size: onStep(size, instrument.lot),
    onMargin: false,
  };
  return { instrument, draft };
}

/**
 * A sell far below the market, or a market order, for a part or all of what the account can afford.
 */
export function daringIn(
  { random, naive }: World,
  user: NaiveUser,
  instrument: NaiveInstrument,
  onMargin: boolean,
  side: 'buy' | 'sell',
): Item {
  const reference = referenceOf(naive, instrument);
  const market = side === 'buy' || random.below(3) === 0;
  const price =
    side === 'buy' ? reference : (reference * BigInt(random.pick([55, 70, 85, 95]))) / 100n;
  const leverage = onMargin
    ? user.loans[instrument.base]!
    : user.settings[instrument.symbol]!.leverage;
  const most = (max(0n, headroom(naive, user)) * leverage) / (market ? reference : price);
  const part = (min(most, 1_000n * UNIT) * BigInt(random.pick([50, 90, 95, 98]))) / 100n;
  const size = instrument.category === 'SPOT' && side === 'buy' ? (part * reference) / UNIT : part;
  const isInQuote = instrument.category === 'SPOT' && side === 'buy';
  const positionSide = side === 'buy' ? 'long' : 'short';
  const draft: NaiveDraft = {
    ...PLAIN,
    side,
    positionSide,
    market,
    price: onStep(price, instrument.tick),
    size: onStep(size, isInQuote ? 100n : instrument.lot),
    timeInForce: random.pick(['gtc', 'gtc', 'ioc', 'fok']),
    onMargin,
  };
  return { instrument, draft };
}
