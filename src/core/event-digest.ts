/**
 * Adds events and outcomes to the digest. Frequent events are added field by field, which is many
 * times faster than a generic walk. Fields that repeat an earlier event are left out: the symbol of
 * a fill is that of its order. The test of this file lists those fields, and checks that a change
 * of any other field changes the digest.
 */
import {
  addText,
  addValue,
  addWord,
  addWords,
  closeDigest,
  type Digest,
  LastName,
  moneyWord,
  moneyWordIfAny,
  nameWord,
  nameWordIfAny,
  openDigest,
  upperWord,
  wholeWord,
} from '../kernel/digest.ts';
import { ok, type Result, refuse } from '../kernel/result.ts';
import type { CommandType } from '../messages/commands.ts';
import type { Event, EventOf, EventType } from '../messages/events.ts';
import type { FillRow, OrderEnd, OrderRow, PositionRow } from '../messages/orders.ts';
import type { ClosingOrder, PlacedOrder } from '../messages/outcomes.ts';
import type { Rejection } from '../messages/rejections.ts';
import type { Intent, PositionSide, Side } from '../messages/vocabulary.ts';

/** The first word of an event. All other events begin with the word of an object. */
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

/** Names that rarely change from one event to the next. */
const last = {
  category: new LastName(),
  symbol: new LastName(),
  orderType: new LastName(),
  timeInForce: new LastName(),
  orderStatus: new LastName(),
  positionMode: new LastName(),
  marginMode: new LastName(),
  selfTradeMode: new LastName(),
  executionKind: new LastName(),
  loanType: new LastName(),
  feeCoin: new LastName(),
  orderLeverage: new LastName(),
  holdCoin: new LastName(),
  positionLeverage: new LastName(),
  endStatus: new LastName(),
  cancelReason: new LastName(),
  lineCoin: new LastName(),
  lineSymbol: new LastName(),
} as const;

// Names that change often, with two values each.
const BUY = nameWord('buy' satisfies Side);
const SELL = nameWord('sell' satisfies Side);
const TAKER = nameWord('taker' satisfies FillRow['role']);
const MAKER = nameWord('maker' satisfies FillRow['role']);
const LONG = nameWord('long' satisfies PositionSide);
const SHORT = nameWord('short' satisfies PositionSide);
const OPEN = nameWord('open' satisfies Intent);
const CLOSE = nameWord('close' satisfies Intent);
const ABSENT = nameWordIfAny(undefined);

const sideWord = (side: Side): number => (side === 'buy' ? BUY : SELL);
const roleWord = (role: FillRow['role']): number => (role === 'taker' ? TAKER : MAKER);

function positionSideWord(side: PositionSide | undefined): number {
  if (side === undefined) return ABSENT;
  return side === 'long' ? LONG : SHORT;
}

function intentWord(intent: Intent | undefined): number {
  if (intent === undefined) return ABSENT;
  return intent === 'open' ? OPEN : CLOSE;
}

function addOrder(order: OrderRow): void {
  addWords(
    EVENT_WORD.orderAccepted,
    wholeWord(order.orderId),
    wholeWord(order.uid),
    moneyWord(order.size),
  );
  addText(order.clientOid);
  const category = last.category.wordOf(order.category);
  const symbol = last.symbol.wordOf(order.symbol);
  addWords(moneyWordIfAny(order.price), moneyWordIfAny(order.openSize), category, symbol);
  const orderType = last.orderType.wordOf(order.orderType);
  const timeInForce = last.timeInForce.wordOf(order.timeInForce);
  addWords(sideWord(order.side), orderType, timeInForce, moneyWordIfAny(order.quoteAmount));
  const status = last.orderStatus.wordOf(order.status);
  const positionMode = last.positionMode.wordOf(order.positionMode);
  addWords(status, positionMode, positionSideWord(order.positionSide), intentWord(order.intent));
  const selfTradeMode = last.selfTradeMode.wordOf(order.selfTradeMode);
  const executionKind = last.executionKind.wordOf(order.executionKind);
  addWords(
    last.marginMode.wordOf(order.marginMode),
    order.reduceOnly ? 1 : 0,
    selfTradeMode,
    executionKind,
  );
  const { marginHold } = order;
  const loanType = last.loanType.wordOf(order.loanType);
  const feeCoin = last.feeCoin.wordOf(order.feeCoin);
  addWords(
    loanType,
    feeCoin,
    last.orderLeverage.wordOf(order.leverage),
    last.holdCoin.wordOf(marginHold?.coin),
  );
  addWord(moneyWordIfAny(marginHold?.amount));
  if (order.origin !== 'placed') addWord(nameWord(order.origin));
  if (order.takeProfit !== undefined) addValue(order.takeProfit);
  if (order.stopLoss !== undefined) addValue(order.stopLoss);
}

const addEnd = (end: OrderEnd): void =>
  addWords(
    EVENT_WORD.orderEnded,
    wholeWord(end.orderId),
    last.endStatus.wordOf(end.status),
    last.cancelReason.wordOf(end.cancelReason),
  );

function addTrade(trade: EventOf<'tradeExecuted'>): void {
  addWords(
    EVENT_WORD.tradeExecuted,
    wholeWord(trade.tradeId),
    sideWord(trade.takerSide),
    moneyWord(trade.price),
  );
  addWord(moneyWord(trade.size));
}

function addFill(fill: FillRow): void {
  addWords(
    EVENT_WORD.fillSettled,
    wholeWord(fill.fillId),
    wholeWord(fill.tradeId),
    wholeWord(fill.orderId),
  );
  addWords(
    moneyWord(fill.value),
    roleWord(fill.role),
    moneyWord(fill.fee),
    positionSideWord(fill.positionSide),
  );
  addWords(
    intentWord(fill.intent),
    moneyWord(fill.profit),
    fill.selfTrade ? 1 : 0,
    moneyWordIfAny(fill.marginHold),
  );
}

function addPosition(event: number, position: PositionRow): void {
  const { entry, closed } = position;
  const leverage = last.positionLeverage.wordOf(position.leverage);
  addWords(event, wholeWord(position.positionId), leverage, moneyWord(position.lockedSize));
  addWords(
    moneyWord(entry.size),
    moneyWord(entry.cost),
    upperWord(entry.cost),
    moneyWord(position.margin),
  );
  addWords(
    moneyWord(closed.size),
    moneyWord(closed.cost),
    upperWord(closed.cost),
    moneyWord(position.realisedProfit),
  );
  addWords(
    moneyWordIfAny(position.funding),
    moneyWord(position.openFees),
    moneyWord(position.closeFees),
    NOTHING,
  );
}

function addEntry({ reason, lines }: EventOf<'entryPosted'>): void {
  addWords(EVENT_WORD.entryPosted, nameWord(reason), lines.length, NOTHING);
  for (const line of lines) {
    const coin = last.lineCoin.wordOf(line.coin);
    const symbol = last.lineSymbol.wordOf(line.symbol);
    addWords(wholeWord(line.uid ?? NO_ID), coin, nameWord(line.account), symbol);
    addWords(moneyWord(line.amount), moneyWord(line.balance), NOTHING, NOTHING);
  }
}

type AddEvent<Type extends EventType> = (event: EventOf<Type>) => void;

/** The frequent events. */
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

/** The function that adds events of a type to the digest. The caller looks it up once per type. */
export const addFunctionOf = (type: EventType): AddAny => (BY_FIELDS[type] ?? addValue) as AddAny;

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
  else if (outcome.ok && type === 'closePositions')
    addValue(ok((outcome.value as readonly ClosingOrder[]).map(withoutSymbol)));
  else addValue(outcome);
  closeDigest(digest);
}

/** The order has already added the symbol. */
const withoutSymbol = (closing: ClosingOrder) =>
  closing.ok ? ok(closing.value) : refuse(closing.refusal);

function addPlaced(answers: readonly Result<PlacedOrder, Rejection>[]): void {
  addWord(answers.length);
  for (const answer of answers) {
    addWord(answer.ok ? 1 : 0);
    if (!answer.ok) addValue(answer.refusal);
    else addAnswer(answer.value);
  }
}

/** An accepted order has already added its client id. */
function addAnswer({ orderId, clientOid }: PlacedOrder): void {
  addWord(wholeWord(orderId ?? NO_ID));
  if (orderId === undefined) addText(clientOid);
}
