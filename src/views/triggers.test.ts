import { expect, test } from 'vitest';
import type { ClientOid, Id, Uid } from '../kernel/ids.ts';
import { type Price, ZERO_SIZE } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { TriggerRow } from '../messages/triggers.ts';
import type { ExitKind } from '../messages/vocabulary.ts';
import { TriggersView } from './triggers.ts';

const UID = 7 as Uid;

/** One user's triggers, which count reads of their kind. */
class Watched {
  readonly view = new TriggersView(() => undefined);
  reads = 0;
  #last = 0;

  place(kind: ExitKind, symbol: string): void {
    const row: TriggerRow = {
      triggerId: ++this.#last as Id,
      uid: UID,
      clientOid: `${this.#last}` as ClientOid,
      kind,
      category: 'USDT-FUTURES',
      symbol,
      marginCoin: 'USDT',
      marginMode: 'crossed',
      positionMode: 'oneWay',
      positionSide: 'long',
      intent: 'close',
      side: 'sell',
      reduceOnly: true,
      size: ZERO_SIZE,
      triggerPrice: 1n as Price,
      source: 'mark',
      selfTradeMode: 'none',
      createdAt: 0 as Timestamp,
    };
    const readKind = (): ExitKind => {
      this.reads++;
      return kind;
    };
    const trigger = Object.defineProperty(row, 'kind', { get: readKind });
    this.view.on.triggerPlaced!({ type: 'triggerPlaced', trigger }, 0 as Timestamp);
  }
}

test('[VIEW-40] take-profits and stop-losses of several positions cost one read per trigger', () => {
  const watched = new Watched();
  for (let symbol = 0; symbol < 20; symbol++)
    for (let place = 0; place < 10; place++) watched.place('stopLoss', `S${symbol}USDT`);
  const tpslOf = watched.view.tpsl(UID);
  const { reads } = watched;
  for (let symbol = 0; symbol < 20; symbol++)
    tpslOf({ category: 'USDT-FUTURES', symbol: `S${symbol}USDT`, side: 'long' });
  expect(watched.reads).toBe(reads);
});

test('[VIEW-40] those of the whole position come before partial ones, then the oldest', () => {
  const watched = new Watched();
  for (const kind of [
    'stopLoss',
    'takeProfit',
    'trailingExit',
    'positionStopLoss',
    'takeProfit',
    'positionStopLoss',
  ] as const)
    watched.place(kind, 'BTCUSDT');
  const tpslOf = watched.view.tpsl(UID);
  const { takeProfit, stopLoss } = tpslOf({
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    side: 'long',
  });
  expect([takeProfit?.triggerId, stopLoss?.triggerId]).toEqual([2, 4]);
  expect(tpslOf({ category: 'USDT-FUTURES', symbol: 'BTCUSDT', side: 'short' })).toEqual({});
  expect(tpslOf({ category: 'USDT-FUTURES', symbol: 'ETHUSDT', side: 'long' })).toEqual({});
});
