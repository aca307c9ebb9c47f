/**
 * Places triggers: conditional, trailing, take-profit and stop-loss ones, near the price so that
 * many fire.
 */
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import type { Instrument } from '../../messages/listings.ts';
import type { ExitDraft, TriggerDraft } from '../../messages/triggers.ts';
import {
  closesWholePosition,
  EXIT_KINDS,
  type FuturesCategory,
  isTakeProfit,
  MARGIN_MODES,
  ORDER_TYPES,
  POSITION_SIDES,
  PRICE_SOURCES,
  SIDES,
  TRIGGER_KINDS,
} from '../../messages/vocabulary.ts';
import { tradable } from './crowd.ts';
import {
  type Act,
  type Acts,
  draftOf,
  priceNear,
  type Scene,
  sizeWorth,
  someone,
} from './trading.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

/** Distance from the price in either direction, in hundredths of a percent. */
const away = ({ random }: Scene): number =>
  (random.below(2) === 0 ? 1 : -1) * (1 + random.below(150));

const settingOf = ({ state }: Scene, uid: Uid, { category, symbol }: Instrument) =>
  state.accounts.get(uid)?.symbolSettings.get(`${category}:${symbol}`)?.marginMode ?? 'crossed';

const wait: Act = (scene) => {
  const { random, crowd, state } = scene;
  const uid = someone(scene, 'taker', 'hedger', 'gambler', 'leader', 'maker');
  const instrument = random.pick(tradable(crowd, true));
  const kind = random.pick(['conditional', 'conditional', 'trailing'] as const);
  const orderType = kind === 'trailing' ? 'market' : random.pick(ORDER_TYPES);
  const hedge = state.accounts.get(uid)?.positionMode === 'hedge';
  const trigger: TriggerDraft = {
    kind,
    symbol: instrument.symbol,
    marginMode:
      random.below(8) === 0 ? random.pick(MARGIN_MODES) : settingOf(scene, uid, instrument),
    size: sizeWorth(scene, instrument, 50 + random.below(3_000)),
    triggerPrice: priceNear(scene, instrument, away(scene)),
    source: random.pick(PRICE_SOURCES),
    side: random.pick(SIDES),
    orderType,
    reduceOnly: !hedge && random.below(5) === 0,
    ...(hedge ? { positionSide: random.pick(POSITION_SIDES) } : {}),
    ...(orderType === 'limit' ? { price: priceNear(scene, instrument, away(scene)) } : {}),
    ...(kind === 'trailing' ? { callbackRate: decimal(random.pick(['1', '1', '2.5', '10'])) } : {}),
    ...(random.below(5) === 0 ? { clientOid: `t-${random.below(80)}` as ClientOid } : {}),
    ...attachments(scene, instrument, kind),
  };
  return { type: 'placeTrigger', uid, category: instrument.category as FuturesCategory, trigger };
};

function attachments(
  scene: Scene,
  instrument: Instrument,
  kind: 'conditional' | 'trailing',
): Pick<TriggerDraft, 'takeProfit' | 'stopLoss'> {
  const { random } = scene;
  if (random.below(3) > 0) return {};
  const at = (parts: number): DecimalText =>
    kind === 'trailing' ? decimal('1.5') : priceNear(scene, instrument, parts);
  return {
    takeProfit: { triggerPrice: at(200), source: 'last' },
    stopLoss: { triggerPrice: at(-200), source: 'last' },
  };
}

const exit: Act = (scene) => {
  const { random, state } = scene;
  const uids = [...state.positions.keys()];
  const uid = uids.length === 0 ? someone(scene, 'taker') : random.pick(uids);
  const held = [...(state.positions.get(uid)?.values() ?? [])];
  const position = held.length === 0 ? undefined : random.pick(held);
  const instrument =
    state.instruments.get(position?.key ?? '')?.instrument ??
    random.pick(tradable(scene.crowd, true));
  const side = position?.side ?? 'long';
  const draft = (): ExitDraft => {
    const kind = random.pick(EXIT_KINDS);
    const trailing = kind === 'trailingExit';
    const beyond = isTakeProfit(kind) || trailing ? 1 : -1;
    return {
      kind,
      triggerPrice: priceNear(
        scene,
        instrument,
        beyond * (side === 'long' ? 1 : -1) * (1 + random.below(150)),
      ),
      source: random.pick(['last', 'mark']),
      ...(closesWholePosition(kind)
        ? {}
        : { size: sizeWorth(scene, instrument, 20 + random.below(500)) }),
      ...(trailing ? { callbackRate: decimal('1.5') } : {}),
    };
  };
  const tpsl = random.below(3) === 0 ? [draft(), draft()] : [draft()];
  return {
    type: 'placeTpsl',
    uid,
    category: instrument.category as FuturesCategory,
    symbol: instrument.symbol,
    side,
    tpsl,
  };
};

/** An active trigger of a random user, or an unknown id. */
function someTrigger({
  random,
  state,
}: Scene): { readonly id: Id; readonly uid: Uid; readonly category: FuturesCategory } | undefined {
  const live = [...state.triggers.values()];
  if (live.length === 0) return undefined;
  const { id, uid, key } = random.pick(live);
  return { id, uid, category: key.split(':')[0] as FuturesCategory };
}

const callOff: Act = (scene) => {
  const { random, crowd } = scene;
  const found = someTrigger(scene);
  const uid =
    found === undefined || random.below(10) === 0 ? random.pick(crowd.everyone) : found.uid;
  const category = found?.category ?? 'USDT-FUTURES';
  if (random.below(4) === 0)
    return { type: 'cancelTriggers', uid, category, kinds: [random.pick(TRIGGER_KINDS)] };
  return {
    type: 'cancelTriggers',
    uid,
    category,
    kinds: [],
    triggers: [{ triggerId: found?.id ?? (1 as Id) }],
  };
};

const change: Act = (scene) => {
  const { random, state, crowd } = scene;
  const found = someTrigger(scene);
  const trigger = found === undefined ? undefined : state.triggers.get(found.id);
  const instrument =
    state.instruments.get(trigger?.key ?? '')?.instrument ?? random.pick(tradable(crowd, true));
  return {
    type: 'changeTrigger',
    uid: found?.uid ?? random.pick(crowd.everyone),
    category: found?.category ?? 'USDT-FUTURES',
    exit: random.below(2) === 0,
    triggerId: found?.id ?? (1 as Id),
    change: {
      triggerPrice: priceNear(scene, instrument, away(scene)),
      ...(random.below(2) === 0 ? { size: sizeWorth(scene, instrument, 100) } : {}),
    },
  };
};

/**
 * An order with attached take-profit and stop-loss, sometimes on the wrong side of the price or on
 * a closing order.
 */
const protect: Act = (scene) => {
  const { random, crowd } = scene;
  const [uid, instrument] = [
    someone(scene, 'taker', 'hedger', 'gambler'),
    random.pick(tradable(crowd, true)),
  ];
  const request = {
    uid,
    instrument,
    dollars: 50 + random.below(2_000),
    closing: random.below(12) === 0,
  };
  const order = draftOf(
    scene,
    random.below(2) === 0 ? request : { ...request, away: random.below(80) - 40 },
  );
  const gain = (order.side === 'buy' ? 1 : -1) * (random.below(12) === 0 ? -1 : 1);
  const at = (parts: number): DecimalText => priceNear(scene, instrument, parts);
  const takeProfit = {
    triggerPrice: at(gain * (50 + random.below(150))),
    source: random.pick(['last', 'mark'] as const),
  };
  const stopLoss = { triggerPrice: at(-gain * (50 + random.below(150))), price: at(-gain * 210) };
  const tpsl = random.pick([{ takeProfit }, { stopLoss }, { takeProfit, stopLoss }, {}]);
  return {
    type: 'placeProtectedOrders',
    uid,
    category: instrument.category as FuturesCategory,
    orders: [{ order, ...tpsl }],
  };
};

export const TRIGGERING: Acts = {
  wait: [7, wait],
  exit: [5, exit],
  protect: [4, protect],
  callOff: [1, callOff],
  change: [1, change],
};
