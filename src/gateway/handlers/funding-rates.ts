/** Settled funding rates (v2 and v3). */
import type { fundingRateRows } from '../../contract/funding-rates.ts';
import { moneyText } from '../../kernel/money.ts';
import { ok } from '../../kernel/result.ts';
import type { FuturesCategory } from '../../messages/vocabulary.ts';
import type { SettledRate } from '../../views/market-rows.ts';
import type { HandlersOf, Reply } from './handler.ts';
import { listedIn } from './market-figures.ts';
import type { HandlerParts } from './parts.ts';

export function fundingRateHandlers({ views }: HandlerParts): HandlersOf<typeof fundingRateRows> {
  const page = (
    category: FuturesCategory,
    symbol: string,
    number: number,
    rows: number,
  ): Reply<readonly SettledRate[]> => {
    const listed = listedIn(views, category, symbol);
    return listed.ok
      ? ok(views.fundingRates.settled(category, symbol, (number - 1) * rows, rows))
      : listed;
  };

  return {
    listFuturesFundingRates: ({ productType, symbol, pageNo, pageSize }) => {
      const found = page(productType, symbol, pageNo, pageSize);
      if (!found.ok) return found;
      return ok(
        found.value.map(({ rate, at }) => ({
          symbol,
          fundingRate: moneyText(rate),
          fundingTime: String(at),
        })),
      );
    },

    listFundingRates: ({ category, symbol, cursor, limit }) => {
      const found = page(category, symbol, cursor, limit);
      if (!found.ok) return found;
      return ok({
        resultList: found.value.map(({ rate, at }) => ({
          symbol,
          fundingRate: moneyText(rate),
          fundingRateTimestamp: String(at),
        })),
      });
    },
  };
}
