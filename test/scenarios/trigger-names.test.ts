import { expect, vi } from 'vitest';
import type { ClientOid } from '../../src/kernel/ids.ts';
import { DAY, HOUR } from '../../src/kernel/time.ts';
import { TRIGGERS_PER_SYMBOL_MAX } from '../../src/messages/bounds.ts';
import { test } from './market.test-support.ts';
import { Triggers } from './trigger-market.test-support.ts';

const name = (text: string) => ({ clientOid: text as ClientOid });

test('[TRG-88] hundreds of unknown client ids cost one read of each trigger', ({ market }) => {
  const triggers = new Triggers(market);
  const alice = market.joins({ USDT: '1000' });
  for (let placed = 0; placed < TRIGGERS_PER_SYMBOL_MAX; placed++)
    triggers.placed(alice, 'buy', { at: '51000' });
  const unknown = Array.from({ length: TRIGGERS_PER_SYMBOL_MAX }, (_, at) => name(`unknown-${at}`));
  const looks = vi.spyOn(market.state.triggers, 'get');
  const outcomes = triggers.cancel(alice, [], unknown, 'BTCUSDT');
  const count = looks.mock.calls.length;
  looks.mockRestore();
  expect(new Set(outcomes)).toEqual(new Set(['unknownTrigger']));
  expect(count).toBe(TRIGGERS_PER_SYMBOL_MAX);
});

test('[TRG-88] client ids outlive their six hours; of two equal ones the newest counts', ({
  market,
}) => {
  const triggers = new Triggers(market);
  const alice = market.joins({ USDT: '1000' });
  const older = triggers.placed(alice, 'buy', { at: '51000', name: 'twice' });
  const other = triggers.placed(alice, 'buy', { at: '52000', name: 'once' });
  market.passes(6 * HOUR + 1);
  const newer = triggers.placed(alice, 'buy', { at: '53000', name: 'twice' });
  market.passes(6 * HOUR + 1);
  expect(triggers.cancel(alice, [], [name('once'), name('never'), name('twice')])).toEqual([
    'cancelled',
    'unknownTrigger',
    'cancelled',
  ]);
  expect([older, other, newer].map((id) => triggers.live(id) !== undefined)).toEqual([
    true,
    false,
    false,
  ]);
});

test('[TRG-88] a client id given twice in one call cancels the older trigger too', ({ market }) => {
  const triggers = new Triggers(market);
  const alice = market.joins({ USDT: '1000' });
  for (let day = 0; day < 2; day++) {
    triggers.placed(alice, 'buy', { at: '51000', name: 'twice' });
    market.passes(DAY);
  }
  expect(triggers.cancel(alice, [], [name('twice'), name('twice'), name('twice')])).toEqual([
    'cancelled',
    'cancelled',
    'unknownTrigger',
  ]);
});

test('[TRG-16] repeated after one of two has fired, the other gets its first generated id', ({
  market,
}) => {
  const triggers = new Triggers(market);
  const alice = market.joins({ USDT: '1000000' });
  triggers.offers('sell', '50000', '1');
  expect(market.order(alice, 'buy', '1', 'BTCUSDT', '50000')).toBe('accepted');
  const command = triggers.exitCommand(alice, 'long', [
    { kind: 'takeProfit', at: '55000', size: '0.5', name: 'up' },
    { kind: 'stopLoss', at: '45000', size: '0.5' },
  ]);
  const { outcome: first } = market.accepted(command);
  triggers.offers('buy', '44000', '1');
  triggers.trades('45000');
  expect(market.state.triggers.size).toBe(0);
  expect(market.accepted(command).outcome).toEqual(first);
});
