/** Expectations in the lines of a story. */
import { expect } from 'vitest';
import { leverageOf, settingOf } from '../../src/core/derived/account-context.ts';
import { instrumentKey } from '../../src/core/derived/instrument-spec.ts';
import { coinPriceOf, indexPriceOf, lastPriceOf } from '../../src/core/derived/market-context.ts';
import { totalOf, walletOf } from '../../src/core/ledger/ledger.ts';
import { isMarkFrozen } from '../../src/core/prices/market-prices.ts';
import type { Account } from '../../src/core/state/account.ts';
import { moneyText, type Price } from '../../src/kernel/money.ts';
import type { PositionSide } from '../../src/messages/vocabulary.ts';
import { type Phrase, phrase, refusalOf } from './phrases.ts';
import type { World } from './scenario.ts';
import { TRADING_EXPECTATIONS } from './trading-expectations.ts';
import { listedInstrument, milliseconds } from './wording.ts';

const priceText = (price: Price | undefined): string =>
  price === undefined ? 'none' : moneyText(price);

function markText(world: World, name: string): string {
  const { category, symbol } = listedInstrument(world, name).instrument;
  return priceText(world.engine.state.symbolPrices.get(instrumentKey(category, symbol))?.mark);
}

const accountOf = (world: World, name: string): Account =>
  world.engine.state.accounts.get(world.uid(name))!;

function countOf(world: World, type: string): number {
  return world.last?.events.filter((event) => event.type === type).length ?? 0;
}

export const EXPECTATIONS: readonly Phrase[] = [
  ...TRADING_EXPECTATIONS,
  phrase('refused (\\w+)(?: at (\\w+))?', (world, reason = '', field?: string) => {
    const refusal = world.last === undefined ? undefined : refusalOf(world.last);
    expect(refusal?.reason ?? 'accepted').toBe(reason);
    if (field !== undefined) expect(refusal?.field).toBe(field);
    expect(world.last?.events).toEqual([]);
  }),
  phrase('nothing', (world) => expect(world.last?.events).toEqual([])),
  phrase('(\\d+) (\\w+)', (world, count = '', type = '') =>
    expect(countOf(world, type), type).toBe(Number.parseInt(count, 10)),
  ),
  phrase('([a-z]+) has ([\\d.]+) ([A-Z]+)', (world, name = '', amount = '', coin = '') => {
    const wallet = walletOf(world.engine.state.ledger, world.uid(name), coin);
    expect(moneyText(totalOf(wallet)), `${name} ${coin}`).toBe(amount);
    expect(moneyText(wallet.available)).toBe(amount);
  }),
  phrase('mark (\\S+) (\\S+)', (world, name = '', price = '') =>
    expect(markText(world, name), `mark ${name}`).toBe(price),
  ),
  phrase('index (\\S+) (\\S+)', (world, name = '', price = '') => {
    const { state } = world.engine;
    const found = state.coins.has(name)
      ? coinPriceOf(state, name)
      : indexPriceOf(state, listedInstrument(world, name).instrument);
    expect(priceText(found), `index ${name}`).toBe(price);
  }),
  phrase('last (\\S+) (\\S+)', (world, name = '', price = '') =>
    expect(
      priceText(lastPriceOf(world.engine.state, listedInstrument(world, name).instrument)),
      `last ${name}`,
    ).toBe(price),
  ),
  phrase('(\\S+) is (frozen|live)', (world, name = '', word = '') => {
    const { state, at } = world.engine;
    expect(
      isMarkFrozen(state, listedInstrument(world, name).instrument, at) ? 'frozen' : 'live',
      name,
    ).toBe(word);
  }),
  phrase(
    '([a-z]+) is (crossed|isolated) on (\\S+)',
    (world, name = '', mode = '', symbolName = '') => {
      const { category, symbol } = listedInstrument(world, symbolName).instrument;
      expect(
        settingOf(world.engine.state, accountOf(world, name), instrumentKey(category, symbol))
          .marginMode,
      ).toBe(mode);
    },
  ),
  phrase(
    'leverage of ([a-z]+) on (\\S+) (long|short) is (\\d+)',
    (world, name = '', symbolName = '', side = '', leverage = '') => {
      const { category, symbol } = listedInstrument(world, symbolName).instrument;
      expect(
        leverageOf(
          world.engine.state,
          accountOf(world, name),
          instrumentKey(category, symbol),
          side as PositionSide,
        ),
      ).toBe(leverage);
    },
  ),
  phrase('clock shows start plus (.+)', (world, span = '') => {
    expect(world.engine.exchangeTime(world.wall) - world.submitted[0]!.at).toBe(milliseconds(span));
  }),
];
