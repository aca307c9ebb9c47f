/** Collateral ratios, and the cost of loans of the wallet. */

import type { borrowingRows } from '../../contract/borrowing.ts';
import type { RequestOf } from '../../contract/endpoint.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { interestOver } from '../../formulas/interest.ts';
import { idText, type Uid } from '../../kernel/ids.ts';
import { type Amount, moneyText, type Rate, ZERO_AMOUNT } from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import { SECOND } from '../../kernel/time.ts';
import { HELD_UNITS_MAX } from '../../messages/bounds.ts';
import type { Coin } from '../../messages/listings.ts';
import { borrowableOf } from '../../views/account-margins.ts';
import { type InterestChargeRow, OF_WALLET } from '../../views/history/interest-charges.ts';
import { THREE_MONTHS, timeWindow } from '../../views/pages.ts';
import type { HandlersOf, Reply } from './handler.ts';
import type { HandlerParts } from './parts.ts';

const HOURS_PER_DAY = 24n;
const HOURS_PER_YEAR = 365n * HOURS_PER_DAY;

export const dailyInterestText = (listed: Coin | undefined): string =>
  moneyText(interestOver(listed, HOURS_PER_DAY));
export const yearlyInterestText = (listed: Coin | undefined): string =>
  moneyText(interestOver(listed, HOURS_PER_YEAR));

const chargeText = ({ id, coin, rate, amount, time }: InterestChargeRow) =>
  ({
    interestId: idText(id),
    loanCoin: coin,
    interestCoin: coin,
    dailyInterestRate: moneyText((rate * HOURS_PER_DAY) as Rate),
    interestAmount: moneyText(amount),
    interstType: 'scheduled',
    cTime: String(time),
    uTime: String(time),
  }) as const;

/** Newest first. Clients expect ids of 0 for an empty page. */
const pageIds = (rows: readonly InterestChargeRow[]) => ({
  maxId: rows.length === 0 ? '0' : idText(rows[0]!.id),
  minId: rows.length === 0 ? '0' : idText(rows.at(-1)!.id),
});

type AskedInterest = RequestOf<(typeof borrowingRows)['listCrossedInterest']>;

export const borrowingHandlers = ({
  views,
  exchangeNow,
}: HandlerParts): HandlersOf<typeof borrowingRows> => {
  const listedCoin = (coin: string): Reply<Coin> => {
    const listed = views.listings.coin(coin);
    return listed === undefined ? refuse(wireRejection('unknownCoin', 'coin', coin)) : ok(listed);
  };

  const interestOf = async (
    uid: Uid,
    symbol: string,
    { startTime, endTime, ...page }: AskedInterest,
  ): Promise<Reply<readonly InterestChargeRow[]>> => {
    const window = timeWindow(
      { start: startTime, end: endTime },
      exchangeNow(),
      THREE_MONTHS + SECOND,
    );
    return window.ok
      ? ok(await views.history.interestCharges({ ...page, uid, symbol, ...window.value }))
      : window;
  };

  return {
    listCrossedInterest: async (asked, { uid }) => {
      const rows = await interestOf(uid, OF_WALLET, asked);
      return rows.ok
        ? ok({ resultList: rows.value.map(chargeText), ...pageIds(rows.value) })
        : rows;
    },

    listIsolatedInterest: async ({ symbol, ...asked }, { uid }) => {
      if (views.listings.instrument('MARGIN', symbol) === undefined)
        return refuse(wireRejection('noIsolatedMargin', 'symbol', symbol));
      const rows = await interestOf(uid, symbol, asked);
      if (!rows.ok) return rows;
      return ok({
        resultList: rows.value.map((row) => ({ ...chargeText(row), symbol })),
        ...pageIds(rows.value),
      });
    },

    listDiscountRates: () =>
      ok(
        views.listings.coins().map(({ coin, collateralRate }) => ({
          coin,
          list: [{ tierStartValue: '0', discountRate: collateralRate }],
        })),
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
