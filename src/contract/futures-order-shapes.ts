/** Futures orders and fills as v2 shows them. */
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
 * One-way orders name their direction; hedge orders say what they do to a position; those of the
 * engine say on whose behalf.
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
  'What it does: hedge mode `open`, `close`; one-way mode `buy_single`, `sell_single`; longer for the engine',
);
const side = wordOf(sideWords, 'In hedge mode the side of the position');
const posMode = wordOf(positionModeWords, 'Position mode');
const enterPointSource = word(['API', 'SYS'], 'Where it came from');

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
  force: wordOf(timeInForceWords, 'How long it stands'),
  totalProfits: text('Realised profit'),
  posSide: word(['long', 'short', 'net'], 'Position side; `net` in one-way mode'),
  marginCoin: text('Margin coin'),
  leverage: text('Leverage'),
  marginMode: wordOf(marginModeWords, 'Margin mode'),
  reduceOnly: word(['YES', 'NO'], 'Whether it only closes'),
  enterPointSource,
  tradeSide,
  posMode,
  orderType: wordOf(orderTypeWords, 'Order type'),
  orderSource: word(
    ORDER_SOURCES,
    'What made it: `normal` at a limit, `market`, or a way out of its position',
  ),
  cancelReason: text('Why it was cancelled; empty when it was not'),
  presetStopSurplusPrice: text('Take-profit price; empty when there is none'),
  presetStopSurplusExecutePrice: text('Its limit; empty when there is none'),
  presetStopLossPrice: text('Stop-loss price; empty when there is none'),
  presetStopLossExecutePrice: text('Its limit; empty when there is none'),
  cTime: text('Creation time (ms)'),
  uTime: text('Time of the last change (ms)'),
};

const status = wordOf(futuresOrderStatusWords, 'Status');
export const futuresOrderShape = object({ ...order, status });
/** A single order has its status under another name. */
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
  tradeScope: word(['taker', 'maker'], 'Whether it took or made'),
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
