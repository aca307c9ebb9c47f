/** What collateral counts for and what loans of the wallet cost. */
import type { borrowingRows } from '../../contract/borrowing.ts';
import { interestOver } from '../../formulas/interest.ts';
import { type Amount, moneyText, ZERO_AMOUNT } from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import { HELD_UNITS_MAX } from '../../messages/bounds.ts';
import type { Coin } from '../../messages/listings.ts';
import { rejection } from '../../messages/rejections.ts';
import { borrowableOf } from '../../views/account-margins.ts';
import type { HandlersOf, Reply } from './handler.ts';
import type { HandlerParts } from './parts.ts';

const HOURS_PER_DAY = 24n;
const HOURS_PER_YEAR = 365n * HOURS_PER_DAY;

export const dailyInterestText = (listed: Coin | undefined): string => moneyText(interestOver(listed, HOURS_PER_DAY));
export const yearlyInterestText = (listed: Coin | undefined): string => moneyText(interestOver(listed, HOURS_PER_YEAR));

export const borrowingHandlers = ({ views, exchangeNow }: HandlerParts): HandlersOf<typeof borrowingRows> => {
  const listedCoin = (coin: string): Reply<Coin> => {
    const listed = views.listings.coin(coin);
    return listed === undefined ? refuse(rejection('unknownCoin', 'coin', coin)) : ok(listed);
  };

  return {
    listDiscountRates: () =>
      ok(
        views.listings.coins().map(({ coin, collateralRate }) => ({ coin, list: [{ tierStartValue: '0', discountRate: collateralRate }] })),
      ),

    listCrossedRates: ({ coin }, { uid }) => {
      const listed = listedCoin(coin);
      if (!listed.ok) return listed;
      const most = borrowableOf(views, uid, coin, exchangeNow());
      return ok([
        {
          coin,
          leverage: listed.value.leverageMax,
          transferable: true,
          borrowable: most > ZERO_AMOUNT,
          dailyInterestRate: dailyInterestText(listed.value),
          annualInterestRate: yearlyInterestText(listed.value),
          maxBorrowableAmount: moneyText(most),
          vipList: [],
        },
      ]);
    },

    getLoanRate: ({ coin }) => {
      const listed = listedCoin(coin);
      if (!listed.ok) return listed;
      return ok({
        dailyInterest: dailyInterestText(listed.value),
        annualInterest: yearlyInterestText(listed.value),
        limit: moneyText(HELD_UNITS_MAX as Amount),
      });
    },
  };
};
