/** Actions of traders: place, cancel and close, modify orders, and adjust margin. */
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { ClientOid } from '../../src/kernel/ids.ts';
import type { OrderDraft } from '../../src/messages/orders.ts';
import type {
  FuturesCategory,
  InstrumentStatus,
  PositionSide,
  SelfTradeMode,
  Side,
  TimeInForce,
} from '../../src/messages/vocabulary.ts';
import { type Phrase, phrase } from './phrases.ts';
import type { World } from './scenario.ts';
import { categoryOf, listedInstrument, milliseconds } from './wording.ts';

const NAME = '([a-z]+)';
const NUMBER = '([\\d.]+)';
const WORD = '(\\S+)';

const STP: Readonly<Record<string, SelfTradeMode>> = {
  none: 'none',
  taker: 'cancelTaker',
  maker: 'cancelMaker',
  both: 'cancelBoth',
};
const TIMES: Readonly<Record<string, TimeInForce>> = {
  ioc: 'ioc',
  fok: 'fok',
  'post-only': 'postOnly',
};

/** `fok`, `reduce-only`, `stp maker`, `isolated`, `as ID`, in any order after the price. */
function withExtras(draft: OrderDraft, extras: string): OrderDraft {
  const words = extras.split(' ').filter((word) => word !== '');
  let made = draft;
  while (words.length > 0) {
    const word = words.shift()!;
    if (word in TIMES) made = { ...made, timeInForce: TIMES[word]! };
    else if (word === 'reduce-only') made = { ...made, reduceOnly: true };
    else if (word === 'stp') made = { ...made, selfTradeMode: STP[words.shift()!] };
    else if (word === 'as') made = { ...made, clientOid: words.shift() as ClientOid };
    else if (word === 'isolated' || word === 'crossed') made = { ...made, marginMode: word };
    else if (word === 'long' || word === 'short') made = { ...made, positionSide: word };
    else throw new Error(`unknown word of an order: ${word}`);
  }
  return made;
}

interface Asked {
  readonly side: Side;
  readonly size: string;
  readonly symbol: string;
  readonly price: string;
  readonly extras: string;
  readonly positionSide?: PositionSide;
}

export function draftOf({ side, size, symbol, price, extras, positionSide }: Asked): OrderDraft {
  const market = price === 'market';
  const draft: OrderDraft = {
    symbol,
    side,
    orderType: market ? 'market' : 'limit',
    size: size as DecimalText,
    ...(market ? {} : { price: price as DecimalText }),
    timeInForce: 'gtc',
    reduceOnly: false,
    ...(positionSide === undefined ? {} : { positionSide }),
  };
  return withExtras(draft, extras);
}

function place(world: World, name: string, symbolName: string, asked: Omit<Asked, 'symbol'>): void {
  const uid = world.uid(name);
  const { category, symbol } = categoryOf(world, symbolName);
  world.last = world.submit({
    type: 'placeOrders',
    uid,
    category,
    orders: [draftOf({ ...asked, symbol })],
  });
}

const sideOf = (verb: string): Side => (verb === 'buys' ? 'buy' : 'sell');
/** Opening a long buys and closing it sells; for a short it is the opposite. */
const hedgeSide = (verb: string, side: string): Side =>
  (verb === 'opens') === (side === 'long') ? 'buy' : 'sell';

const ORDERS: readonly Phrase[] = [
  phrase(
    `${NAME} (buys|sells) ${NUMBER} ${WORD} at ${WORD}( .+)?`,
    (world, name = '', verb = '', size = '', symbol = '', price = '', extras = '') =>
      place(world, name, symbol, { side: sideOf(verb), size, price, extras }),
  ),
  phrase(
    `${NAME} (opens|closes) (long|short) ${NUMBER} ${WORD} at ${WORD}( .+)?`,
    (world, name = '', verb = '', side = '', size = '', symbol = '', price = '', extras = '') =>
      place(world, name, symbol, {
        side: hedgeSide(verb, side),
        size,
        price,
        extras,
        positionSide: side as PositionSide,
      }),
  ),
  phrase(
    `${NAME} spends ${NUMBER} on ${WORD}( .+)?`,
    (world, name = '', size = '', symbol = '', extras = '') =>
      place(world, name, symbol, { side: 'buy', size, price: 'market', extras }),
  ),
];

/**
 * `to SIZE`, `at PRICE`, `as NAME` for a new order in its place, `or cancels` if it is impossible.
 */
const CHANGES: readonly Phrase[] = [
  phrase(
    `${NAME} modifies ${WORD}(?: to ${NUMBER})?(?: at ${NUMBER})?(?: as ${WORD})?( or cancels)?`,
    (
      world,
      name = '',
      clientOid = '',
      size?: string,
      price?: string,
      newClientOid?: string,
      autoCancel?: string,
    ) => {
      world.last = world.submit({
        type: 'modifyOrder',
        uid: world.uid(name),
        clientOid: clientOid as ClientOid,
        size: size as DecimalText | undefined,
        price: price as DecimalText | undefined,
        replace: newClientOid !== undefined,
        newClientOid: newClientOid as ClientOid | undefined,
        autoCancel: autoCancel !== undefined,
      });
    },
  ),
];

const ENDS: readonly Phrase[] = [
  phrase(`${NAME} cancels all ${WORD}`, (world, name = '', symbolName = '') => {
    const uid = world.uid(name);
    const { category, symbol } = categoryOf(world, symbolName);
    world.last = world.submit({
      type: 'cancelAllOrders',
      uid,
      category,
      ...(symbol === '' ? {} : { symbol }),
    });
  }),
  phrase(`${NAME} counts down (.+)`, (world, name = '', span = '') => {
    world.last = world.submit({
      type: 'setCountdown',
      uid: world.uid(name),
      ms: milliseconds(span),
    });
  }),
  phrase(`${NAME} cancels ${WORD}`, (world, name = '', clientOid = '') => {
    const uid = world.uid(name);
    world.last = world.submit({
      type: 'cancelOrders',
      uid,
      orders: [{ clientOid: clientOid as ClientOid }],
    });
  }),
  phrase(
    `${NAME} closes all ${WORD}(?: (long|short))?`,
    (world, name = '', symbolName = '', side?: string) => {
      const uid = world.uid(name);
      const { category, symbol } = categoryOf(world, symbolName);
      world.last = world.submit({
        type: 'closePositions',
        uid,
        category: category as FuturesCategory,
        ...(symbol === '' ? {} : { symbol }),
        ...(side === undefined ? {} : { side: side as PositionSide }),
      });
    },
  ),
  phrase(
    `${NAME} (adds|removes) ${NUMBER} margin (?:to|from) ${WORD}(?: (long|short))?`,
    (world, name = '', verb = '', amount = '', symbolName = '', side?: string) => {
      const { category, symbol } = categoryOf(world, symbolName);
      world.last = world.submit({
        type: 'adjustMargin',
        uid: world.uid(name),
        category: category as FuturesCategory,
        symbol,
        amount: amount as DecimalText,
        direction: verb === 'adds' ? 'add' : 'remove',
        ...(side === undefined ? {} : { side: side as PositionSide }),
      });
    },
  ),
];

const STATUSES: Readonly<Record<string, InstrumentStatus>> = {
  normal: 'normal',
  halted: 'halted',
  'cancel-only': 'cancelOnly',
  off: 'off',
};

const OPERATOR: readonly Phrase[] = [
  phrase(`status ${WORD} (normal|halted|cancel-only|off)`, (world, name = '', status = '') => {
    const { category, symbol } = listedInstrument(world, name).instrument;
    world.last = world.submit({
      type: 'setInstrumentStatus',
      category,
      symbol,
      status: STATUSES[status]!,
    });
  }),
  phrase('daily orders warn (\\d+) restrict (\\d+)', (world, warn = '', restrict = '') => {
    world.last = world.submit({
      type: 'setDailyOrders',
      warn: Number.parseInt(warn, 10),
      restrict: Number.parseInt(restrict, 10),
    });
  }),
  phrase(
    `${NAME} prevents self-trade by (none|taker|maker|both)`,
    (world, name = '', mode = '') => {
      world.last = world.submit({
        type: 'setSelfTradeMode',
        uid: world.uid(name),
        selfTradeMode: STP[mode]!,
      });
    },
  ),
];

export const TRADING_ACTIONS: readonly Phrase[] = [...ENDS, ...CHANGES, ...ORDERS, ...OPERATOR];
