/** Proves the withdrawal sender with a chain that answers, and with one that fails. */
import { describe, expect, test } from 'vitest';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { DAY, MINUTE, SECOND, type Timestamp } from '../../kernel/time.ts';
import { DEFAULT_COINS } from '../../listings/default-coins.ts';
import { alice, asked, newDurableParts, Run, START } from './withdrawal-sender.test-support.ts';

describe('a sender without interruption', () => {
  test('[WDR-13][WDR-14] each order is sent once and its confirmations are reported', async () => {
    const durable = newDurableParts();
    const run = new Run(durable);
    run.withdraw();
    run.withdraw('50');
    await run.run();
    expect([asked(durable), run.has()]).toEqual([[1, 1], '850 + 150']);
    durable.now = (durable.now + 59 * SECOND) as Timestamp;
    await run.run();
    expect(
      run.views.withdrawals.inStage('confirming').map(({ progress }) => progress.confirmations),
    ).toEqual([19, 19]);
    durable.now = (durable.now + SECOND) as Timestamp;
    await run.run();
    expect([asked(durable), run.has(), run.views.withdrawals.pending()]).toEqual([
      [1, 1],
      '850 + 0',
      [],
    ]);
  });

  test('[WDR-13] chain events during a clock move count from the time of their report', async () => {
    const durable = newDurableParts();
    const run = new Run(durable);
    const orderId = run.withdraw();
    await run.run();
    // Twenty blocks of three seconds came in the first minute of this day.
    durable.now = (durable.now + DAY) as Timestamp;
    await run.run();
    expect(await run.views.history.endedWithdrawals({ orderId, limit: 1 })).toMatchObject([
      { status: 'completed', updatedAt: START + DAY },
    ]);
  });

  test('[WDR-13] without changes nothing more is written', async () => {
    const durable = newDurableParts();
    const run = new Run(durable);
    run.withdraw();
    await run.run();
    const written = durable.journal.length;
    for (let time = 0; time < 5; time++) await run.run();
    expect(durable.journal.length).toBe(written);
  });

  test('[WDR-50] withdrawals that wait for a delisted chain are refunded and not sent, in any number', async () => {
    const durable = newDurableParts();
    const run = new Run(durable);
    run.execute({ type: 'deposit', uid: alice, coin: 'USDT', size: '10000' as DecimalText });
    for (let count = 0; count < 500; count++) run.withdraw('10');
    const { chains, ...usdt } = DEFAULT_COINS.find(({ coin }) => coin === 'USDT')!;
    run.execute({
      type: 'listCoin',
      coin: { ...usdt, chains: chains.filter(({ chain }) => chain !== 'TRC20') },
    });
    const address = '0x00000000000000000000000000000000000000ff';
    const sent = {
      coin: 'USDT',
      chain: 'BEP20',
      address,
      addressKind: 'evm',
      size: '10' as DecimalText,
    } as const;
    expect(run.execute({ type: 'requestWithdrawal', uid: alice, ...sent })).toMatchObject({
      ok: true,
    });
    await run.run();
    expect([asked(durable), run.views.withdrawals.inStage('released'), run.has()]).toEqual([
      [1],
      [],
      '10990 + 10',
    ]);
  });

  test('[WDR-35] a halted withdrawal stays where it is, without a command in the journal', async () => {
    const durable = newDurableParts();
    const run = new Run(durable);
    run.withdraw();
    run.execute({ type: 'switchWithdrawals', coin: 'USDT', on: false, operator: 'ann' });
    const written = durable.journal.length;
    await run.run();
    expect([durable.journal.length, asked(durable)]).toEqual([written, []]);
    run.execute({ type: 'switchWithdrawals', coin: 'USDT', on: true, operator: 'ann' });
    await run.run();
    expect(asked(durable)).toEqual([1]);
  });

  test('[WDR-35] a withdrawal for a closed chain stays where it is, without a command in the journal', async () => {
    const durable = newDurableParts();
    const run = new Run(durable);
    run.withdraw();
    const { chains, ...usdt } = DEFAULT_COINS.find(({ coin }) => coin === 'USDT')!;
    const lists = (withdrawOpen: boolean) =>
      run.execute({
        type: 'listCoin',
        coin: { ...usdt, chains: chains.map((each) => ({ ...each, withdrawOpen })) },
      });
    lists(false);
    const written = durable.journal.length;
    await run.run();
    expect([durable.journal.length, asked(durable)]).toEqual([written, []]);
    lists(true);
    await run.run();
    expect(asked(durable)).toEqual([1]);
  });

  test('[WDR-15] a report of an order that was failed by hand is logged', async () => {
    const durable = newDurableParts();
    const run = new Run(durable);
    run.chain.plan('lose_reply', 1);
    const orderId = run.withdraw();
    await run.run();
    run.execute({ type: 'decideWithdrawal', orderId, decision: 'fail', operator: 'ann' });
    run.chain.inquire(orderId);
    await run.run();
    expect(durable.logged.join()).toContain('the chain reports an order that has ended');
    expect(run.has()).toBe('1000 + 0');
  });

  test('[WDR-14][WDR-38] without confirmations a withdrawal completes when it is sent, even if the reply is lost', async () => {
    const durable = newDurableParts();
    const run = new Run(durable);
    const usdt = DEFAULT_COINS.find(({ coin }) => coin === 'USDT')!;
    run.execute({
      type: 'listCoin',
      coin: {
        ...usdt,
        chains: usdt.chains.map((chain) => ({ ...chain, withdrawConfirmations: 0 })),
      },
    });
    run.sender.plan('lose_reply', 1);
    const [lost, known] = [run.withdraw(), run.withdraw()];
    await run.run();
    expect([lost, known].map((id) => run.views.withdrawals.find(id)?.progress.stage)).toEqual([
      'asked',
      undefined,
    ]);
    // After a minute, Tron reports the number of confirmations instead of `sent`.
    durable.now = (durable.now + MINUTE) as Timestamp;
    await run.run();
    expect([run.views.withdrawals.find(lost), run.has(), asked(durable)]).toEqual([
      undefined,
      '800 + 0',
      [1, 1],
    ]);
  });

  test('[WDR-38] a reply is waited for, and then inquired about', async () => {
    const durable = newDurableParts();
    const run = new Run(durable);
    run.chain.plan('lose_request', 1);
    run.withdraw();
    await run.run();
    durable.now = (durable.now + 10 * SECOND - 1) as Timestamp;
    await run.run();
    expect([run.has(), run.views.withdrawals.inStage('asked').length]).toEqual(['900 + 100', 1]);
    durable.now = (durable.now + 1) as Timestamp;
    await run.run();
    expect([run.has(), asked(durable)]).toEqual(['1000 + 0', []]);
  });

  test('[WDR-38] a new run inquires at once about each order that an earlier run may have broadcast', async () => {
    const durable = newDurableParts();
    const run = new Run(durable, { type: 'askChain', when: 'after' });
    const never = run.withdraw();
    await run.run();
    const next = new Run(durable);
    expect(next.views.withdrawals.find(never)?.progress.stage).toBe('asked');
    await next.run();
    expect([next.has(), next.views.withdrawals.pending(), asked(durable)]).toEqual([
      '1000 + 0',
      [],
      [],
    ]);
  });
});

describe('a chain that cannot be reached', () => {
  test('[WDR-48] an error is logged once per series; afterwards every withdrawal is sent', async () => {
    const durable = newDurableParts();
    const run = new Run(durable);
    const full = new Error('ENOSPC: no space left on device, write');
    const tryOften = async (): Promise<void> => {
      for (let time = 0; time < 5; time++) {
        durable.now = (durable.now + 10 * SECOND) as Timestamp;
        await run.run();
      }
    };
    durable.trouble = full;
    run.withdraw();
    await tryOften();
    expect(durable.logged.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'withdrawals could not be sent',
    ]);
    durable.trouble = new Error('EIO: i/o error, write');
    await tryOften();
    expect(durable.logged.length).toBe(2);
    durable.trouble = undefined;
    await tryOften();
    expect([durable.logged.length, run.has()]).toEqual([2, '1000 + 0']);
    durable.trouble = full;
    run.withdraw();
    await tryOften();
    expect(durable.logged.length).toBe(3);
    durable.trouble = undefined;
    await tryOften();
    expect([run.has(), run.views.withdrawals.pending()]).toEqual(['1000 + 0', []]);
  });
});
