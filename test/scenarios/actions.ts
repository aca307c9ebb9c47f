/** Actions of a scenario. */
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { ClientOid } from '../../src/kernel/ids.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import type { CommandOf } from '../../src/messages/commands.ts';
import type { FuturesCategory, MarginMode, PositionSide } from '../../src/messages/vocabulary.ts';
import { type Phrase, phrase } from './phrases.ts';
import type { World } from './scenario.ts';
import { TRADING_ACTIONS } from './trading-actions.ts';
import { instrumentOfCoin, listedInstrument, milliseconds } from './wording.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

type PriceFields = Partial<CommandOf<'setPrices'>['prices'][number]>;

function setPrice(
  world: World,
  {
    category,
    symbol,
  }: { category: CommandOf<'setPrices'>['prices'][number]['category']; symbol: string },
  fields: PriceFields,
): void {
  world.last = world.submit({
    type: 'setPrices',
    prices: [{ category, symbol, releaseMark: false, force: false, ...fields }],
  });
}

const NAME = '([a-z]+)';
const NUMBER = '([\\d.]+)';
const WORD = '(\\S+)';

const PRICES: readonly Phrase[] = [
  phrase(`index ([A-Z]+) ${NUMBER}( forced)?`, (world, coin = '', price = '', forced = '') =>
    setPrice(world, instrumentOfCoin(world, coin).instrument, {
      index: decimal(price),
      force: forced !== '',
    }),
  ),
  phrase(`index through ${WORD} ${NUMBER}`, (world, name = '', price = '') =>
    setPrice(world, listedInstrument(world, name).instrument, { index: decimal(price) }),
  ),
  phrase(`pin ${WORD} ${NUMBER}`, (world, name = '', price = '') =>
    setPrice(world, listedInstrument(world, name).instrument, { mark: decimal(price) }),
  ),
  phrase(`release ${WORD}`, (world, name = '') =>
    setPrice(world, listedInstrument(world, name).instrument, { releaseMark: true }),
  ),
  phrase('market (on|off)', (world, state = '') => {
    world.last = world.submit({ type: 'switchMarket', on: state === 'on' });
  }),
];

const CLOCK: readonly Phrase[] = [
  phrase('clock advances (.+)', (world, span = '') => {
    world.last = world.submit({
      type: 'moveClock',
      wall: world.wall,
      advanceMs: milliseconds(span),
    });
  }),
  phrase('clock to start plus (.+)', (world, span = '') => {
    const to = (world.submitted[0]!.at + milliseconds(span)) as Timestamp;
    world.last = world.submit({ type: 'moveClock', wall: world.wall, to });
  }),
  phrase('clock (freezes|runs)', (world, word = '') => {
    world.last = world.submit({ type: 'moveClock', wall: world.wall, frozen: word === 'freezes' });
  }),
  phrase('clock moves', (world) => {
    world.last = world.submit({ type: 'moveClock', wall: world.wall });
  }),
  phrase('wall passes (.+)', (world, span = '') => {
    world.wall = (world.wall + milliseconds(span)) as Timestamp;
    world.last = world.submit({ type: 'tick' });
  }),
  phrase('wall falls back (.+)', (world, span = '') => {
    world.wall = (world.wall - milliseconds(span)) as Timestamp;
    world.last = world.submit({ type: 'tick' });
  }),
];

const ACCOUNTS: readonly Phrase[] = [
  phrase(
    `${NAME} joins(?: under ${NAME})?(?: with email (\\S+))?(?: with mobile (\\S+) (\\S+))?`,
    (world, name = '', ...input: (string | undefined)[]) => {
      const [parent, email, areaCode, mobile] = input;
      world.last = world.submit({
        type: 'createUser',
        name,
        level: 'VIP0',
        positionMode: 'oneWay',
        email,
        areaCode,
        mobile,
        parentUid: parent === undefined ? undefined : world.uid(parent),
      });
      if (world.last.outcome.ok)
        world.users.set(name, (world.last.outcome.value as { uid: never }).uid);
    },
  ),
  phrase(
    `${NAME} sets leverage ${NUMBER} on ${WORD}(?: for (long|short))?`,
    (world, name = '', leverage = '', symbolName = '', side?: string) => {
      const { category, symbol } = listedInstrument(world, symbolName).instrument;
      world.last = world.submit({
        type: 'setLeverage',
        uid: world.uid(name),
        category: category as FuturesCategory,
        symbol,
        leverage: decimal(leverage),
        side: side as PositionSide | undefined,
      });
    },
  ),
  phrase(
    `${NAME} sets leverage ${NUMBER} of coin ([A-Z]+)`,
    (world, name = '', leverage = '', coin = '') => {
      world.last = world.submit({
        type: 'setCoinLeverage',
        uid: world.uid(name),
        coin,
        leverage: decimal(leverage),
      });
    },
  ),
  phrase(
    `${NAME} sets (crossed|isolated) on ${WORD}`,
    (world, name = '', marginMode = '', symbolName = '') => {
      const { category, symbol } = listedInstrument(world, symbolName).instrument;
      const uid = world.uid(name);
      world.last = world.submit({
        type: 'setMarginMode',
        uid,
        category: category as FuturesCategory,
        symbol,
        marginMode: marginMode as MarginMode,
      });
    },
  ),
  phrase(`${NAME} trades (one-way|hedged)`, (world, name = '', mode = '') => {
    world.last = world.submit({
      type: 'setPositionMode',
      uid: world.uid(name),
      positionMode: mode === 'hedged' ? 'hedge' : 'oneWay',
    });
  }),
];

const MONEY: readonly Phrase[] = [
  phrase(
    `${NAME} deposits ${NUMBER} ([A-Z]+)(?: as (\\S+))?`,
    (world, name = '', size = '', coin = '', clientOid?: string) => {
      const uid = world.uid(name);
      world.last = world.submit({
        type: 'deposit',
        uid,
        coin,
        size: decimal(size),
        clientOid: clientOid as ClientOid | undefined,
      });
    },
  ),
];

/** The first matching phrase is used. */
export const ACTIONS: readonly Phrase[] = [
  ...PRICES,
  ...CLOCK,
  ...MONEY,
  ...ACCOUNTS,
  ...TRADING_ACTIONS,
];
