/**
 * Counts the files and functions of the core on the way of one futures order. The way ends when the
 * order rests or trades.
 */
import { type Profiler, Session } from 'node:inspector';
import { createEngine, type Engine } from '../src/core/engine.ts';
import type { DecimalText } from '../src/kernel/decimal-text.ts';
import type { Uid } from '../src/kernel/ids.ts';
import type { Timestamp } from '../src/kernel/time.ts';
import { DEFAULT_COINS } from '../src/listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../src/listings/default-instruments.ts';
import type { Command } from '../src/messages/commands.ts';
import type { Side } from '../src/messages/vocabulary.ts';

const AT = 1_735_689_600_000 as Timestamp;
const decimal = (text: string): DecimalText => text as DecimalText;

function accepted(engine: Engine, command: Command): unknown {
  const { outcome } = engine.execute(command, AT);
  if (!outcome.ok) throw new Error(`${command.type}: ${outcome.refusal.reason}`);
  return outcome.value;
}

function trader(engine: Engine): Uid {
  const user = { type: 'createUser', level: 'VIP0', positionMode: 'oneWay' } as const;
  const { uid } = accepted(engine, user) as { readonly uid: Uid };
  accepted(engine, { type: 'deposit', uid, coin: 'USDT', size: decimal('10000') });
  return uid;
}

const limitOrder = (uid: Uid, side: Side): Command => ({
  type: 'placeOrders',
  uid,
  category: 'USDT-FUTURES',
  orders: [
    {
      symbol: 'BTCUSDT',
      side,
      orderType: 'limit',
      size: decimal('0.01'),
      price: decimal('50000'),
      timeInForce: 'gtc',
      reduceOnly: false,
    },
  ],
});

/** An engine in which a sell order may wait for the buy order that is counted. */
function prepared(hasMaker: boolean): { readonly engine: Engine; readonly order: Command } {
  const engine = createEngine();
  for (const coin of DEFAULT_COINS) accepted(engine, { type: 'listCoin', coin });
  for (const instrument of DEFAULT_INSTRUMENTS)
    accepted(engine, { type: 'listInstrument', instrument });
  const market = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;
  const price = { ...market, index: decimal('50000'), releaseMark: false, force: true };
  accepted(engine, { type: 'setPrices', prices: [price] });
  const [maker, taker] = [trader(engine), trader(engine)];
  if (hasMaker) accepted(engine, limitOrder(maker, 'sell'));
  return { engine, order: limitOrder(taker, 'buy') };
}

interface OrderWay {
  readonly files: number;
  readonly functions: number;
}

function calledIn(scripts: readonly Profiler.ScriptCoverage[]): OrderWay {
  const called = scripts
    .filter(({ url }) => /\/src\/core\/.*\.ts$/.test(url))
    .map(({ functions }) => functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length)
    .filter((count) => count > 0);
  return { files: called.length, functions: called.reduce((sum, count) => sum + count, 0) };
}

export function orderWay(end: 'rests' | 'trades'): OrderWay {
  const { engine, order } = prepared(end === 'trades');
  const session = new Session();
  session.connect();
  let way: OrderWay | undefined;
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  accepted(engine, order);
  session.post('Profiler.takePreciseCoverage', (_, { result }) => {
    way = calledIn(result);
  });
  session.disconnect();
  if (way === undefined) throw new Error('the coverage came too late');
  return way;
}
