/** Sets the self-trade mode of an account, and the daily order thresholds of the exchange. */

import { given } from '../../../kernel/given.ts';
import { done, type Handler, inParts, reject } from '../../transaction/step.ts';
import { emitPassed } from './open-orders.ts';

export const setSelfTradeMode: Handler<'setSelfTradeMode'> = (step, { uid, selfTradeMode }) => {
  const account = step.state.accounts.get(uid);
  if (account === undefined) return reject('unknownUser', 'uid', `${uid}`);

  account.selfTradeMode = selfTradeMode;
  step.emit({ type: 'selfTradeModeChanged', uid, selfTradeMode });
  return done;
};

export const setDailyOrders: Handler<'setDailyOrders'> = (step, { warn, restrict }) => {
  if (warn !== undefined && restrict !== undefined && warn > restrict)
    return reject('fieldInvalid', 'warn', `at most ${restrict}`);

  const thresholds = given({ warn, restrict });
  const before = step.state.dailyOrders;
  step.state.dailyOrders = { ...thresholds };
  step.emit({ type: 'dailyOrdersSet', ...thresholds });
  inParts(step, step.state.accounts.values(), (account) => emitPassed(step, account, before));
  return done;
};
