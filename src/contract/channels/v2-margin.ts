/** Private channels of v2 for spot margin: crossed on the wallet, isolated on pairs. */
import { listOf, object, sometimes, text, word } from '../shapes.ts';
import {
  loanTypeWords,
  orderTypeWords,
  sideWords,
  spotOrderStatusWords,
  timeInForceWords,
  wordOf,
} from '../wire-words.ts';
import { channel } from './channel.ts';
import { v2MarginAccountArg, v2MarginArg } from './private-args.ts';

const order = object({
  symbol: text('Symbol'),
  orderId: text('Order ID'),
  clientOid: text('Client order ID'),
  orderType: wordOf(orderTypeWords, 'Order type'),
  force: wordOf(timeInForceWords, 'Time in force'),
  price: text('Order price; 0 for a market order'),
  fillPrice: text('Average fill price; 0 when nothing was filled'),
  baseSize: text('Amount, base coin'),
  quoteSize: text('Amount, quote coin'),
  baseVolume: text('Filled amount, base coin'),
  fillTotalAmount: text('Filled value, quote coin'),
  side: wordOf(sideWords, 'Side'),
  status: wordOf(spotOrderStatusWords, 'Status'),
  loanType: wordOf(loanTypeWords, 'Automatic borrowing and repaying'),
  enterPointSource: word(['API', 'SYS'], 'Source'),
  feeDetail: listOf(
    object({
      feeCoin: text('Coin of the fee'),
      deduction: word(['no'], 'Whether a discount applied'),
      totalDeductionFee: text('Discount'),
      totalFee: text('Fee so far; negative when paid'),
    }),
  ),
  cTime: text('Creation time (ms)'),
  uTime: text('Time of the last change (ms)'),
});

const account = object({
  id: text('User ID'),
  symbol: sometimes(text('Symbol of the pair; isolated only')),
  coin: text('Coin'),
  available: text('Available'),
  frozen: text('Held'),
  borrow: text('Borrowed amount'),
  interest: text('Interest'),
  coupon: text('Always 0'),
  uTime: text('Time of the last change (ms)'),
});

const orders = {
  version: 'v2',
  kind: 'event',
  snapshot: false,
  arg: v2MarginArg,
  data: listOf(order),
  rules: ['STR-49', 'STR-50', 'STR-55'],
} as const;
const accounts = {
  version: 'v2',
  kind: 'state',
  snapshot: true,
  arg: v2MarginAccountArg,
  data: listOf(account),
  rules: ['STR-49', 'STR-50', 'STR-55'],
} as const;

export const v2MarginChannels = {
  v2CrossedOrders: channel({
    ...orders,
    names: ['orders-crossed'],
    summary: "The user's margin orders on the wallet, after each event of one",
    access: 'uta_trade.read',
  }),

  v2IsolatedOrders: channel({
    ...orders,
    names: ['orders-isolated'],
    summary: "The user's margin orders on pairs, after each event of one",
    access: 'margin.read',
  }),

  v2CrossedAccount: channel({
    ...accounts,
    names: ['account-crossed'],
    summary: "The user's wallet with its debts, after each event that changes it",
    access: 'uta_mgt.read',
  }),

  v2IsolatedAccount: channel({
    ...accounts,
    names: ['account-isolated'],
    summary: "The user's isolated pairs, after each event that changes one",
    access: 'margin.read',
  }),
} as const;
