/**
 * What the digest takes in of each event and outcome: everything that it is the first to tell. Those that come with every order are taken
 * field by field, which is many times cheaper than looking at what fields there are, and without what only repeats: the symbol of a fill is
 * that of its order. The test beside this file names what is left out, changes each other field in turn and must see it.
 */
import {
  addMoney,
  addMoneyIfAny,
  addName,
  addNameIfAny,
  addProduct,
  addText,
  addValue,
  addWhole,
  addWord,
  closeDigest,
  type Digest,
  openDigest,
} from '../kernel/digest.ts';
import type { Result } from '../kernel/result.ts';
import type { CommandType, PlacedOrder } from '../messages/commands.ts';
import type { Event, EventOf } from '../messages/events.ts';
import type { FillRow, OrderEnd, OrderRow, PositionRow } from '../messages/orders.ts';
import type { Rejection } from '../messages/rejections.ts';

/** Which event it is; all others begin with the word of an object. */
const EVENT_WORD = {
  orderAccepted: 0x101,
  orderEnded: 0x102,
  tradeExecuted: 0x103,
  fillSettled: 0x104,
  positionChanged: 0x105,
  positionClosed: 0x106,
  entryPosted: 0x107,
} as const;

const NO_ID = -1;

function addOrder(order: OrderRow): void {
  addWhole(order.orderId);
  addWhole(order.uid);
  addText(order.clientOid);
  addName(order.category);
  addName(order.symbol);
  addName(order.side);
  addName(order.orderType);
  addName(order.timeInForce);
  addMoneyIfAny(order.price);
  addMoney(order.size);
  addMoneyIfAny(order.quoteAmount);
  addName(order.status);
  addName(order.positionMode);
  addNameIfAny(order.positionSide);
  addNameIfAny(order.intent);
  addNameIfAny(order.marginMode);
  addWord(order.reduceOnly ? 1 : 0);
  addName(order.selfTradeMode);
  addName(order.executionKind);
  addNameIfAny(order.loanType);
  addName(order.feeCoin);
  addMoneyIfAny(order.openSize);
  addNameIfAny(order.leverage);
  addNameIfAny(order.marginHold?.coin);
  addMoneyIfAny(order.marginHold?.amount);
  if (order.takeProfit !== undefined) addValue(order.takeProfit);
  if (order.stopLoss !== undefined) addValue(order.stopLoss);
}

function addEnd(end: OrderEnd): void {
  addWhole(end.orderId);
  addName(end.status);
  addNameIfAny(end.cancelReason);
}

function addTrade(trade: EventOf<'tradeExecuted'>): void {
  addWhole(trade.tradeId);
  addName(trade.takerSide);
  addMoney(trade.price);
  addMoney(trade.size);
}

function addFill(fill: FillRow): void {
  addWhole(fill.fillId);
  addWhole(fill.tradeId);
  addWhole(fill.orderId);
  addMoney(fill.value);
  addName(fill.role);
  addMoney(fill.fee);
  addNameIfAny(fill.positionSide);
  addNameIfAny(fill.intent);
  addMoney(fill.profit);
  addWord(fill.selfTrade ? 1 : 0);
  addMoneyIfAny(fill.marginHold);
}

function addPosition(position: PositionRow): void {
  addWhole(position.positionId);
  addName(position.leverage);
  addMoney(position.lockedSize);
  addMoney(position.entry.size);
  addProduct(position.entry.cost);
  addMoney(position.margin);
  addMoney(position.realisedProfit);
  addMoneyIfAny(position.funding);
  addMoney(position.openFees);
  addMoney(position.closeFees);
  addMoney(position.closed.size);
  addProduct(position.closed.cost);
}

function addEntry({ reason, lines }: EventOf<'entryPosted'>): void {
  addName(reason);
  addWord(lines.length);
  for (const line of lines) {
    addWhole(line.uid ?? NO_ID);
    addName(line.coin);
    addName(line.account);
    addMoney(line.amount);
    addMoney(line.balance);
    addNameIfAny(line.symbol);
  }
}

export function digestEvent(digest: Digest, event: Event): void {
  openDigest(digest);
  addEvent(event);
  closeDigest(digest);
}

function addEvent(event: Event): void {
  switch (event.type) {
    case 'orderAccepted':
      addWord(EVENT_WORD.orderAccepted);
      return addOrder(event.order);
    case 'orderEnded':
      addWord(EVENT_WORD.orderEnded);
      return addEnd(event.end);
    case 'tradeExecuted':
      addWord(EVENT_WORD.tradeExecuted);
      return addTrade(event);
    case 'fillSettled':
      addWord(EVENT_WORD.fillSettled);
      return addFill(event.fill);
    case 'positionChanged':
      addWord(EVENT_WORD.positionChanged);
      return addPosition(event.position);
    case 'positionClosed':
      addWord(EVENT_WORD.positionClosed);
      return addPosition(event.position);
    case 'entryPosted':
      addWord(EVENT_WORD.entryPosted);
      return addEntry(event);
    default:
      return addValue(event);
  }
}

type Outcome = Result<unknown, Rejection>;

export function digestOutcome(digest: Digest, type: CommandType, outcome: Outcome): void {
  openDigest(digest);
  if (outcome.ok && (type === 'placeOrders' || type === 'cancelOrders'))
    addPlaced(outcome.value as readonly Result<PlacedOrder, Rejection>[]);
  else addValue(outcome);
  closeDigest(digest);
}

function addPlaced(answers: readonly Result<PlacedOrder, Rejection>[]): void {
  addWord(answers.length);
  for (const answer of answers) {
    addWord(answer.ok ? 1 : 0);
    if (!answer.ok) addValue(answer.refusal);
    else addAnswer(answer.value);
  }
}

/** An order that is told has told its client id. */
function addAnswer({ orderId, clientOid }: PlacedOrder): void {
  addWhole(orderId ?? NO_ID);
  if (orderId === undefined) addText(clientOid);
}
