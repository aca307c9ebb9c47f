import { expect, test } from 'vitest';
import { type Amount, money, moneyText, negate } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Event, LedgerLine } from '../messages/events.ts';
import type { EntryReason } from '../messages/vocabulary.ts';
import { EventStream, FIRST_AT, uidNumbered } from './event-streams.test-support.ts';
import { createMemoryHistory } from './history/memory-history.ts';
import { createViews } from './views.ts';

const amount = (text: string): Amount => money<Amount>(text);
const ann = uidNumbered(0);
const ALL = {
  uid: ann,
  book: 'wallet',
  limit: 100,
  start: 0 as Timestamp,
  end: (FIRST_AT * 2) as Timestamp,
} as const;

/** The bills after these entries, oldest first: kind, amount, balance. */
async function billsAfter(
  ...entries: readonly ((stream: EventStream) => readonly Event[])[]
): Promise<readonly string[]> {
  const stream = new EventStream();
  const views = createViews(createMemoryHistory());
  views.apply(stream.next(stream.createUser('ann')));
  for (const entry of entries) views.apply(stream.next(...entry(stream)));
  const rows = (await views.history.bills(ALL)).toReversed();
  return rows.map(({ kind, amount: change, fee, balance, area }) =>
    [kind, ...[change, fee, balance].map(moneyText), area].join(' '),
  );
}

const posted = (reason: EntryReason, lines: readonly LedgerLine[]): Event => ({
  type: 'entryPosted',
  reason,
  lines,
});
const deposit = (text: string) => (stream: EventStream) =>
  stream.deposit(ann, 'USDT', amount(text));

const repaid = (principal: string, interest: string) => (stream: EventStream) => [
  posted('repay', [
    stream.line(ann, 'USDT', 'available', negate((amount(principal) + amount(interest)) as Amount)),
    ...(principal === '0' ? [] : [stream.line(undefined, 'USDT', 'borrowPool', amount(principal))]),
    ...(interest === '0' ? [] : [stream.line(undefined, 'USDT', 'interest', amount(interest))]),
  ]),
];

test('[BILL-08] a repayment makes one bill of principal and one of interest, without empty ones', async () => {
  expect(
    await billsAfter(deposit('100'), repaid('40', '0.5'), repaid('10', '0'), repaid('0', '0.25')),
  ).toEqual([
    'deposit 100 0 100 OTHER',
    'repay -40 0 60 MARGIN',
    'interest -0.5 0 59.5 MARGIN',
    'repay -10 0 49.5 MARGIN',
    'interest -0.25 0 49.25 MARGIN',
  ]);
});

test('[BILL-01] holds, releases and transfers into a position make no bill', async () => {
  const move =
    (reason: EntryReason, from: 'available' | 'locked', to: 'available' | 'locked' | 'margin') =>
    (stream: EventStream) => [
      posted(reason, [
        stream.line(ann, 'USDT', from, amount('-30')),
        stream.line(ann, 'USDT', to, amount('30')),
      ]),
    ];
  const held = move('hold', 'available', 'locked');
  const moved = [
    held,
    move('release', 'locked', 'available'),
    move('addMargin', 'available', 'margin'),
    move('withdrawalHold', 'available', 'locked'),
  ];
  expect(await billsAfter(deposit('100'), ...moved)).toEqual(['deposit 100 0 100 OTHER']);
});

test('[BILL-01] an entry without an explanation is still a bill, so that sums stay correct', async () => {
  const unexplained = (stream: EventStream) => [
    posted('funding', [
      stream.line(ann, 'USDT', 'available', amount('-2')),
      stream.line(undefined, 'USDT', 'rounding', amount('2')),
    ]),
  ];
  expect(await billsAfter(deposit('100'), unexplained, deposit('1'))).toEqual([
    'deposit 100 0 100 OTHER',
    'other -2 0 98 OTHER',
    'deposit 1 0 99 OTHER',
  ]);
});
