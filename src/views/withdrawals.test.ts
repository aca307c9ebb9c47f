import { expect, test } from 'vitest';
import type { Id, Uid } from '../kernel/ids.ts';
import type { Amount } from '../kernel/money.ts';
import { DAY, type Timestamp } from '../kernel/time.ts';
import type { WithdrawalStage } from '../messages/vocabulary.ts';
import type { WithdrawalEnd, WithdrawalProgress, WithdrawalRow } from '../messages/withdrawals.ts';
import type { RecordedEvent } from './history/recorded-events.ts';
import { WithdrawalsView } from './withdrawals.ts';

const UID = 7 as Uid;
const AT = 1_700_000_000_000 as Timestamp;
const progressAt = (stage: WithdrawalStage): WithdrawalProgress => ({
  stage,
  approvals: [],
  confirmations: 0,
});

test('[JRN-27] withdrawals of a stage are listed oldest first, also from a restored view', () => {
  const view = new WithdrawalsView(() => undefined);
  for (const orderId of [1, 2, 3] as Id[]) {
    const withdrawal = {
      orderId,
      uid: UID,
      coin: 'USDT',
      route: 'onChain',
    } as unknown as WithdrawalRow;
    view.on.withdrawalRequested?.(
      { type: 'withdrawalRequested', withdrawal, progress: progressAt('approval') },
      AT,
    );
  }
  for (const orderId of [3, 1] as Id[])
    view.on.withdrawalMoved?.(
      { type: 'withdrawalMoved', orderId, progress: progressAt('released') } as never,
      AT,
    );
  const restored = new WithdrawalsView(() => undefined);
  restored.restore(view.save());
  for (const each of [view, restored])
    expect(each.inStage('released').map(({ row }) => row.orderId)).toEqual([1, 3]);
});

/** A view with one withdrawal of 30 of a coin whose known reserve is 100. */
function withOne(more: Partial<WithdrawalRow> = {}) {
  const ended: RecordedEvent[] = [];
  const view = new WithdrawalsView((each) => void ended.push(each));
  const row = {
    orderId: 1,
    uid: UID,
    coin: 'USDT',
    route: 'onChain',
    sent: 30n,
    usd: 31n,
    ...more,
  } as unknown as WithdrawalRow;
  view.on.reserveSet?.({ type: 'reserveSet', coin: 'USDT', amount: 100n as Amount }, AT);
  view.on.withdrawalRequested?.(
    { type: 'withdrawalRequested', withdrawal: row, progress: progressAt('approval') },
    AT,
  );
  const end = (how: Partial<WithdrawalEnd>, at = AT): void =>
    view.on.withdrawalEnded?.(
      {
        type: 'withdrawalEnded',
        end: { orderId: 1, uid: UID, confirmations: 2, ...how } as WithdrawalEnd,
      },
      at,
    );
  return { view, ended, end };
}

test.each([
  ['a payout reduces it', {}, {}, 70n],
  ['a payout of all of it leaves zero', { sent: 100n as Amount }, {}, 0n],
  ['a reserve that was set too low never goes below zero', { sent: 101n as Amount }, {}, 0n],
  ['a returned payout does not reduce it', {}, { arrivedHere: true }, 100n],
  ['an internal transfer does not reduce it', { route: 'internal' }, {}, 100n],
] as const)('[VIEW-46] of a reserve of 100: %s', (_case, row, how, left) => {
  const { view, end } = withOne(row as Partial<WithdrawalRow>);
  end({ status: 'completed', ...how });
  expect(view.reserves()).toEqual(new Map([['USDT', left]]));
});

test('[VIEW-46] payouts count against the daily limit, failed ones no longer do, and internal transfers never do', () => {
  const used = ({ view }: ReturnType<typeof withOne>, at = AT): Amount => view.usedToday(UID, at);
  const [sent, failed, internal] = [withOne(), withOne(), withOne({ route: 'internal' })];
  expect([used(sent), used(internal), used(sent, (AT + DAY) as Timestamp)]).toEqual([31n, 0n, 0n]);
  sent.end({ status: 'completed' });
  failed.end({ status: 'failed', failure: 'cancelled' });
  expect([used(sent), used(failed)]).toEqual([31n, 0n]);
});

test('[VIEW-46] progress sets the change time, and an ended withdrawal goes to history complete', () => {
  const { view, ended, end } = withOne();
  view.on.withdrawalMoved?.(
    { type: 'withdrawalMoved', orderId: 1 as Id, progress: progressAt('asked') } as never,
    (AT + 5) as Timestamp,
  );
  expect(view.find(1 as Id)).toMatchObject({ createdAt: AT, updatedAt: AT + 5, status: 'pending' });
  end({ status: 'completed', hash: '0xabc' }, (AT + 9) as Timestamp);
  expect([view.find(1 as Id), view.pending(), view.inStage('asked')]).toEqual([undefined, [], []]);
  const progress = { stage: 'asked', approvals: [], confirmations: 2, hash: '0xabc' };
  expect(ended).toMatchObject([
    {
      type: 'withdrawalRecorded',
      record: { status: 'completed', progress, createdAt: AT, updatedAt: AT + 9 },
    },
  ]);
});
