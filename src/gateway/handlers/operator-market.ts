/** The operator plane, market side: prices, what is listed, the simulated market, the clock. */
import type { operatorMarketRows } from '../../contract/operator-market.ts';
import { instrumentStatusWords, wireWord } from '../../contract/wire-words.ts';
import { given } from '../../kernel/given.ts';
import { moneyText, type Price } from '../../kernel/money.ts';
import { ok } from '../../kernel/result.ts';
import type { Coin } from '../../messages/listings.ts';
import type { HandlersOf } from './handler.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';

const priceText = (price: Price | undefined): string | null => (price === undefined ? null : moneyText(price));
const nothing = () => null;

/** Limits that a coin leaves to the exchange are not shown. */
const coinRow = ({ secondApprovalUsd, houseDailyLimitUsd, dailyLimitsUsd, hourlyInterestRate, ...coin }: Coin) => ({
  ...coin,
  ...given({ secondApprovalUsd, houseDailyLimitUsd, dailyLimitsUsd, hourlyInterestRate }),
});

export function operatorMarketHandlers({ submit, views, clock, exchangeNow, chain }: HandlerParts): HandlersOf<typeof operatorMarketRows> {
  const { listings, prices } = views;
  return {
    setPrices: (said) => {
      const set = said.map(({ category, symbol, index, mark, force }) => ({
        category,
        symbol,
        index,
        mark: mark ?? undefined,
        releaseMark: mark === null,
        force,
      }));
      return submitAndShow(submit, { type: 'setPrices', prices: set }, nothing);
    },

    listInstruments: ({ category, symbol }) => {
      const listed = listings.instruments(category).filter(({ instrument }) => symbol === undefined || instrument.symbol === symbol);
      return ok(
        listed.map(({ instrument: { followSizeMax, followSizeMin, ...instrument }, status }) => ({
          ...instrument,
          ...given({ followSizeMax, followSizeMin }),
          status: wireWord(instrumentStatusWords, status),
          indexPrice: priceText(prices.index(instrument.category, instrument.symbol)),
          markPrice: priceText(prices.mark(instrument.category, instrument.symbol)),
        })),
      );
    },

    listInstrument: (instrument) => submitAndShow(submit, { type: 'listInstrument', instrument }, nothing),

    setInstrumentStatus: (change) => submitAndShow(submit, { type: 'setInstrumentStatus', ...change }, nothing),

    switchMarket: ({ state: on }) => submitAndShow(submit, { type: 'switchMarket', on }, nothing),

    getClock: () => {
      const wall = clock.wall();
      const now = exchangeNow();
      return ok({
        now: String(now),
        wall: String(wall),
        offsetMs: String(now - wall),
        frozen: views.clock.setting().frozenAt !== undefined,
      });
    },

    moveClock: async (move) => {
      const reply = await submitAndShow(submit, { type: 'moveClock', wall: clock.wall(), ...move }, ({ now }) => ({ now: String(now) }));
      // Blocks come with exchange time: what they confirm has happened when the answer arrives.
      if (reply.ok) await chain.settle();
      return reply;
    },

    listCoins: ({ coin }) =>
      ok(
        listings
          .coins()
          .filter((listed) => coin === undefined || listed.coin === coin)
          .map(coinRow),
      ),

    listCoin: ({ operator, ...coin }) => submitAndShow(submit, { type: 'listCoin', coin, operator }, nothing),
  };
}
