/** Sets the past of the market, marks the first world as complete, and switches the market. */

import { fundingBounds } from '../../formulas/funding.ts';
import { given } from '../../kernel/given.ts';
import type { Id } from '../../kernel/ids.ts';
import { money } from '../../kernel/money.ts';
import { HOUR, MINUTE, startOf } from '../../kernel/time.ts';
import type { Instrument } from '../../messages/listings.ts';
import { PAST_SPAN_MAX, PAST_TRADE_IDS, type PastBook } from '../../messages/past.ts';
import { isFutures } from '../../messages/vocabulary.ts';
import { keyOf } from '../derived/instrument-spec.ts';
import { coinPriceOf, indexPriceOf, lastPriceOf } from '../derived/market-context.ts';
import type { State } from '../state/state.ts';
import { done, type Handler, reject } from '../transaction/step.ts';

/** Undefined if the symbol has no price, because its past must end at one. */
function bookOf(state: State, instrument: Instrument): PastBook | undefined {
  const { category, symbol, baseCoin, quoteCoin, priceStep, sizeStep } = instrument;
  const [last, index] = [lastPriceOf(state, instrument), indexPriceOf(state, instrument)];
  const quoteDollars = coinPriceOf(state, quoteCoin);
  if (last === undefined || index === undefined || quoteDollars === undefined) return undefined;
  const mark = state.symbolPrices.get(keyOf(instrument))?.mark;
  return {
    ...{ category, symbol, baseCoin, quoteCoin, last, index, quoteDollars },
    priceStep: money(priceStep),
    sizeStep: money(sizeStep),
    fundingHours: isFutures(category) ? instrument.fundingHours : 0,
    fundingRateMax: fundingBounds(instrument).max,
    ...given({ mark }),
  };
}

export const setPast: Handler<'setPast'> = (step, { seed, spanMs }) => {
  const { state, at } = step;
  if (state.world !== undefined) return reject('worldOpen');
  if (spanMs < 1 || spanMs > PAST_SPAN_MAX)
    return reject('fieldOutOfRange', 'spanMs', `1 to ${PAST_SPAN_MAX}`);
  if (at - spanMs < MINUTE) return reject('fieldOutOfRange', 'spanMs', 'it begins after 1970');

  const books: PastBook[] = [];
  for (const { instrument } of state.instruments.values()) {
    // SPOT and MARGIN share a book.
    const book = instrument.category === 'MARGIN' ? undefined : bookOf(state, instrument);
    if (book !== undefined) books.push(book);
  }
  const past = {
    seed,
    begin: startOf(at - spanMs, HOUR),
    end: at,
    tradeIdFirst: state.nextId,
    books,
  };
  // Trades of the past have smaller ids than all trades of the exchange.
  state.nextId = (state.nextId + books.length * PAST_TRADE_IDS) as Id;
  state.past = past;
  step.emit({ type: 'pastSet', past });
  return done;
};

const WORLD = /^[a-z][a-z0-9-]{0,31}$/;

export const openWorld: Handler<'openWorld'> = (step, { world }) => {
  const { state } = step;
  if (state.world !== undefined) return reject('worldOpen');
  if (!WORLD.test(world)) return reject('fieldInvalid', 'world');

  state.world = world;
  step.emit({ type: 'worldOpened', world });
  return done;
};

export const switchMarket: Handler<'switchMarket'> = (step, { on }) => {
  const { state } = step;
  if (state.marketOn === on) return done;

  state.marketOn = on;
  step.emit({ type: 'marketSwitched', on });
  return done;
};
