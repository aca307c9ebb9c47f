/**
 * What the digest takes in of each event and outcome: everything that it is the first to tell. Those that come with every order are taken
 * field by field, which is many times cheaper than looking at what fields there are, and without what only repeats: the symbol of a fill is
 * that of its order. The test beside this file names what is left out, changes each other field in turn and must see it.
 */
import {
  addText,
  addValue,
  addWord,
  addWords,
  closeDigest,
  type Digest,
  moneyWord,
  moneyWordIfAny,
  nameWord,
  nameWordIfAny,
  openDigest,
  upperWord,
  wholeWord,
} from '../kernel/digest.ts';
import { ok, type Result, refuse } from '../kernel/result.ts';
import type { ClosingOrder, CommandType, PlacedOrder } from '../messages/commands.ts';
import type { Event, EventOf, EventType } from '../messages/events.ts';
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
const NOTHING = 0;

function addOrder(order: OrderRow): void {
  addWords(EVENT_WORD.orderAccepted, wholeWord(order.orderId), wholeWord(order.uid), moneyWord(order.size));
  addText(order.clientOid);
  addWords(moneyWordIfAny(order.price), moneyWordIfAny(order.openSize), nameWord(order.category), nameWord(order.symbol));
  addWords(nameWord(order.side), nameWord(order.orderType), nameWord(order.timeInForce), moneyWordIfAny(order.quoteAmount));
  addWords(nameWord(order.status), nameWord(order.positionMode), nameWordIfAny(order.positionSide), nameWordIfAny(order.intent));
  addWords(nameWordIfAny(order.marginMode), order.reduceOnly ? 1 : 0, nameWord(order.selfTradeMode), nameWord(order.executionKind));
  const { marginHold } = order;
  addWords(nameWordIfAny(order.loanType), nameWord(order.feeCoin), nameWordIfAny(order.leverage), nameWordIfAny(marginHold?.coin));
  addWord(moneyWordIfAny(marginHold?.amount));
  if (order.origin !== 'placed') addWord(nameWord(order.origin));
  if (order.takeProfit !== undefined) addValue(order.takeProfit);
  if (order.stopLoss !== undefined) addValue(order.stopLoss);
}

const addEnd = (end: OrderEnd): void =>
  addWords(EVENT_WORD.orderEnded, wholeWord(end.orderId), nameWord(end.status), nameWordIfAny(end.cancelReason));

function addTrade(trade: EventOf<'tradeExecuted'>): void {
  addWords(EVENT_WORD.tradeExecuted, wholeWord(trade.tradeId), nameWord(trade.takerSide), moneyWord(trade.price));
  addWord(moneyWord(trade.size));
}

function addFill(fill: FillRow): void {
  addWords(EVENT_WORD.fillSettled, wholeWord(fill.fillId), wholeWord(fill.tradeId), wholeWord(fill.orderId));
  addWords(moneyWord(fill.value), nameWord(fill.role), moneyWord(fill.fee), nameWordIfAny(fill.positionSide));
  addWords(nameWordIfAny(fill.intent), moneyWord(fill.profit), fill.selfTrade ? 1 : 0, moneyWordIfAny(fill.marginHold));
}

function addPosition(event: number, position: PositionRow): void {
  const { entry, closed } = position;
  addWords(event, wholeWord(position.positionId), nameWord(position.leverage), moneyWord(position.lockedSize));
  addWords(moneyWord(entry.size), moneyWord(entry.cost), upperWord(entry.cost), moneyWord(position.margin));
  addWords(moneyWord(closed.size), moneyWord(closed.cost), upperWord(closed.cost), moneyWord(position.realisedProfit));
  addWords(moneyWordIfAny(position.funding), moneyWord(position.openFees), moneyWord(position.closeFees), NOTHING);
}

function addEntry({ reason, lines }: EventOf<'entryPosted'>): void {
  addWords(EVENT_WORD.entryPosted, nameWord(reason), lines.length, NOTHING);
  for (const line of lines) {
    addWords(wholeWord(line.uid ?? NO_ID), nameWord(line.coin), nameWord(line.account), nameWordIfAny(line.symbol));
    addWords(moneyWord(line.amount), moneyWord(line.balance), NOTHING, NOTHING);
  }
}

type AddEvent<Type extends EventType> = (event: EventOf<Type>) => void;

/** Those that come with every order. */
const BY_FIELDS: { readonly [Type in EventType]?: AddEvent<Type> } = {
  orderAccepted: ({ order }) => addOrder(order),
  orderEnded: ({ end }) => addEnd(end),
  tradeExecuted: addTrade,
  fillSettled: ({ fill }) => addFill(fill),
  positionChanged: ({ position }) => addPosition(EVENT_WORD.positionChanged, position),
  positionClosed: ({ position }) => addPosition(EVENT_WORD.positionClosed, position),
  entryPosted: addEntry,
};

export type AddAny = (event: Event) => void;

/** How events of one type are taken in; found once for each type, so that no event is asked twice what it is. */
export const addingOf = (type: EventType): AddAny => (BY_FIELDS[type] ?? addValue) as AddAny;

export function digestEvent(digest: Digest, add: AddAny, event: Event): void {
  openDigest(digest);
  add(event);
  closeDigest(digest);
}

type Outcome = Result<unknown, Rejection>;

export function digestOutcome(digest: Digest, type: CommandType, outcome: Outcome): void {
  openDigest(digest);
  if (outcome.ok && (type === 'placeOrders' || type === 'cancelOrders'))
    addPlaced(outcome.value as readonly Result<PlacedOrder, Rejection>[]);
  else if (outcome.ok && type === 'closePositions') addValue(ok((outcome.value as readonly ClosingOrder[]).map(orderOf)));
  else addValue(outcome);
  closeDigest(digest);
}

/** The symbol of a position has been told. */
const orderOf = (fared: ClosingOrder) => (fared.ok ? ok(fared.value) : refuse(fared.refusal));

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
  addWord(wholeWord(orderId ?? NO_ID));
  if (orderId === undefined) addText(clientOid);
}
