/**
 * What the digest takes in of each event and outcome: everything. Those that come with every order are taken field by field, which is many
 * times cheaper than looking at what fields there are; the test beside this file changes each field in turn and must see it.
 */
import {
  addMoney,
  addMoneyIfAny,
  addProduct,
  addText,
  addTextIfAny,
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
  addText(order.category);
  addText(order.symbol);
  addText(order.side);
  addText(order.orderType);
  addText(order.timeInForce);
  addMoneyIfAny(order.price);
  addMoney(order.size);
  addMoneyIfAny(order.quoteAmount);
  addText(order.status);
  addText(order.positionMode);
  addTextIfAny(order.positionSide);
  addTextIfAny(order.intent);
  addTextIfAny(order.marginMode);
  addWord(order.reduceOnly ? 1 : 0);
  addText(order.selfTradeMode);
  addText(order.executionKind);
  addTextIfAny(order.loanType);
  addText(order.feeCoin);
  addMoneyIfAny(order.openSize);
  addTextIfAny(order.leverage);
  addTextIfAny(order.marginHold?.coin);
  addMoneyIfAny(order.marginHold?.amount);
}

function addEnd(end: OrderEnd): void {
  addWhole(end.orderId);
  addWhole(end.uid);
  addText(end.status);
  addTextIfAny(end.cancelReason);
  addText(end.category);
  addText(end.symbol);
}

function addTrade(trade: EventOf<'tradeExecuted'>): void {
  addWhole(trade.tradeId);
  addText(trade.category);
  addText(trade.symbol);
  addText(trade.takerSide);
  addMoney(trade.price);
  addMoney(trade.size);
}

function addFill(fill: FillRow): void {
  addWhole(fill.fillId);
  addWhole(fill.tradeId);
  addWhole(fill.orderId);
  addWhole(fill.uid);
  addText(fill.clientOid);
  addText(fill.category);
  addText(fill.symbol);
  addText(fill.orderType);
  addText(fill.side);
  addMoney(fill.price);
  addMoney(fill.size);
  addMoney(fill.value);
  addText(fill.role);
  addText(fill.feeCoin);
  addMoney(fill.fee);
  addTextIfAny(fill.positionSide);
  addTextIfAny(fill.intent);
  addMoney(fill.profit);
  addText(fill.executionKind);
  addTextIfAny(fill.loanType);
  addWord(fill.selfTrade ? 1 : 0);
  addMoneyIfAny(fill.marginHold);
}

function addPosition(position: PositionRow): void {
  addWhole(position.positionId);
  addWhole(position.uid);
  addText(position.category);
  addText(position.symbol);
  addText(position.marginCoin);
  addText(position.side);
  addText(position.positionMode);
  addText(position.marginMode);
  addText(position.leverage);
  addMoney(position.size);
  addMoney(position.lockedSize);
  addMoney(position.entry.size);
  addProduct(position.entry.cost);
  addMoney(position.margin);
  addMoney(position.realisedProfit);
  addMoneyIfAny(position.funding);
  addMoney(position.openFees);
  addMoney(position.closeFees);
  addMoney(position.closedSize);
  addMoney(position.closedPrice);
  addMoney(position.closedValue);
  addWhole(position.createdAt);
  addWhole(position.updatedAt);
}

function addEntry({ reason, lines }: EventOf<'entryPosted'>): void {
  addText(reason);
  addWord(lines.length);
  for (const line of lines) {
    addWhole(line.id);
    addWhole(line.uid ?? NO_ID);
    addText(line.coin);
    addText(line.account);
    addMoney(line.amount);
    addMoney(line.balance);
    addTextIfAny(line.symbol);
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
    else {
      addWhole(answer.value.orderId ?? NO_ID);
      addText(answer.value.clientOid);
    }
  }
}
