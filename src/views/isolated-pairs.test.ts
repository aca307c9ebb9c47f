import { expect, test } from 'vitest';
import type { Id, Sequence, Uid } from '../kernel/ids.ts';
import { type Amount, money, moneyText } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Event, LedgerLine } from '../messages/events.ts';
import { IsolatedPairsView } from './isolated-pairs.ts';
import { pairRisk } from './isolated-risks.ts';
import { feeding } from './view.ts';

const ALICE = 1_000_000_001 as Uid;
const amount = (text: string): Amount => money<Amount>(text);
const batch = (at: number, ...events: Event[]) => ({
  sequence: at as Sequence,
  at: at as Timestamp,
  events,
});
const line = (
  account: 'isolated' | 'isolatedLocked',
  moved: string,
  symbol = 'BTCUSDT',
): LedgerLine => ({
  id: 1 as Id,
  uid: ALICE,
  coin: 'USDT',
  account,
  amount: amount(moved),
  // The total of all pairs; the view uses the moved amounts instead.
  balance: amount('77'),
  symbol,
});

function livedView(): IsolatedPairsView {
  const view = new IsolatedPairsView();
  feeding([view])(
    batch(1, { type: 'entryPosted', reason: 'isolatedTransfer', lines: [line('isolated', '100')] }),
  );
  feeding([view])(
    batch(2, {
      type: 'isolatedDebtChanged',
      uid: ALICE,
      symbol: 'BTCUSDT',
      coin: 'USDT',
      borrowed: amount('5'),
      interest: amount('1'),
    }),
  );
  feeding([view])(
    batch(3, {
      type: 'entryPosted',
      reason: 'hold',
      lines: [line('isolated', '-40'), line('isolatedLocked', '40')],
    }),
  );
  feeding([view])(
    batch(4, {
      type: 'entryPosted',
      reason: 'isolatedTransfer',
      lines: [line('isolated', '9', 'ETHUSDT')],
    }),
  );
  return view;
}

test('[ISO-151] a pair shows free, locked and owed amounts, without lines of the wallet', () => {
  const view = livedView();
  feeding([view])(
    batch(5, {
      type: 'entryPosted',
      reason: 'deposit',
      lines: [
        {
          id: 2 as Id,
          uid: ALICE,
          coin: 'USDT',
          account: 'available',
          amount: amount('1'),
          balance: amount('1'),
        },
      ],
    }),
  );
  const [first, second] = view.pairs(ALICE);
  expect([first!.symbol, first!.coins.get('USDT')]).toEqual([
    'BTCUSDT',
    {
      available: amount('60'),
      locked: amount('40'),
      borrowed: amount('5'),
      interest: amount('1'),
      createdAt: 1,
      updatedAt: 3,
    },
  ]);
  expect([second!.symbol, second!.coins.get('USDT')!.available]).toEqual(['ETHUSDT', amount('9')]);
  expect(view.pairs(2 as Uid)).toEqual([]);
});

test('[ISO-07] a restored view equals the saved one, and is independent of it', () => {
  const view = livedView();
  const again = new IsolatedPairsView();
  again.restore(view.save());
  expect(again.pairs(ALICE)).toEqual(view.pairs(ALICE));
  feeding([again])(
    batch(6, { type: 'entryPosted', reason: 'isolatedTransfer', lines: [line('isolated', '1')] }),
  );
  expect(view.pairs(ALICE)[0]!.coins.get('USDT')!.available).toBe(amount('60'));
});

test.each([
  ['5', '1'],
  ['5', '0'],
  ['0', '1'],
])(
  '[ISO-11] without an index, debt %s and interest %s show full risk, and no debt shows none',
  (borrowed, interest) => {
    const nowhere = {
      prices: { index: () => undefined },
      listings: { instrument: () => undefined },
    };
    const view = livedView();
    const debt = { borrowed: amount(borrowed), interest: amount(interest) };
    feeding([view])(
      batch(5, {
        type: 'isolatedDebtChanged',
        uid: ALICE,
        symbol: 'BTCUSDT',
        coin: 'USDT',
        ...debt,
      }),
    );
    const risks = view
      .pairs(ALICE)
      .map((pair) =>
        moneyText(pairRisk(nowhere as unknown as Parameters<typeof pairRisk>[0], pair)),
      );
    expect(risks).toEqual(['1', '0']);
  },
);
