/** Futures orders and fills in v2. */
import { listOf, object, text, word } from './shapes.ts';
import { ORDER_SOURCES } from './trigger-order-shapes.ts';
import {
  futuresOrderStatusWords,
  marginModeWords,
  orderTypeWords,
  positionModeWords,
  sideWords,
  timeInForceWords,
  wordOf,
} from './wire-words.ts';

/**
 * One-way orders show their direction, hedge orders their effect on a position, and orders of the
 * exchange their reason.
 */
const TRADE_SIDES = [
  'open',
  'close',
  'buy_single',
  'sell_single',
  'reduce_close_long',
  'reduce_close_short',
  'offset_close_long',
  'offset_close_short',
  'burst_close_long',
  'burst_close_short',
  'delivery_close_long',
  'delivery_close_short',
  'reduce_buy_single',
  'reduce_sell_single',
  'offset_buy_single',
  'offset_sell_single',
  'burst_buy_single',
  'burst_sell_single',
  'delivery_buy_single',
  'delivery_sell_single',
  'dte_sys_adl_close_long',
  'dte_sys_adl_close_short',
  'dte_sys_adl_buy_in_single_side_mode',
  'dte_sys_adl_sell_in_single_side_mode',
] as const;
export type TradeSide = (typeof TRADE_SIDES)[number];

const tradeSide = word(
  TRADE_SIDES,
  'Effect: `open` or `close` in hedge mode, `buy_single` or `sell_single` in one-way mode, longer words for orders of the exchange',
);
const side = wordOf(sideWords, 'In hedge mode the side of the position');
const posMode = wordOf(positionModeWords, 'Position mode');
const enterPointSource = word(['API', 'SYS'], 'Source');

const order = {
  symbol: text('Trading pair'),
  size: text('Amount, base coin'),
  orderId: text('Order ID'),
  clientOid: text('Client order ID'),
  baseVolume: text('Filled amount, base coin'),
  quoteVolume: text('Filled value, quote coin'),
  fee: text('Fee; negative when paid'),
  price: text('Order price; empty for a market order'),
  priceAvg: text('Average fill price; empty when nothing was filled'),
  side,
  force: wordOf(timeInForceWords, 'Time in force'),
  totalProfits: text('Realised profit'),
  posSide: word(['long', 'short', 'net'], 'Position side; `net` in one-way mode'),
  marginCoin: text('Margin coin'),
  leverage: text('Leverage'),
  marginMode: wordOf(marginModeWords, 'Margin mode'),
  reduceOnly: word(['YES', 'NO'], 'Reduce-only'),
  enterPointSource,
  tradeSide,
  posMode,
  orderType: wordOf(orderTypeWords, 'Order type'),
  orderSource: word(
    ORDER_SOURCES,
    'Origin: `normal` for a limit order, `market`, or the exit that placed it',
  ),
  cancelReason: text('Reason of the cancellation; empty if it was not cancelled'),
  presetStopSurplusPrice: text('Take-profit price; empty when there is none'),
  presetStopSurplusExecutePrice: text('Limit price of that exit; empty when there is none'),
  presetStopLossPrice: text('Stop-loss price; empty when there is none'),
  presetStopLossExecutePrice: text('Limit price of that exit; empty when there is none'),
  cTime: text('Creation time (ms)'),
  uTime: text('Time of the last change (ms)'),
};

const status = wordOf(futuresOrderStatusWords, 'Status');
export const futuresOrderShape = object({ ...order, status });
/** A single order has its status in another field. */
export const futuresOrderDetailShape = object({ ...order, state: status });

export const futuresFillShape = object({
  tradeId: text('Fill ID'),
  symbol: text('Trading pair'),
  orderId: text('Order ID'),
  price: text('Price'),
  baseVolume: text('Amount, base coin'),
  quoteVolume: text('Value, quote coin'),
  side,
  profit: text('Realised profit'),
  tradeSide,
  posMode,
  tradeScope: word(['taker', 'maker'], 'Taker or maker'),
  enterPointSource,
  feeDetail: listOf(
    object({
      deduction: word(['no'], 'Whether a discount applied'),
      feeCoin: text('Coin of the fee'),
      totalDeductionFee: text('Discount'),
      totalFee: text('Fee; negative when paid'),
    }),
  ),
  cTime: text('Time (ms)'),
});
