/**
 * Acts for states that a random run rarely reaches: isolated positions, hedged sides, and waiting
 * orders beside them.
 */
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Random } from '../../src/kernel/random.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { Instrument } from '../../src/messages/listings.ts';
import type { OrderDraft, PositionRow } from '../../src/messages/orders.ts';
import {
  type FuturesCategory,
  MARGIN_MODES,
  POSITION_SIDES,
  SIDES,
  type Side,
} from '../../src/messages/vocabulary.ts';
import { decimals } from '../lists/row.ts';
import type { Folio, Folios } from './folio.ts';
import { floor, input } from './fractions.ts';

const decimal = (text: string): DecimalText => text as DecimalText;
const onStep = (units: bigint, step: string): DecimalText =>
  decimal(decimals(units - (units % floor(input(step)))));

interface Scene {
  readonly random: Random;
  readonly folios: Folios;
  readonly folio: Folio;
}
type Act = (scene: Scene) => Command | undefined;

/** A future that others trade too. */
function someFuture({ random, folios }: Scene): Instrument | undefined {
  const traded = [...folios.users.values()].flatMap(({ orders }) =>
    [...orders.values()].map(({ order }) => order),
  );
  const futures = traded.filter(({ category }) => category.endsWith('FUTURES'));
  return futures.length === 0 ? undefined : folios.instrumentOf(random.pick(futures));
}

/** At this distance from mark, in hundredths of a percent. */
function place(
  { folios, folio }: Scene,
  of: Instrument,
  order: Partial<OrderDraft> & { readonly side: Side },
  away?: number,
): Command {
  const { symbol, priceStep, sizeStep, sizeMin } = of;
  const mark = folios.mark(of);
  const isMarket = away === undefined;
  const draft: OrderDraft = {
    symbol,
    orderType: isMarket ? 'market' : 'limit',
    size: onStep(floor(input(sizeMin)) + (10n ** 13n * 10n ** 10n) / mark, sizeStep),
    timeInForce: 'gtc',
    reduceOnly: false,
    ...(isMarket ? {} : { price: onStep((mark * BigInt(10_000 + away)) / 10_000n, priceStep) }),
    ...order,
  };
  return { type: 'placeOrders', uid: folio.profile.uid, category: of.category, orders: [draft] };
}

const open: Act = (scene) => {
  const { random, folio } = scene;
  const future = someFuture(scene);
  if (future === undefined) return undefined;
  if (folio.positionMode === 'oneWay') return place(scene, future, { side: random.pick(SIDES) });
  const positionSide = random.pick(POSITION_SIDES);
  return place(scene, future, { side: positionSide === 'long' ? 'buy' : 'sell', positionSide });
};

const somePosition = ({ random, folio }: Scene): PositionRow | undefined =>
  folio.positions.size === 0 ? undefined : random.pick([...folio.positions.values()]);

/** A resting order that would close half of a position, or double it. */
const wait =
  (closing: boolean): Act =>
  (scene) => {
    const { folios, folio } = scene;
    const position = somePosition(scene);
    if (position === undefined) return undefined;
    const instrument = folios.instrumentOf(position);
    const isBuy = (position.side === 'long') !== closing;
    const meant =
      folio.positionMode === 'hedge' ? { positionSide: position.side } : { reduceOnly: closing };
    const size = onStep(
      position.size / 2n + floor(input(instrument.sizeStep)),
      instrument.sizeStep,
    );
    return place(
      scene,
      instrument,
      { side: isBuy ? 'buy' : 'sell', size, ...meant },
      isBuy ? -100 : 100,
    );
  };

const close: Act = (scene) => {
  const position = somePosition(scene);
  if (position === undefined) return undefined;
  const { folios, folio } = scene;
  const side = position.side === 'long' ? 'sell' : 'buy';
  const meant =
    folio.positionMode === 'hedge' ? { positionSide: position.side } : { reduceOnly: true };
  const { sizeStep } = folios.instrumentOf(position);
  return place(scene, folios.instrumentOf(position), {
    side,
    size: onStep(position.size / 2n, sizeStep),
    ...meant,
  });
};

const setMode: Act = (scene) => {
  const { random, folio } = scene;
  const future = someFuture(scene);
  if (future === undefined) return undefined;
  const { symbol } = future;
  const category = future.category as FuturesCategory;
  return {
    type: 'setMarginMode',
    uid: folio.profile.uid,
    category,
    symbol,
    marginMode: random.pick(MARGIN_MODES),
  };
};

const setLeverage: Act = (scene) => {
  const { random, folio } = scene;
  const future = someFuture(scene);
  if (future === undefined) return undefined;
  const { symbol } = future;
  const category = future.category as FuturesCategory;
  const side = random.pick([{}, { side: random.pick(POSITION_SIDES) }]);
  const leverage = decimal(random.pick(['3', '7', '20', '50']));
  return { type: 'setLeverage', uid: folio.profile.uid, category, symbol, leverage, ...side };
};

const setCoinLeverage: Act = ({ random, folios, folio }) => ({
  type: 'setCoinLeverage',
  uid: folio.profile.uid,
  coin: random.pick([...folios.coins.keys()]),
  leverage: decimal(random.pick(['1', '2', '3'])),
});

/** Changes the tiers: one rate for all values, or steeper above a bound that many have passed. */
const relist: Act = (scene) => {
  const { random } = scene;
  const instrument = someFuture(scene);
  if (instrument === undefined) return undefined;
  const bound = decimal(random.pick(['1000', '20000', '300000']));
  const [low, high] = random.pick([
    ['0.004', '0.008'],
    ['0.0075', '0.15'],
    ['0.002', '0.3'],
  ] as const);
  const tiers = [
    {
      fromValue: decimal('0'),
      toValue: bound,
      leverageMax: decimal('125'),
      maintenanceRate: decimal(low),
    },
    {
      fromValue: bound,
      toValue: decimal('500000000'),
      leverageMax: decimal('3'),
      maintenanceRate: decimal(high),
    },
  ];
  return {
    type: 'listInstrument',
    instrument: { ...instrument, leverageMax: decimal('125'), tiers },
  };
};

const relistCoin: Act = ({ random, folios }) => {
  const listed = random.pick([...folios.coins.values()]);
  // Sometimes a coin without an index.
  const coin = random.pick([listed.coin, listed.coin, 'NEW']);
  return {
    type: 'listCoin',
    coin: { ...listed, coin, collateralRate: decimal(random.pick(['0', '0.5', '0.9', '1'])) },
  };
};

const deposit: Act = ({ random, folios, folio }) => ({
  type: 'deposit',
  uid: folio.profile.uid,
  coin: random.pick([...folios.coins.keys()]),
  size: decimal(random.pick(['0.0000000003', '1', '5000'])),
});

const halt: Act = (scene) => {
  const instrument = someFuture(scene);
  if (instrument === undefined) return undefined;
  const { category, symbol } = instrument;
  return {
    type: 'setInstrumentStatus',
    category,
    symbol,
    status: scene.random.pick(['normal', 'normal', 'halted']),
  };
};

const switchMarket: Act = ({ random }) => ({ type: 'switchMarket', on: random.below(4) > 0 });

const ACTS: readonly Act[] = [
  ...[open, open, open, open, open],
  ...[wait(true), wait(false), wait(true), close, close],
  ...[setMode, setMode, setLeverage, setCoinLeverage, switchMarket],
  ...[relist, relistCoin, deposit, halt],
];

/** A random act of a random user. */
export function drawAct(random: Random, folios: Folios): Command {
  const folio = random.pick([...folios.users.values()]);
  return random.pick(ACTS)({ random, folios, folio }) ?? { type: 'tick' };
}
