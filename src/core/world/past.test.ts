import { describe, expect, test } from 'vitest';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { money } from '../../kernel/money.ts';
import { DAY, HOUR, startOf, type Timestamp } from '../../kernel/time.ts';
import { DEFAULT_COINS } from '../../listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../../listings/default-instruments.ts';
import type { Command } from '../../messages/commands.ts';
import { PAST_SPAN_MAX, PAST_TRADE_IDS } from '../../messages/past.ts';
import { createMemoryHistory } from '../../views/history/memory-history.ts';
import { createViews } from '../../views/views.ts';
import { createEngine } from '../engine.ts';

const NOW = Date.UTC(2024, 4, 14, 12, 34, 56, 789) as Timestamp;
const index = (symbol: string, price: string): Command => ({
  type: 'setPrices',
  prices: [
    {
      category: 'USDT-FUTURES',
      symbol,
      index: price as DecimalText,
      releaseMark: false,
      force: false,
    },
  ],
});

function exchange() {
  const [engine, views] = [createEngine(), createViews(createMemoryHistory())];
  const submit = (command: Command, at = NOW) => {
    const executed = engine.execute(command, at);
    views.apply(executed);
    return executed.outcome.ok
      ? 'accepted'
      : `${executed.outcome.refusal.reason} ${executed.outcome.refusal.field ?? ''}`;
  };
  for (const coin of DEFAULT_COINS) submit({ type: 'listCoin', coin });
  for (const instrument of DEFAULT_INSTRUMENTS) submit({ type: 'listInstrument', instrument });
  submit(index('BTCUSDT', '60000'));
  submit(index('ETHUSDT', '3000'));
  return { engine, views, submit };
}

const HOURS = { from: 0, to: Number.POSITIVE_INFINITY, limit: 1_000, newest: true };

describe('the past of the market', () => {
  test('[PAST-01] a span is one millisecond to 1,827 days, and begins after 1970', () => {
    const { submit } = exchange();
    expect(submit({ type: 'setPast', seed: 1, spanMs: 0 })).toBe('fieldOutOfRange spanMs');
    expect(submit({ type: 'setPast', seed: 1, spanMs: PAST_SPAN_MAX + 1 })).toBe(
      'fieldOutOfRange spanMs',
    );
    expect(submit({ type: 'setPast', seed: 1, spanMs: PAST_SPAN_MAX })).toBe('accepted');
    expect(submit({ type: 'setPast', seed: 1, spanMs: 1 })).toBe('accepted');
    const early = createEngine().execute(
      { type: 'setPast', seed: 1, spanMs: DAY },
      DAY as Timestamp,
    ).outcome;
    expect(early).toMatchObject({
      ok: false,
      refusal: { reason: 'fieldOutOfRange', field: 'spanMs' },
    });
  });

  test('[PAST-01] the end is the time of the command, and an open world takes no past', () => {
    const { engine, submit } = exchange();
    expect(submit({ type: 'setPast', seed: 5, spanMs: 2 * DAY })).toBe('accepted');
    expect(engine.state.past).toMatchObject({
      seed: 5,
      end: NOW,
      begin: startOf(NOW - 2 * DAY, HOUR),
    });
    submit({ type: 'openWorld', world: 'demo' });
    expect(submit({ type: 'setPast', seed: 5, spanMs: 2 * DAY })).toBe('worldOpen ');
  });

  test('[PAST-02] every symbol with a price has a past, which SPOT and MARGIN share', () => {
    const { views, engine, submit } = exchange();
    submit({ type: 'setPast', seed: 1, spanMs: DAY });
    expect(views.past.of('USDT-FUTURES', 'BTCUSDT')).toBeDefined();
    expect(views.past.of('MARGIN', 'ETHBTC')).toBe(views.past.of('SPOT', 'ETHBTC'));
    expect(views.past.of('SPOT', 'ETHBTC')!.candles('trades', HOUR, HOURS).at(-1)!.close).toBe(
      money('0.05'),
    );
    expect(views.past.of('USDT-FUTURES', 'SOLUSDT')).toBeUndefined();
    submit(index('SOLUSDT', '150'));
    expect(views.past.of('USDT-FUTURES', 'SOLUSDT')).toBeUndefined();
    // BTCUSDT and ETHUSDT, BTCUSD and ETHUSD, BTCPERP and ETHPERP, and three spot symbols.
    expect(engine.state.past!.books.length).toBe(9);
  });

  test('[PAST-03] no money and no order come from the past', () => {
    const { engine, submit } = exchange();
    const before = {
      ledger: structuredClone(engine.state.ledger),
      accounts: engine.state.accounts.size,
    };
    const { events } = engine.execute({ type: 'setPast', seed: 1, spanMs: DAY }, NOW);
    expect(events.map(({ type }) => type)).toEqual(['pastSet']);
    expect({ ledger: engine.state.ledger, accounts: engine.state.accounts.size }).toEqual(before);
    expect(submit(index('BTCUSDT', '60001'))).toBe('accepted');
    expect(engine.audit().violations).toEqual([]);
  });

  test('[PAST-04] a snapshot and a replay compute the same past', () => {
    const [first, second] = [exchange(), exchange()];
    for (const { submit } of [first, second]) submit({ type: 'setPast', seed: 9, spanMs: 3 * DAY });
    const restored = createViews(createMemoryHistory());
    restored.restore(structuredClone(first.views.save()));
    const hours = ({ past }: typeof restored) =>
      past.of('USDT-FUTURES', 'BTCUSDT')!.candles('trades', HOUR, HOURS);
    expect(hours(first.views).length).toBe(73);
    expect(hours(second.views)).toEqual(hours(first.views));
    expect(hours(restored)).toEqual(hours(first.views));
    expect(second.engine.stateHash()).toBe(first.engine.stateHash());
  });

  test('[PAST-12] ids that the exchange assigns are larger than all trade ids of the past', () => {
    const { engine, submit } = exchange();
    const { nextId } = engine.state;
    submit({ type: 'setPast', seed: 1, spanMs: DAY });
    expect(engine.state.past!.tradeIdFirst).toBe(nextId);
    expect(engine.state.nextId).toBe(nextId + 9 * PAST_TRADE_IDS);
  });
});
