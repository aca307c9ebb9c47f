/** Proves that a crash at any point sends no withdrawal twice. */
import { describe, expect, test } from 'vitest';
import type { ChainFault } from '../../gateway/handlers/parts.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Id } from '../../kernel/ids.ts';
import { MINUTE, SECOND, type Timestamp } from '../../kernel/time.ts';
import {
  alice,
  asked,
  type Crash,
  type DurableParts,
  newDurableParts,
  Run,
} from './withdrawal-sender.test-support.ts';

async function rest(durable: DurableParts): Promise<Run> {
  const run = new Run(durable);
  for (let minute = 0; minute < 3; minute++) {
    durable.now = (durable.now + MINUTE) as Timestamp;
    await run.run();
  }
  return run;
}

describe('a program that crashes', () => {
  const crashes: readonly Crash[] = (['askChain', 'reportChain'] as const).flatMap((type) =>
    (['before', 'after'] as const).map((when) => ({ type, when })),
  );
  const faults: readonly (ChainFault | undefined)[] = [
    undefined,
    'refuse',
    'fail',
    'lose_request',
    'lose_reply',
    'repeat_reply',
  ];
  const matrix = crashes.flatMap(({ type, when }) =>
    faults.map((fault) => [when, type, fault] as const),
  );

  test.each(matrix)(
    '[WDR-38][WDR-37][WDR-03] %s %s, with the chain at %s',
    async (when, type, fault) => {
      const durable = newDurableParts();
      const first = new Run(durable, { type, when });
      if (fault !== undefined) first.chain.plan(fault, 1);
      const orderId = first.withdraw();
      await first.run();
      const last = await rest(durable);
      // Each order is broadcast at most once, and the chain's total equals the exchange's, to the
      // last unit.
      const counts = asked(durable);
      expect(counts.every((count) => count === 1)).toBe(true);
      const fates = durable.chainRows.map(({ fate }) => fate);
      const wasSent = fates.includes('sent');
      const [record] = await last.views.history.endedWithdrawals({ orderId, limit: 1 });
      expect([record?.status, last.has()]).toEqual(
        wasSent ? ['completed', '900 + 0'] : ['failed', '1000 + 0'],
      );
      expect(last.engine.audit().violations).toEqual([]);
    },
  );

  test('[WDR-38] with a crash at every step of a thousand orders, each is sent at most once', async () => {
    const durable = newDurableParts();
    const orders: Id[] = [];
    for (let round = 0; round < 40; round++) {
      const { type, when } = crashes[round % crashes.length]!;
      const run = new Run(durable, { type, when });
      run.chain.plan(faults[1 + (round % 5)]!, 1);
      run.execute({ type: 'deposit', uid: alice, coin: 'USDT', size: '250' as DecimalText });
      for (let at = 0; at < 25; at++) orders.push(run.withdraw('10'));
      await run.run();
      durable.now = (durable.now + 7 * SECOND) as Timestamp;
    }
    const last = await rest(durable);
    expect(asked(durable).every((count) => count === 1)).toBe(true);
    expect(last.views.withdrawals.pending()).toEqual([]);
    const sent = durable.chainRows.filter(({ fate }) => fate === 'sent').length;
    const ended = await last.views.history.endedWithdrawals({ limit: 2_000 });
    expect([ended.length, new Set(orders).size]).toEqual([1_000, 1_000]);
    expect(ended.filter(({ status }) => status === 'completed').length).toBe(sent);
    // Deposits were 1000 and 40 times 250; each sent order took 10.
    expect(last.has()).toBe(`${11_000 - 10 * sent} + 0`);
    expect(sent).toBeGreaterThan(0);
  });
});
