/** The trading rows, which need an exchange with a market for their test. */
import { futuresAccountRows } from '../../src/contract/futures-accounts.ts';
import { futuresMarketRows } from '../../src/contract/futures-market.ts';
import { futuresOrderRows } from '../../src/contract/futures-orders.ts';
import { orderChangeRows } from '../../src/contract/order-changes.ts';
import { orderRows } from '../../src/contract/orders.ts';
import { positionHistoryRows } from '../../src/contract/position-history.ts';
import { positionRows } from '../../src/contract/positions.ts';
import { profileRows } from '../../src/contract/profile.ts';
import { spotMarketRows } from '../../src/contract/spot-market.ts';
import { spotOrderRows } from '../../src/contract/spot-orders.ts';
import { strategyOrderRows } from '../../src/contract/strategy-orders.ts';
import { unifiedMarketRows } from '../../src/contract/unified-market.ts';
import { unifiedTradingRows } from '../../src/contract/unified-trading.ts';

export const tradingRows = {
  ...orderRows,
  ...unifiedTradingRows,
  ...futuresOrderRows,
  ...spotOrderRows,
  ...orderChangeRows,
  ...strategyOrderRows,
  ...positionRows,
  ...positionHistoryRows,
  ...futuresAccountRows,
  ...profileRows,
  ...unifiedMarketRows,
  ...futuresMarketRows,
  ...spotMarketRows,
};
