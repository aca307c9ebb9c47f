import { expect, test } from 'vitest';
import type { Id } from '../kernel/ids.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { WithdrawalStage } from '../messages/vocabulary.ts';
import type { WithdrawalProgress, WithdrawalRow } from '../messages/withdrawals.ts';
import { WithdrawalsView } from './withdrawals.ts';

const AT = 1_700_000_000_000 as Timestamp;
const progressAt = (stage: WithdrawalStage): WithdrawalProgress => ({ stage, approvals: [], confirmations: 0 });

test('[JRN-27] those of a stage are told oldest first, however they came to it, and a view from a snapshot tells the same', () => {
  const view = new WithdrawalsView(() => undefined);
  for (const orderId of [1, 2, 3] as Id[]) {
    const withdrawal = { orderId, uid: 7, coin: 'USDT', route: 'onChain' } as unknown as WithdrawalRow;
    view.on.withdrawalRequested?.({ type: 'withdrawalRequested', withdrawal, progress: progressAt('approval') }, AT);
  }
  for (const orderId of [3, 1] as Id[])
    view.on.withdrawalMoved?.({ type: 'withdrawalMoved', orderId, progress: progressAt('released') } as never, AT);
  const restored = new WithdrawalsView(() => undefined);
  restored.restore(view.save());
  for (const each of [view, restored]) expect(each.inStage('released').map(({ row }) => row.orderId)).toEqual([1, 3]);
});
