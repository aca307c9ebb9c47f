import { describe, expect, test } from 'vitest';
import { scenario } from '../../test/scenarios/scenario.ts';
import { canonicalBytes, fromCanonicalBytes } from '../kernel/canonical.ts';
import type { Id, Uid } from '../kernel/ids.ts';
import type { Amount, Price } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import { auditOf } from './audit-of.test-support.ts';
import { emptyState, type State } from './state/state.ts';

const alice = 1_000_000_001 as Uid;

const sound = canonicalBytes(
  scenario(`
    alice  joins     with email alice@example.com
    bob    joins     under alice
    alice  deposits  100 USDT
    index  BTC       60000
    pin    BTCUSDT   59000
    alice  sets leverage 20 on BTCUSDT
    alice  sets leverage 2 of coin BTC
    clock  advances  3d
  `).engine.state,
);

/** The violations that the audit reports after a fault is planted in a valid state. */
function faultsAfter(plant: (state: State) => void): readonly string[] {
  const state = fromCanonicalBytes<State>(sound);
  expect(auditOf(state).violations).toEqual([]);
  plant(state);
  return auditOf(state).violations;
}

const wallet = (state: State) => state.ledger.wallets.get(alice)!.get('USDT')!;

// biome-ignore-start lint/suspicious/noAssignInExpressions: a row plants its fault by an assignment
type Planted = [string, (state: State) => void];

describe('the audit finds', () => {
  const sums: Planted[] = [
    [
      'money made',
      (state) => void (wallet(state).available = (wallet(state).available + 1n) as Amount),
    ],
    ['money lost', (state) => void (state.ledger.house.get('USDT')!.outside = 0n as Amount)],
  ];
  test.each(sums)('[MNY-08] %s', (_, plant) => expect(faultsAfter(plant)).not.toEqual([]));

  const debts: Planted[] = [
    [
      'a negative balance, even if the sums are right',
      (state) => {
        const { available } = wallet(state);
        wallet(state).available = -1n as Amount;
        wallet(state).locked = (available + 1n) as Amount;
      },
    ],
    [
      'a negative house account',
      (state) => {
        state.ledger.house.get('USDT')!.fees = -1n as Amount;
        state.ledger.house.get('USDT')!.insurance = 1n as Amount;
      },
    ],
  ];
  test.each(debts)('[MNY-09] %s', (_, plant) => expect(faultsAfter(plant)).not.toEqual([]));

  const holds: Planted[] = [
    [
      'locked money without a hold',
      (state) => {
        wallet(state).available = (wallet(state).available - 5n) as Amount;
        wallet(state).locked = 5n as Amount;
      },
    ],
    [
      'margin without a position',
      (state) => {
        wallet(state).available = (wallet(state).available - 5n) as Amount;
        wallet(state).margin = 5n as Amount;
      },
    ],
  ];
  test.each(holds)('[MNY-10] %s', (_, plant) => expect(faultsAfter(plant)).not.toEqual([]));

  const faults: Planted[] = [
    ['a wallet without a user', (state) => void state.ledger.wallets.set(7 as Uid, new Map())],
    [
      'a wallet in an unlisted coin',
      (state) =>
        void state.ledger.wallets
          .get(alice)!
          .set('DOGE', { ...wallet(state), available: 0n as Amount }),
    ],
    ['a missing contact', (state) => state.contacts.clear()],
    ['an additional contact', (state) => void state.contacts.set('email:eve@example.com', alice)],
    ['a repeated uid', (state) => void (state.nextUid = alice)],
    ['a missing master account', (state) => void state.accounts.delete(alice)],
    [
      'settings for an unlisted symbol',
      (state) =>
        void state.accounts
          .get(alice)!
          .symbolSettings.set('SPOT:X', { marginMode: 'crossed', leverage: '1' as never }),
    ],
    [
      'a leverage for an unlisted coin',
      (state) => void state.accounts.get(alice)!.coinLeverages.set('DOGE', '1' as never),
    ],
    [
      'a wrong key count',
      (state) =>
        void state.credentials.keys.set('k', {
          apiKey: 'k',
          uid: alice,
          sealedSecret: '',
          passphraseHash: '',
          permissions: [],
          addresses: [],
        }),
    ],
    [
      'a mark that does not follow from its index',
      (state) => void (state.symbolPrices.get('USDT-FUTURES:BTCUSDT')!.mark = 1n as Price),
    ],
    ['a missing mark', (state) => void state.symbolPrices.delete('COIN-FUTURES:BTCUSD')],
    ['prices of an unlisted symbol', (state) => void state.symbolPrices.set('SPOT:X', {})],
    [
      'an index of zero',
      (state) =>
        void state.indexPrices.set('SOL', { price: 0n as Price, updatedAt: 0 as Timestamp }),
    ],
    [
      'an index with a future time',
      (state) => void (state.indexPrices.get('BTC')!.updatedAt = (state.at + 1) as Timestamp),
    ],
    [
      'an index for a dollar',
      (state) =>
        void state.indexPrices.set('USDT', { price: 1n as Price, updatedAt: 0 as Timestamp }),
    ],
    [
      'an overdue timer',
      (state) => void (state.timers[0] = { ...state.timers[0]!, due: state.at }),
    ],
    [
      'a missing end of day',
      (state) =>
        void (state.timers = state.timers.filter(({ kind }) => kind !== 'settlementDayEnd')),
    ],
    ['two ends of a day', (state) => void state.timers.push(state.timers[0]!)],
    [
      'a countdown without its timer',
      (state) => void state.countdowns.set(alice, { wakesAt: (state.at + 5_000) as Timestamp }),
    ],
    [
      'timers out of order',
      (state) => void state.timers.push({ ...state.timers[0]!, due: (state.at + 1) as Timestamp }),
    ],
    [
      'a timer with an unassigned id',
      (state) => void (state.timers[0] = { ...state.timers[0]!, id: state.nextId }),
    ],
    ['a deposit with an unassigned id', (state) => void (state.nextId = 1 as Id)],
    [
      'a clock frozen in the past',
      (state) => void (state.clock = { offsetMs: 0, frozenAt: (state.at - 1) as Timestamp }),
    ],
    ['a listing that would be refused', (state) => void state.coins.delete('ETH')],
    [
      'a coin listed under another name',
      (state) => void state.coins.set('DOGE', state.coins.get('BTC')!),
    ],
  ];
  test.each(faults)('[CLK-18] %s', (_, plant) => expect(faultsAfter(plant)).not.toEqual([]));

  test('[CLK-18] nothing in an empty state', () =>
    expect(auditOf(emptyState())).toEqual({ coins: [], violations: [] }));

  test('[MNY-08] how much of a coin is missing', () => {
    const state = fromCanonicalBytes<State>(sound);
    wallet(state).available = (wallet(state).available - 2n) as Amount;
    const { coins, violations } = auditOf(state);
    expect(coins.filter(({ difference }) => difference !== 0n)).toMatchObject([
      { coin: 'USDT', difference: -2n },
    ]);
    expect(violations).toEqual(['USDT does not add up: 0.0000000002 is missing']);
  });
});
// biome-ignore-end lint/suspicious/noAssignInExpressions: end of the planted faults
