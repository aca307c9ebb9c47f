/**
 * Compares the funding rate shown just before a settlement with the charged one. Symbols close and
 * their terms change meanwhile.
 */
import { expect, test } from 'vitest';
import { RecordedRun } from '../../model/lists/recorded-run.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Sequence } from '../../src/kernel/ids.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import type { EventBatch, EventOf } from '../../src/messages/events.ts';
import { createMemoryHistory } from '../../src/views/history/memory-history.ts';
import { createViews } from '../../src/views/views.ts';

const SEEDS = [1, 3, 5];
const STEPS = 900;
const RELISTED_EVERY = 25;

/** Splits a batch by moment, so that the views can be asked between any two. */
function* byMoment({
  at: whole,
  events,
  moments = [{ from: 0, at: whole }],
}: EventBatch): Generator<Pick<EventBatch, 'at' | 'events'>> {
  for (const [place, { from, at }] of moments.entries())
    yield { at, events: events.slice(from, moments[place + 1]?.from) };
}

/** Changes the funding hours and the bound of a future during an interval, or its status. */
function relist(run: RecordedRun, random: Random, keys: readonly string[]): void {
  if (keys.length === 0) return;
  const { instrument } = run.engine.state.instruments.get(random.pick(keys))!;
  const { category, symbol } = instrument;
  if (random.below(3) === 0)
    return run.execute({
      type: 'setInstrumentStatus',
      category,
      symbol,
      status: random.pick(['normal', 'normal', 'off']),
    });
  const fundingRateMax = random.pick(['0.0002', '0.003', '0.01']) as DecimalText;
  run.execute({
    type: 'listInstrument',
    instrument: { ...instrument, fundingHours: random.pick([1, 6, 8]), fundingRateMax },
  });
}

function runSeed(seed: number, reached: Set<string>): void {
  const run = new RecordedRun(seed);
  const views = createViews(createMemoryHistory());
  const random = seededRandom(seed).fork('relisted');
  let sequence = 0;
  const hold = ({ category, symbol, rate, at }: EventOf<'fundingSettled'>): void => {
    const input = { seed, sequence, category, symbol };
    const emitted = views.funding.of(category, symbol, (at - 1) as Timestamp)!;
    expect({ ...input, rate: emitted.rate, at: emitted.next }).toEqual({ ...input, rate, at });
    reached
      .add(views.listings.instrument(category, symbol)!.status)
      .add(`every ${emitted.hours} hours`);
    if (rate === emitted.bounds.max || rate === emitted.bounds.min) reached.add('a bound');
    if (rate < 0n) reached.add('below zero');
  };
  run.listen((batch) => {
    for (const part of byMoment(batch)) {
      for (const event of part.events) if (event.type === 'fundingSettled') hold(event);
      if (part.events.length > 0) views.apply({ ...part, sequence: ++sequence as Sequence });
    }
  });
  for (let step = 0; step < STEPS; step++) {
    run.step();
    if (random.below(RELISTED_EVERY) === 0)
      relist(run, random, [...run.engine.state.funding.keys()]);
  }
}

test('[POS-91][POS-60][POS-61][POS-88] the rate shown just before a settlement is charged', () => {
  const reached = new Set<string>();
  for (const seed of SEEDS) runSeed(seed, reached);
  const expected = [
    'normal',
    'halted',
    'off',
    'every 1 hours',
    'every 6 hours',
    'every 8 hours',
    'a bound',
    'below zero',
  ];
  expect(expected.filter((what) => !reached.has(what))).toEqual([]);
});
