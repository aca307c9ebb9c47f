/** Scenes of the market: limits on playing, holding and ending them. */
import { expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { DAY } from '../../src/kernel/time.ts';
import { SCENES_MAX } from '../../src/messages/bounds.ts';
import type { CommandOf } from '../../src/messages/commands.ts';
import { type Market, test } from './market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

/** The longest delay and duration: ten years with two leap days. */
const SPAN_MAX = 3_652 * DAY;

function plays(market: Market, asked: Partial<CommandOf<'playScene'>>): string {
  const scene = {
    name: 'trend',
    delayMs: 0,
    durationMs: 1_000,
    percent: decimal('10'),
    down: false,
  } as const;
  const { outcome } = market.submit({
    type: 'playScene',
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    ...scene,
    ...asked,
  });
  if (outcome.ok) return 'accepted';
  const { reason, detail } = outcome.refusal;
  return reason === 'fieldOutOfRange' ? `${reason} ${detail}` : reason;
}

function played(market: Market, name: CommandOf<'playScene'>['name']): Id {
  expect(plays(market, { name })).toBe('accepted');
  return [...market.state.scenes.keys()].at(-1)!;
}

function holds(market: Market, id: Id, mark?: string): string {
  const { outcome } = market.submit({
    type: 'holdScene',
    id,
    ...(mark === undefined ? {} : { mark: decimal(mark) }),
  });
  return outcome.ok ? 'accepted' : `${outcome.refusal.reason} ${outcome.refusal.field}`;
}

test('[MKT-10] a scene begins and lasts within ten years, and at most a thousand are stored', ({
  market,
}) => {
  expect(plays(market, { delayMs: SPAN_MAX + 1 })).toBe('fieldOutOfRange 0 to 315532800000');
  expect(plays(market, { durationMs: SPAN_MAX + 1 })).toBe('fieldOutOfRange 1 to 315532800000');
  expect(plays(market, { percent: decimal('100.1') })).toBe('fieldOutOfRange -90 to 100');
  expect(plays(market, { percent: decimal('1.12345678901') })).toBe('tooFine');
  expect(plays(market, { delayMs: SPAN_MAX, durationMs: SPAN_MAX })).toBe('accepted');
  for (let count = 1; count < SCENES_MAX; count++) expect(plays(market, {})).toBe('accepted');
  expect(plays(market, {})).toBe('exchangeFull');
  const [first] = market.state.scenes.keys();
  market.accepted({ type: 'endScene', id: first! });
  expect(plays(market, {})).toBe('accepted');
});

test('[MKT-14] only a scene that splits mark and index holds a mark, at a valid price', ({
  market,
}) => {
  market.index('BTC', '50000');
  const [trend, split, halt] = [
    played(market, 'trend'),
    played(market, 'markIndexSplit'),
    played(market, 'halt'),
  ];
  expect([holds(market, trend), holds(market, trend, '51000')]).toEqual([
    'fieldInvalid id',
    'fieldInvalid id',
  ]);
  expect([holds(market, split), holds(market, halt, '51000')]).toEqual([
    'fieldInvalid mark',
    'fieldInvalid mark',
  ]);
  expect([holds(market, split, '0'), holds(market, split, '51000.00000000001')]).toEqual([
    'fieldOutOfRange mark',
    'tooFine mark',
  ]);
  expect([holds(market, split, '51000'), market.mark('BTCUSDT')]).toEqual(['accepted', '51000']);
  // Holding the same mark again emits nothing.
  expect([holds(market, split, '51000'), market.emitted('markPinned')]).toEqual(['accepted', []]);
  expect([holds(market, split, '51001'), market.mark('BTCUSDT')]).toEqual(['accepted', '51001']);
  market.accepted({ type: 'endScene', id: split });
  expect(market.mark('BTCUSDT')).toBe('50000');
});

test('[MKT-14] holding or ending an ended scene has no effect', ({ market }) => {
  market.index('BTC', '50000');
  const split = played(market, 'markIndexSplit');
  market.accepted({ type: 'endScene', id: split });
  expect([
    holds(market, split, '51000'),
    market.mark('BTCUSDT'),
    market.emitted('sceneHeld'),
  ]).toEqual(['accepted', '50000', []]);
  market.accepted({ type: 'endScene', id: split });
  expect(market.emitted('sceneEnded')).toEqual([]);
});

test('[MKT-153] a pin of the operator during a scene holds, also at the same price', ({
  market,
}) => {
  market.index('BTC', '50000');
  for (const input of ['52000', '51000']) {
    const split = played(market, 'markIndexSplit');
    expect([holds(market, split, '51000'), market.mark('BTCUSDT')]).toEqual(['accepted', '51000']);
    market.pin('BTCUSDT', input);
    expect([holds(market, split, '51500'), market.mark('BTCUSDT')]).toEqual(['accepted', input]);
    market.accepted({ type: 'endScene', id: split });
    expect(market.mark('BTCUSDT')).toBe(input);
    market.pin('BTCUSDT', undefined);
  }
});

test('[MKT-153] a mark that the operator releases while a scene holds it follows its index', ({
  market,
}) => {
  market.index('BTC', '50000');
  const split = played(market, 'markIndexSplit');
  expect(holds(market, split, '51000')).toBe('accepted');
  market.pin('BTCUSDT', undefined);
  expect([holds(market, split, '51500'), market.mark('BTCUSDT')]).toEqual(['accepted', '50000']);
});

test('[MKT-14] a mark held by two scenes is released with the last; an earlier pin stays', ({
  market,
}) => {
  market.index('BTC', '50000');
  const [one, other] = [played(market, 'markIndexSplit'), played(market, 'markIndexSplit')];
  expect([
    holds(market, one, '51000'),
    holds(market, other, '52000'),
    market.mark('BTCUSDT'),
  ]).toEqual(['accepted', 'accepted', '52000']);
  market.accepted({ type: 'endScene', id: one });
  expect(market.mark('BTCUSDT')).toBe('52000');
  market.accepted({ type: 'endScene', id: other });
  expect(market.mark('BTCUSDT')).toBe('50000');
  market.pin('BTCUSDT', '49000');
  const third = played(market, 'markIndexSplit');
  expect([holds(market, third, '51000'), market.mark('BTCUSDT')]).toEqual(['accepted', '49000']);
  market.accepted({ type: 'endScene', id: third });
  expect(market.mark('BTCUSDT')).toBe('49000');
});
