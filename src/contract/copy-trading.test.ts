import { expect, test } from 'vitest';
import { copyTradingRows } from './copy-trading.ts';

test('[CPY-41] five calls a second for each user, ten for each address', () => {
  const limits = Object.fromEntries(
    Object.entries(copyTradingRows).map(([name, { limit }]) => [name, limit]),
  );
  const five = { perSecond: 5, countedBy: 'uid' };
  expect(limits).toEqual({
    listFollowerHistory: five,
    listLeaderTrackedOrders: five,
    setCopySettings: five,
    setTrackedOrderTpsl: five,
    listFollowLimits: { perSecond: 10, countedBy: 'ip' },
  });
});
