/** The tables of words in both directions. */
import { expect, test } from 'vitest';
import * as tables from './wire-words.ts';

const all = Object.entries(tables).filter(([name]) => name.endsWith('Words')) as readonly (readonly [string, tables.Words])[];

test('[API-27] there are tables', () => expect(all.length).toBeGreaterThan(20));
test.each(all)('[API-27] every word of %s comes back as a word with the same meaning', (_, table) => {
  for (const [, ours] of Object.entries(table)) {
    const wire = tables.wireWord(table, ours);
    expect(table[wire]).toBe(ours);
    expect(wire).toBe(Object.keys(table).find((each) => table[each] === ours));
  }
});
test('[API-27] words of ours go back to the wire', () => {
  expect(tables.wireWord(tables.positionModeWords, 'oneWay')).toBe('one_way_mode');
  expect(tables.wireWord(tables.priceSourceWords, 'last')).toBe('fill_price');
  expect(tables.wireWord(tables.anyTriggerKindWords, 'positionStopLoss')).toBe('pos_loss');
  expect(tables.wireWord(tables.triggerEndFilterWords, 'failed')).toBe('fail_execute');
  expect(tables.wireWord(tables.instrumentStatusWords, 'cancelOnly')).toBe('cancel_only');
  expect(tables.wireWord(tables.copyMarginWords, 'leader')).toBe('trader');
});
