/** Recordings that the exchange imports, and their place in time. */
import { expect } from 'vitest';
import { MINUTE, type Timestamp } from '../../src/kernel/time.ts';
import { RECORDINGS_MAX } from '../../src/messages/bounds.ts';
import type { CommandOf } from '../../src/messages/commands.ts';
import { type Market, test } from './market.test-support.ts';

/** 2024-01-01 00:00 UTC. */
const FROM = 1_704_067_200_000 as Timestamp;
const TO = (FROM + 60 * MINUTE) as Timestamp;
const DIVIDE = (FROM + 20 * MINUTE) as Timestamp;

const hashOf = (number: number): string => number.toString(16).padStart(64, '0');

function imports(market: Market, asked: Partial<CommandOf<'importRecording'>>): string {
  const recording = {
    hash: hashOf(1),
    bytes: 2_944,
    candles: 60,
    trades: 0,
    kind: 'candles',
    intervalMs: MINUTE,
  } as const;
  const use = { from: FROM, to: TO, symbol: 'BTCUSDT', use: 'both', divideAt: DIVIDE } as const;
  const { outcome } = market.submit({ type: 'importRecording', ...recording, ...use, ...asked });
  if (outcome.ok) return 'accepted';
  const { reason, field = '' } = outcome.refusal;
  return `${reason} ${field}`;
}

test('[DATA-30] candles before the dividing time are past, those after it are path', ({
  market,
}) => {
  expect(imports(market, {})).toBe('accepted');
  const { recordedPasts, recordedPaths } = market.state;
  expect(recordedPasts.get('USDT-FUTURES:BTCUSDT')).toMatchObject({ from: FROM, to: DIVIDE });
  expect(recordedPaths.get('BTC')).toMatchObject({ from: DIVIDE, to: TO });
});

test('[DATA-32] times are shifted by whole candles, and now is less than one candle behind', ({
  market,
}) => {
  expect(imports(market, { intervalMs: 5 * MINUTE })).toBe('accepted');
  const { shiftMs } = market.state.recordedPaths.get('BTC')!;
  const place = market.state.at - shiftMs;
  expect(shiftMs % (5 * MINUTE)).toBe(0);
  expect(place).toBeGreaterThanOrEqual(DIVIDE);
  expect(place).toBeLessThan(DIVIDE + 5 * MINUTE);
});

test('[DATA-32] candles of a second are shifted by whole minutes', ({ market }) => {
  expect(imports(market, { intervalMs: 1_000 })).toBe('accepted');
  expect(market.state.recordedPaths.get('BTC')!.shiftMs % MINUTE).toBe(0);
});

test('[DATA-33] a recording is for each category of its symbol, or for one', ({ market }) => {
  expect(imports(market, { use: 'past', divideAt: TO })).toBe('accepted');
  expect([...market.state.recordedPasts.keys()].sort()).toEqual([
    'MARGIN:BTCUSDT',
    'SPOT:BTCUSDT',
    'USDT-FUTURES:BTCUSDT',
  ]);
  expect(imports(market, { hash: hashOf(2), use: 'past', divideAt: TO, category: 'SPOT' })).toBe(
    'accepted',
  );
  const hashes = ['USDT-FUTURES', 'SPOT', 'MARGIN'].map(
    (each) => market.state.recordedPasts.get(`${each}:BTCUSDT`)?.hash,
  );
  expect(hashes).toEqual([hashOf(1), hashOf(2), hashOf(1)]);
});

const WRONG: readonly (readonly [string, Partial<CommandOf<'importRecording'>>])[] = [
  ['unknownSymbol symbol', { symbol: 'NOUSDT' }],
  ['unknownSymbol symbol', { category: 'COIN-FUTURES' }],
  ['fieldInvalid hash', { hash: 'x' }],
  ['fieldInvalid intervalMs', { intervalMs: 7_000 }],
  ['fieldInvalid to', { to: FROM }],
  ['fieldOutOfRange divideAt', { divideAt: (FROM - 1) as Timestamp }],
  ['fieldInvalid divideAt', { divideAt: FROM }],
  ['fieldInvalid divideAt', { divideAt: TO }],
];

test('[DATA-30] an invalid recording is refused and leaves nothing', ({ market }) => {
  for (const [reason, wrong] of WRONG) expect(imports(market, wrong)).toBe(reason);
  expect(market.state.recordings.size).toBe(0);
});

test('[DATA-31] a symbol that is quoted in a coin has a past only', ({ market }) => {
  expect(imports(market, { symbol: 'ETHBTC' })).toBe('priceDerived symbol');
  expect(imports(market, { symbol: 'ETHBTC', use: 'past', divideAt: TO })).toBe('accepted');
});

test('[DATA-34] 64 recordings are kept, and one of them may be used again', ({ market }) => {
  for (let number = 1; number <= RECORDINGS_MAX; number++)
    expect(imports(market, { hash: hashOf(number) })).toBe('accepted');
  expect(imports(market, { hash: hashOf(65) })).toBe('exchangeFull recording');
  expect(imports(market, { hash: hashOf(64), use: 'past', divideAt: TO })).toBe('accepted');
});

test('[DATA-38] an ended path leads no more, and ending it again changes nothing', ({ market }) => {
  imports(market, {});
  const end = () => market.submit({ type: 'endRecordedPath', coin: 'BTC' }).outcome;
  expect([end(), end()]).toEqual([
    { ok: true, value: undefined },
    { ok: true, value: undefined },
  ]);
  expect(market.state.recordedPaths.size).toBe(0);
});
