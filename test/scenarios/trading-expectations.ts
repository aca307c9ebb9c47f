/** Expectations about orders, trades, positions and money. */
import { expect } from 'vitest';
import { instrumentKey, sizeOf, specFrom } from '../../src/core/derived/instrument-spec.ts';
import { positionOf } from '../../src/core/derived/position.ts';
import { walletOf } from '../../src/core/ledger/ledger.ts';
import { accountMargin } from '../../src/core/margin/account-margin.ts';
import { debtOf } from '../../src/core/margin/debts.ts';
import { rebuildDerived } from '../../src/core/rebuild.ts';
import type { Position } from '../../src/core/state/position.ts';
import { entryPrice } from '../../src/formulas/entry.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { type Amount, moneyText, plus, ZERO_AMOUNT } from '../../src/kernel/money.ts';
import type { EventOf, EventType } from '../../src/messages/events.ts';
import type { HouseAccount, PositionSide } from '../../src/messages/vocabulary.ts';
import { type OrderRecord, statusOf } from './order-records.ts';
import { type Phrase, phrase } from './phrases.ts';
import type { World } from './scenario.ts';
import { listedInstrument } from './wording.ts';

const NAME = '([a-z]+)';
const NUMBER = '(-?[\\d.]+)';
const WORD = '(\\S+)';

export const emittedBy = <Type extends EventType>(world: World, type: Type): EventOf<Type>[] =>
  (world.last?.events ?? []).filter((event) => event.type === type) as unknown as EventOf<Type>[];

/** The order that the line placed. */
function placed(world: World): OrderRecord {
  const accepted = emittedBy(world, 'orderAccepted').at(-1);
  if (accepted === undefined) throw new Error('the line placed no order');
  return world.orders.of(accepted.order.orderId);
}

function position(
  world: World,
  name: string,
  symbolName: string,
  side: string,
): Position | undefined {
  const { category, symbol } = listedInstrument(world, symbolName).instrument;
  return positionOf(
    world.engine.state,
    world.uid(name),
    instrumentKey(category, symbol),
    side as PositionSide,
  );
}

function shown(found: Position | undefined): string {
  return found === undefined
    ? 'flat'
    : `${moneyText(found.entry.size)} at ${moneyText(entryPrice(found.entry))}`;
}

function lockedSize(world: World, symbolName: string, { locked }: Position): string {
  return moneyText(sizeOf(specFrom(listedInstrument(world, symbolName).instrument), locked));
}

const tradesOf = (world: World): string =>
  emittedBy(world, 'tradeExecuted')
    .map(({ size, price }) => `${moneyText(size)} at ${moneyText(price)}`)
    .join(' and ');

const ORDERS: readonly Phrase[] = [
  phrase('rests', (world) => expect(statusOf(placed(world))).toMatch(/^(new|partiallyFilled)$/)),
  phrase('waits', (world) => expect(statusOf(placed(world))).toBe('live')),
  phrase('filled', (world) => expect(statusOf(placed(world))).toBe('filled')),
  phrase(`filled ${NUMBER}`, (world, size = '') =>
    expect(moneyText(placed(world).filled)).toBe(size),
  ),
  phrase('cancelled (\\w+)', (world, reason = '') =>
    expect(statusOf(placed(world))).toBe(`cancelled ${reason}`),
  ),
  phrase('trades (.+)', (world, trades = '') => expect(tradesOf(world)).toBe(trades)),
  phrase('no trade', (world) => expect(tradesOf(world)).toBe('')),
  phrase('(an|no) order id', (world, which) => {
    const [answer] = (
      world.last!.outcome as { value: { value: { orderId?: Id; clientOid: string } }[] }
    ).value;
    const expected = which === 'no' ? undefined : expect.any(Number);
    expect([answer!.value.orderId, answer!.value.clientOid]).toEqual([
      expected,
      expect.any(String),
    ]);
  }),
  phrase(
    `order ${WORD} of ${NAME} is (\\w+(?: \\w+)?)`,
    (world, clientOid = '', name = '', status = '') =>
      expect(statusOf(world.orders.named(world.uid(name), clientOid)), clientOid).toBe(status),
  ),
  phrase(
    `order ${WORD} of ${NAME} filled ${NUMBER}`,
    (world, clientOid = '', name = '', size = '') =>
      expect(moneyText(world.orders.named(world.uid(name), clientOid).filled), clientOid).toBe(
        size,
      ),
  ),
  phrase(
    `order ${WORD} of ${NAME} asks ${NUMBER} at ${NUMBER}`,
    (world, clientOid = '', name = '', size = '', price = '') => {
      const { order } = world.orders.named(world.uid(name), clientOid);
      expect([moneyText(order.size), moneyText(order.price!)], clientOid).toEqual([size, price]);
    },
  ),
  phrase('answered (\\w+)', (world, reason = '') =>
    expect(
      (world.last!.outcome as { value: { refusal?: { reason: string } } }).value.refusal?.reason,
    ).toBe(reason),
  ),
  phrase(`best of ${WORD} is ${WORD} and ${WORD}`, (world, symbolName = '', bid = '', ask = '') => {
    const spec = specFrom(listedInstrument(world, symbolName).instrument);
    const book = rebuildDerived(world.engine.state).books.get(spec.bookKey)!;
    const best = (side: 'buy' | 'sell'): string => {
      const tick = book.best(side);
      return tick === undefined ? 'none' : moneyText((spec.tickPrice * BigInt(tick)) as Amount);
    };
    expect([best('buy'), best('sell')]).toEqual([bid, ask]);
  }),
];

const POSITIONS: readonly Phrase[] = [
  phrase(
    `${NAME} is (long|short) ${NUMBER} ${WORD} at ${NUMBER}`,
    (world, name = '', side = '', size = '', symbol = '', price = '') =>
      expect(shown(position(world, name, symbol, side)), `${name} ${symbol}`).toBe(
        `${size} at ${price}`,
      ),
  ),
  phrase(`${NAME} is flat in ${WORD}`, (world, name = '', symbol = '') =>
    expect([
      shown(position(world, name, symbol, 'long')),
      shown(position(world, name, symbol, 'short')),
    ]).toEqual(['flat', 'flat']),
  ),
  phrase(
    `${NAME} has ${NUMBER} locked in (long|short) ${WORD}`,
    (world, name = '', size = '', side = '', symbol = '') =>
      expect(lockedSize(world, symbol, position(world, name, symbol, side)!)).toBe(size),
  ),
  phrase(
    `${NAME} has ${NUMBER} in (long|short) ${WORD}`,
    (world, name = '', amount = '', side = '', symbol = '') =>
      expect(moneyText(position(world, name, symbol, side)!.margin)).toBe(amount),
  ),
  phrase(`${NAME} realised ${NUMBER}`, (world, name = '', amount = '') => {
    const own = emittedBy(world, 'fillSettled').filter(({ fill }) => fill.uid === world.uid(name));
    expect(moneyText(own.reduce((sum, { fill }) => plus(sum, fill.profit), ZERO_AMOUNT))).toBe(
      amount,
    );
  }),
  phrase(`${NAME} paid ${NUMBER} ([A-Z]+) in fees`, (world, name = '', amount = '', coin = '') => {
    const own = emittedBy(world, 'fillSettled').filter(
      ({ fill }) => fill.uid === world.uid(name) && fill.feeCoin === coin,
    );
    expect(moneyText(own.reduce((sum, { fill }) => plus(sum, fill.fee), ZERO_AMOUNT))).toBe(amount);
  }),
];

const MONEY: readonly Phrase[] = [
  phrase(
    `${NAME} has ${NUMBER} ([A-Z]+) (free|locked|in margin)`,
    (world, name = '', amount = '', coin = '', where = '') => {
      const wallet = walletOf(world.engine.state.ledger, world.uid(name), coin);
      const account = where === 'free' ? 'available' : where === 'locked' ? 'locked' : 'margin';
      expect(moneyText(wallet[account]), `${name} ${coin} ${where}`).toBe(amount);
    },
  ),
  phrase(`${NAME} owes ${NUMBER} ([A-Z]+)`, (world, name = '', amount = '', coin = '') =>
    expect(moneyText(debtOf(world.engine.state, world.uid(name), coin).principal)).toBe(amount),
  ),
  phrase(`house (\\w+) ${NUMBER} ([A-Z]+)`, (world, account = '', amount = '', coin = '') =>
    expect(
      moneyText(
        world.engine.state.ledger.house.get(coin)?.[account as HouseAccount] ?? ZERO_AMOUNT,
      ),
    ).toBe(amount),
  ),
  phrase(
    `${NAME} has equity ${NUMBER} and needs ${NUMBER}`,
    (world, name = '', equity = '', initial = '') => {
      const { state } = world.engine;
      const margin = accountMargin(state, rebuildDerived(state), world.uid(name));
      expect([moneyText(margin.equity), moneyText(margin.initial)]).toEqual([equity, initial]);
    },
  ),
];

export const TRADING_EXPECTATIONS: readonly Phrase[] = [...ORDERS, ...POSITIONS, ...MONEY];
