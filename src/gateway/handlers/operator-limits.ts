/** Operator API: limits. */
import type { operatorLimitRows } from '../../contract/operator-limits.ts';
import { given } from '../../kernel/given.ts';
import { ok } from '../../kernel/result.ts';
import type { HandlersOf } from './handler.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';

export const operatorLimitHandlers = ({
  submit,
  views,
  exchangeNow,
}: HandlerParts): HandlersOf<typeof operatorLimitRows> => ({
  setDailyOrders: (thresholds) =>
    submitAndShow(submit, { type: 'setDailyOrders', ...thresholds }, () => null),

  getDailyOrders: () => {
    const reached = views.dailyOrders.reached(exchangeNow());
    const rows = reached.map(({ uid, threshold, count, at }) => ({
      uid: String(uid),
      threshold,
      count,
      time: String(at),
    }));
    const { warn, restrict } = views.dailyOrders.thresholds();
    return ok({ ...given({ warn, restrict }), reached: rows });
  },
});
