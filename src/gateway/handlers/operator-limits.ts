/** The operator plane, limits and fees. */
import type { operatorLimitRows } from '../../contract/operator-limits.ts';
import type { FeeTable } from '../../formulas/fees.ts';
import { given } from '../../kernel/given.ts';
import { moneyText } from '../../kernel/money.ts';
import { ok } from '../../kernel/result.ts';
import { LEVELS } from '../../messages/vocabulary.ts';
import type { HandlersOf } from './handler.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';

const feeRows = (table: FeeTable) =>
  LEVELS.map((level) => ({ level, maker: moneyText(table[level].maker), taker: moneyText(table[level].taker) }));

export const operatorLimitHandlers = ({ submit, views, exchangeNow }: HandlerParts): HandlersOf<typeof operatorLimitRows> => ({
  setDailyOrders: (thresholds) => submitAndShow(submit, { type: 'setDailyOrders', ...thresholds }, () => null),

  getDailyOrders: () => {
    const reached = views.dailyOrders.reached(exchangeNow());
    const rows = reached.map(({ uid, threshold, count, at }) => ({ uid: String(uid), threshold, count, time: String(at) }));
    const { warn, restrict } = views.dailyOrders.thresholds();
    return ok({ ...given({ warn, restrict }), reached: rows });
  },

  setFees: (fees) => submitAndShow(submit, { type: 'setFees', ...fees }, () => null),

  getFees: () => ok({ spot: feeRows(views.feeRates.table('spot')), futures: feeRows(views.feeRates.table('futures')) }),
});
