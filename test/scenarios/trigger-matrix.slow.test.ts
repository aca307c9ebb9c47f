/**
 * The state machine of triggers, row by row: every kind in every mode, with every price source, at
 * market and with a limit.
 */
import { describe, expect } from 'vitest';
import { idText } from '../../src/kernel/ids.ts';
import {
  EXIT_KINDS,
  type ExitKind,
  isExit,
  MARGIN_MODES,
  type MarginMode,
  ORDER_TYPES,
  type OrderType,
  POSITION_MODES,
  type PositionMode,
  PRICE_SOURCES,
  type PriceSource,
  TRIGGER_KINDS,
  type TriggerKind,
} from '../../src/messages/vocabulary.ts';
import { type Market, test } from './market.test-support.ts';
import { Triggers } from './trigger-market.test-support.ts';

const isTrailing = (kind: TriggerKind): boolean => kind === 'trailing' || kind === 'trailingExit';

interface Row {
  readonly kind: TriggerKind;
  readonly mode: PositionMode;
  readonly marginMode: MarginMode;
  readonly source: PriceSource;
  readonly orderType: OrderType;
}

const ROWS: readonly Row[] = TRIGGER_KINDS.flatMap((kind) =>
  POSITION_MODES.flatMap((mode) =>
    MARGIN_MODES.flatMap((marginMode) =>
      PRICE_SOURCES.flatMap((source) =>
        ORDER_TYPES.filter((orderType) => orderType === 'market' || !isTrailing(kind)).map(
          (orderType) => ({
            kind,
            mode,
            marginMode,
            source,
            orderType,
          }),
        ),
      ),
    ),
  ),
);

/**
 * The price path: only its last price fires the trigger. A stop-loss is below the price, every
 * other kind above.
 */
function pathOf(kind: TriggerKind): {
  readonly at: string;
  readonly before: readonly string[];
  readonly fires: string;
} {
  if (isTrailing(kind))
    return { at: '51000', before: ['50999.9', '51000', '52000', '51480.1'], fires: '51480' };
  if (kind === 'stopLoss' || kind === 'positionStopLoss')
    return { at: '49000', before: ['49000.1'], fires: '49000' };
  return { at: '51000', before: ['50999.9'], fires: '51000' };
}

/** All triggers sell: conditional orders open a short, TP/SL close a long of 2. */
function placeRow(triggers: Triggers, { kind, mode, marginMode, source, orderType }: Row) {
  const { market } = triggers;
  const { at } = pathOf(kind);
  const limit = orderType === 'limit' ? { price: '48500' } : {};
  const callback = isTrailing(kind) ? { callback: '1' } : {};
  if (isExit(kind)) {
    const uid = triggers.holds('long', '2', { hedge: mode === 'hedge', margin: marginMode });
    const size = EXITS_OF_WHOLE.has(kind) ? {} : { size: '1' };
    const [id] = triggers.tpsl(uid, 'long', { kind, at, source, ...limit, ...callback, ...size });
    return { uid, id: id! };
  }
  const uid = market.joins({ USDT: '1000000' }, mode);
  const side = mode === 'hedge' ? ({ positionSide: 'short' } as const) : {};
  return {
    uid,
    id: triggers.placed(uid, 'sell', {
      at,
      source,
      marginMode,
      size: '1',
      ...limit,
      ...callback,
      ...side,
    }),
  };
}
const EXITS_OF_WHOLE: ReadonlySet<ExitKind> = new Set(
  EXIT_KINDS.filter((kind) => kind.startsWith('position')),
);

function move(triggers: Triggers, source: PriceSource, price: string): readonly string[] {
  const { market } = triggers;
  if (source === 'mark') market.pin('BTCUSDT', price);
  if (source === 'index') market.index('BTC', price);
  if (source === 'last') triggers.trades(price);
  return triggers.ends();
}

function playRow(market: Market, row: Row): void {
  const triggers = new Triggers(market);
  triggers.trades('50000');
  market.pin('BTCUSDT', '50000');
  const { uid, id } = placeRow(triggers, row);
  const { before, fires } = pathOf(row.kind);
  const held = market.available(uid);
  for (const price of before)
    expect([price, move(triggers, row.source, price)]).toEqual([price, []]);
  expect([triggers.live(id)?.kind, market.available(uid)]).toEqual([row.kind, held]);
  triggers.offers('buy', '48500', '5');
  expect(move(triggers, row.source, fires)).toEqual([`fired ${id}`]);

  const [fired] = market.emitted('triggerFired');
  const order = market
    .emitted('orderAccepted')
    .find(({ order: { orderId } }) => orderId === fired!.orderId)!.order;
  const whole = isExit(row.kind) && EXITS_OF_WHOLE.has(row.kind);
  expect(order).toMatchObject({
    uid,
    clientOid: idText(id),
    side: 'sell',
    orderType: row.orderType,
    size: whole ? 20_000_000_000n : 10_000_000_000n,
    positionMode: row.mode,
    marginMode: row.marginMode,
    intent: isExit(row.kind) ? 'close' : 'open',
    reduceOnly: isExit(row.kind) && row.mode === 'oneWay',
  });
  const left = whole ? '0' : '1';
  expect(
    isExit(row.kind) ? market.size(uid, 'BTCUSDT', 'long') : market.size(uid, 'BTCUSDT', 'short'),
  ).toBe(isExit(row.kind) ? left : '1');
  expect(market.state.triggers.size).toBe(0);
  // A price that reaches it again does not fire it again.
  market.accepted({ type: 'cancelAllOrders', uid: triggers.maker, category: 'USDT-FUTURES' });
  for (const price of [...before, fires]) expect(move(triggers, row.source, price)).toEqual([]);
  for (const user of [uid, triggers.maker, triggers.other])
    market.submit({ type: 'cancelAllOrders', uid: user, category: 'USDT-FUTURES' });
  move(triggers, 'index', '50000');
  move(triggers, 'mark', '50000');
}

const named = ({ kind, mode, marginMode, source, orderType }: Row): string =>
  `${kind}, ${mode}, ${marginMode}, by ${source}, at ${orderType}`;

describe('every row of the state machine', () => {
  for (const kind of TRIGGER_KINDS) {
    for (const mode of POSITION_MODES) {
      const rows = ROWS.filter((row) => row.kind === kind && row.mode === mode);
      test(`[TRG-46][TRG-05] ${kind} in ${mode} mode: waits, fires once, places its order (${rows.length} rows)`, ({
        market,
      }) => {
        for (const row of rows) {
          try {
            playRow(market, row);
          } catch (failure) {
            if (failure instanceof Error) failure.message = `${named(row)}: ${failure.message}`;
            throw failure;
          }
        }
      });
    }
  }

  test('[TRG-46] the matrix has 144 rows', () => {
    expect(ROWS).toHaveLength(144);
  });
});
