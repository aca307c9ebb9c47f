/** Private channels of v3: orders, fills, positions, balances. */
import { listOf, object, sometimes, text, word } from '../shapes.ts';
import {
  marginModeWords,
  orderStatusWords,
  orderTypeWords,
  positionModeWords,
  positionSideWords,
  selfTradeModeWords,
  sideWords,
  timeInForceWords,
  wordOf,
  wordOrNoneOf,
} from '../wire-words.ts';
import { channel } from './channel.ts';
import { v3UserArg } from './private-args.ts';

const user = { version: 'v3', access: 'uta_trade.read', arg: v3UserArg } as const;

const side = wordOf(sideWords, 'Side');
const orderType = wordOf(orderTypeWords, 'Order type');
const holdSide = wordOrNoneOf(positionSideWords, 'Position side; empty without a position');
const tradeSide = word(['open', 'close', ''], 'Effect; empty without a position');
const feeDetail = listOf(
  object({ feeCoin: text('Coin of the fee'), fee: text('Fee; positive when paid') }),
);

const order = object({
  category: text('Category, in lower case'),
  symbol: text('Symbol'),
  orderId: text('Order ID'),
  clientOid: text('Client order ID'),
  price: text('Order price; 0 for a market order'),
  qty: text('Amount, base coin'),
  amount: text('Amount of a market buy, quote coin; otherwise 0'),
  side,
  orderType,
  timeInForce: wordOf(timeInForceWords, 'Time in force'),
  orderStatus: wordOf(orderStatusWords, 'Status'),
  cumExecQty: text('Filled amount, base coin'),
  cumExecValue: text('Filled value, quote coin'),
  avgPrice: text('Average fill price; 0 when nothing was filled'),
  feeDetail,
  holdMode: wordOrNoneOf(positionModeWords, 'Position mode; futures only'),
  posMode: sometimes(wordOf(positionModeWords, 'Position mode, under its other name')),
  holdSide,
  tradeSide,
  delegateType: text('Origin, as `execType` of the order list'),
  marginMode: wordOrNoneOf(marginModeWords, 'Margin mode; futures only'),
  marginCoin: text('Margin coin; futures only'),
  leverage: text('Leverage; futures only'),
  reduceOnly: word(['yes', 'no'], 'Reduce-only'),
  totalProfit: text('Realised profit'),
  stpMode: wordOf(selfTradeModeWords, 'Self-trade prevention'),
  cancelReason: text('Reason of the cancellation; empty if it was not cancelled'),
  createdTime: text('Creation time (ms)'),
  updatedTime: text('Time of the last change (ms)'),
});

const fill = object({
  category: text('Category, in lower case'),
  symbol: text('Symbol'),
  execId: text('Fill ID'),
  execLinkId: text('Trade ID'),
  orderId: text('Order ID'),
  clientOid: text('Client order ID'),
  side,
  orderType,
  holdSide,
  tradeSide,
  execPrice: text('Price'),
  execQty: text('Amount, base coin'),
  execValue: text('Value, quote coin'),
  execPnl: text('Realised profit'),
  tradeScope: word(['taker', 'maker'], 'Taker or maker'),
  feeDetail,
  isRPI: word(['no'], 'Whether it was a retail price improvement'),
  execTime: text('Time (ms)'),
  updatedTime: text('Time (ms)'),
});

const position = object({
  category: text('Category, in lower case'),
  symbol: text('Symbol'),
  posSide: wordOf(positionSideWords, 'Side'),
  holdMode: wordOf(positionModeWords, 'Position mode'),
  marginMode: wordOf(marginModeWords, 'Margin mode'),
  marginCoin: text('Margin coin'),
  marginSize: text('Margin'),
  size: text('Size; 0 when it has ended'),
  available: text('Size without what closing orders reserve'),
  frozen: text('Size that closing orders reserve'),
  avgPrice: text('Average entry price; empty when it has ended'),
  leverage: text('Leverage'),
  unrealisedPnl: text('Unrealised profit; empty when it has ended'),
  profitRate: text('Unrealised profit / margin; empty when it has ended'),
  liqPrice: text('Liquidation price; empty when it has ended'),
  mmr: text('Maintenance margin rate; empty when it has ended'),
  markPrice: text('Mark price; empty when it has ended'),
  breakEvenPrice: text('Break-even price; empty when it has ended'),
  curRealisedPnl: text('Realised profit'),
  totalFundingFee: text('Funding'),
  openFeeTotal: text('Opening fees; negative when paid'),
  closeFeeTotal: text('Closing fees; negative when paid'),
  positionStatus: word(['opening', 'ended'], '`ended` in the one push after it has closed'),
  createdTime: text('Creation time (ms)'),
  updatedTime: text('Time of the last change (ms)'),
});

const account = object({
  totalEquity: text('Equity, USD'),
  effEquity: text('Equity that counts as margin, USD'),
  imr: text('Initial margin, USD'),
  mmr: text('Maintenance margin, USD'),
  mgnRatio: text('Maintenance margin / effective equity'),
  positionMgnRatio: text('Initial margin of positions / effective equity'),
  unrealisedPnL: text('Unrealised profit, USD'),
  coin: listOf(
    object({
      coin: text('Coin'),
      equity: text('Equity'),
      usdValue: text('Equity, USD'),
      balance: text('Wallet balance'),
      available: text('Available'),
      locked: text('Held'),
      borrow: text('Borrowed amount'),
      debts: text('Borrowed amount, interest included'),
    }),
  ),
});

export const v3PrivateChannels = {
  v3Order: channel({
    ...user,
    names: ['order'],
    summary: "The user's orders of all categories, after each event of one",
    kind: 'event',
    snapshot: false,
    data: listOf(order),
    rules: ['STR-49', 'STR-50', 'STR-51'],
  }),

  v3Fill: channel({
    ...user,
    names: ['fill'],
    summary: "The user's fills of all categories",
    kind: 'event',
    snapshot: false,
    data: listOf(fill),
    rules: ['STR-49', 'STR-50', 'STR-52'],
  }),

  v3Position: channel({
    ...user,
    names: ['position'],
    summary: 'All open positions of the user and those that have just closed',
    kind: 'state',
    snapshot: true,
    data: listOf(position),
    rules: ['STR-49', 'STR-50', 'STR-53'],
  }),

  v3Account: channel({
    ...user,
    names: ['account'],
    summary: "The user's account, after each event that changes it",
    access: 'uta_mgt.read',
    kind: 'state',
    snapshot: true,
    data: listOf(account),
    rules: ['STR-49', 'STR-50', 'STR-54'],
  }),
} as const;
