import { describe, expect, test } from 'vitest';
import type { Uid } from '../../kernel/ids.ts';
import { BrokenInvariant } from '../../kernel/invariant.ts';
import { type Amount, money, moneyText, negate } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Event } from '../../messages/events.ts';
import { emptyDerived } from '../rebuild.ts';
import { emptyState } from '../state/state.ts';
import type { Step } from '../transaction/step.ts';
import { differences } from './audit-ledger.ts';
import { checkEntry, type Movement, post, totalOf, walletOf } from './ledger.ts';

const alice = 1_000_000_001 as Uid;
const amount = (text: string): Amount => money<Amount>(text);

function createStep(): Step & { readonly events: Event[] } {
  const events: Event[] = [];
  const nothing = () => undefined;
  const state = emptyState();
  return {
    state,
    derived: emptyDerived(state),
    at: 1 as Timestamp,
    events,
    settle: nothing,
    endPart: nothing,
    emit: (event) => events.push(event),
  };
}

const bring = (size: string): Movement[] => [
  { uid: alice, coin: 'USDT', account: 'available', amount: amount(size) },
  { coin: 'USDT', account: 'outside', amount: negate(amount(size)) },
];

describe('posting', () => {
  test('[MNY-07] an entry moves one coin, and its lines sum to zero', () => {
    const step = createStep();
    post(step, 'deposit', bring('10'));
    post(step, 'deposit', [
      { uid: alice, coin: 'USDT', account: 'available', amount: amount('-4') },
      { uid: alice, coin: 'USDT', account: 'locked', amount: amount('3') },
      { uid: alice, coin: 'USDT', account: 'margin', amount: amount('0.5') },
      { coin: 'USDT', account: 'fees', amount: amount('0.5') },
    ]);
    const wallet = walletOf(step.state.ledger, alice, 'USDT');
    expect(
      [wallet.available, wallet.locked, wallet.margin, totalOf(wallet)].map(moneyText),
    ).toEqual(['6', '3', '0.5', '9.5']);
    expect(differences(step.state)).toEqual([{ coin: 'USDT', difference: 0n }]);
  });

  const wrong: [string, Movement[]][] = [
    [
      'lines that do not add up',
      [bring('1')[0]!, { coin: 'USDT', account: 'outside', amount: amount('-0.9999999999') }],
    ],
    ['two coins', [bring('1')[0]!, { coin: 'USDC', account: 'outside', amount: amount('-1') }]],
    ['one line', [{ coin: 'USDT', account: 'outside', amount: 0n as Amount }]],
    ['no line', []],
    [
      'more than the balance of the user',
      bring('0.0000000001').map(
        (movement) => ({ ...movement, amount: negate(movement.amount) }) as Movement,
      ),
    ],
    [
      'more than the balance of a house account that must not be negative',
      [
        { coin: 'USDT', account: 'fees', amount: amount('-1') },
        { coin: 'USDT', account: 'outside', amount: amount('1') },
      ],
    ],
  ];
  test.each(wrong)('[MNY-11] %s stop the engine', (_, movements) => {
    expect(() => post(createStep(), 'deposit', movements)).toThrow(BrokenInvariant);
  });

  test('[MNY-09] the outside, borrow pool and clearing accounts may be negative', () => {
    for (const account of ['outside', 'borrowPool', 'clearing'] as const) {
      const step = createStep();
      post(step, 'deposit', [
        { uid: alice, coin: 'USDT', account: 'available', amount: amount('1') },
        { coin: 'USDT', account, amount: amount('-1') },
      ]);
      expect(moneyText(step.state.ledger.house.get('USDT')![account])).toBe('-1');
    }
  });

  test('[MNY-11] lines of zero are left out, and so is an entry of zero lines', () => {
    const step = createStep();
    post(step, 'deposit', [
      ...bring('10'),
      { coin: 'USDT', account: 'fees', amount: 0n as Amount },
    ]);
    expect(step.events).toMatchObject([
      { lines: [{ account: 'available' }, { account: 'outside' }] },
    ]);
    post(step, 'deposit', bring('0'));
    expect(step.events).toHaveLength(1);
  });

  test('[MNY-09] reading an unused wallet does not create it', () => {
    const { ledger } = createStep().state;
    expect(totalOf(walletOf(ledger, alice, 'BTC'))).toBe(0n);
    expect(ledger.wallets.size).toBe(0);
  });
});

describe('the check on every entry', () => {
  const line = {
    coin: 'USDT',
    account: 'available',
    amount: amount('1'),
    balance: amount('1'),
    id: 1 as never,
  } as const;
  const other = {
    ...line,
    account: 'outside',
    amount: amount('-1'),
    balance: amount('-1'),
  } as const;

  test('[MNY-11] a balanced entry passes, an unbalanced or overdrawn one does not', () => {
    const entry = (...lines: (typeof line | typeof other)[]) =>
      ({ type: 'entryPosted', reason: 'deposit', lines }) as const;
    expect(() => checkEntry(entry(line, other))).not.toThrow();
    expect(() => checkEntry(entry(line, line))).toThrow(BrokenInvariant);
    expect(() => checkEntry(entry(line, { ...other, coin: 'USDC' as 'USDT' }))).toThrow(
      BrokenInvariant,
    );
    expect(() => checkEntry(entry({ ...line, balance: amount('-1') }, other))).toThrow(
      BrokenInvariant,
    );
    expect(() => checkEntry(entry(line, { ...other, account: 'fees' as 'outside' }))).toThrow(
      BrokenInvariant,
    );
  });
});
