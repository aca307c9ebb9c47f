/**
 * Random streams of the withdrawal desk, compared with a simple model: balances, holds and
 * withdrawals.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEngine, type Engine } from '../../src/core/engine.ts';
import { walletOf } from '../../src/core/ledger/ledger.ts';
import { canonicalBytes, fromCanonicalBytes } from '../../src/kernel/canonical.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import { DEFAULT_COINS } from '../../src/listings/default-coins.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { EventBatch } from '../../src/messages/events.ts';
import { CHAIN_SIGHTINGS, WITHDRAWAL_DECISIONS } from '../../src/messages/vocabulary.ts';
import { createMemoryHistory } from '../../src/views/history/memory-history.ts';
import { createViews } from '../../src/views/views.ts';

const START = 1_735_689_600_000;
const USERS = 3;
const FEE = 1;
const MIN = 10;
const AUTOMATIC = 50;
const CONFIRMATIONS = 20;
const decimal = (value: number): DecimalText => String(value) as DecimalText;

interface Order {
  readonly owner: number;
  readonly size: number;
  stage: 'approval' | 'released' | 'asked' | 'confirming' | 'success' | 'fail';
  confirmations: number;
}

type Act =
  | {
      readonly kind: 'withdraw';
      readonly user: number;
      readonly size: number;
      readonly name: number;
    }
  | {
      readonly kind: 'transfer';
      readonly user: number;
      readonly to: number;
      readonly size: number;
      readonly name: number;
    }
  | {
      readonly kind: 'decide';
      readonly order: number;
      readonly decision: (typeof WITHDRAWAL_DECISIONS)[number];
    }
  | { readonly kind: 'ask'; readonly order: number; readonly user: number }
  | { readonly kind: 'cancel'; readonly order: number; readonly user: number }
  | {
      readonly kind: 'report';
      readonly order: number;
      readonly sighting: (typeof CHAIN_SIGHTINGS)[number];
      readonly count: number;
    };

/** The rules in whole dollars, in the simplest form. */
class Model {
  readonly free = Array<number>(USERS).fill(100);
  readonly orders: Order[] = [];
  readonly names = new Map<string, string>();
  sent = 0;
  fees = 0;

  held(user: number): number {
    return this.orders
      .filter(({ owner, stage }) => owner === user && stage !== 'success' && stage !== 'fail')
      .reduce((sum, { size }) => sum + size, 0);
  }

  /** Returns whether the act is accepted; a repeated act changes nothing. */
  apply(act: Act): boolean {
    if (act.kind === 'withdraw')
      return this.#named(
        act.user,
        act.name,
        `w${act.size}`,
        act.size >= MIN && act.size <= this.free[act.user]!,
        () => this.#withdraw(act.user, act.size),
      );
    if (act.kind === 'transfer') {
      const { user, to, size } = act;
      return this.#named(
        user,
        act.name,
        `t${to} ${size}`,
        user !== to && size > 0 && size <= this.free[user]!,
        () => {
          this.free[user]! -= size;
          this.free[to]! += size;
        },
      );
    }
    const order = this.orders[act.order % Math.max(1, this.orders.length)];
    return order !== undefined && this.#act(order, act);
  }

  #named(
    user: number,
    name: number,
    content: string,
    isGood: boolean,
    change: () => void,
  ): boolean {
    const key = `${user} ${name}`;
    const before = this.names.get(key);
    if (before !== undefined) return before === content;
    if (!isGood) return false;
    this.names.set(key, content);
    change();
    return true;
  }

  #withdraw(owner: number, size: number): void {
    this.free[owner]! -= size;
    this.orders.push({
      owner,
      size,
      stage: size <= AUTOMATIC ? 'released' : 'approval',
      confirmations: 0,
    });
  }

  #act(order: Order, act: Exclude<Act, { kind: 'withdraw' | 'transfer' }>): boolean {
    const { stage } = order;
    const out = stage === 'released' || stage === 'asked' || stage === 'confirming';
    if (act.kind === 'ask') return stage === 'released' && this.#move(order, 'asked');
    if (act.kind === 'cancel')
      return (
        act.user === order.owner &&
        (stage === 'approval' || stage === 'released') &&
        this.#fail(order)
      );
    if (act.kind === 'decide') {
      if (act.decision === 'approve') return stage === 'approval' && this.#move(order, 'released');
      if (act.decision === 'reject')
        return (stage === 'approval' || stage === 'released') && this.#fail(order);
      if (act.decision === 'confirm') return stage === 'confirming' && this.#succeed(order);
      return out && this.#fail(order);
    }
    const isAsked = stage === 'asked';
    if (!isAsked && stage !== 'confirming') return false;
    if (act.sighting === 'failed') return this.#fail(order);
    if (act.sighting === 'sent') return isAsked && this.#move(order, 'confirming');
    if (act.sighting !== 'confirmed') return isAsked && this.#fail(order);
    if (act.count <= order.confirmations) return false;
    order.confirmations = act.count;
    return act.count >= CONFIRMATIONS ? this.#succeed(order) : this.#move(order, 'confirming');
  }

  #move(order: Order, stage: Order['stage']): boolean {
    order.stage = stage;
    return true;
  }

  #fail(order: Order): boolean {
    this.free[order.owner]! += order.size;
    return this.#move(order, 'fail');
  }

  #succeed(order: Order): boolean {
    this.sent += order.size - FEE;
    this.fees += FEE;
    return this.#move(order, 'success');
  }
}

const index = fc.nat({ max: 30 });
const user = fc.nat({ max: USERS - 1 });
const size = fc.oneof(fc.integer({ min: 8, max: 60 }), fc.integer({ min: 40, max: 120 }));
const name = fc.nat({ max: 40 });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), user, size, name }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('transfer' as const),
      user,
      to: user,
      size: fc.nat({ max: 40 }),
      name,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      order: index,
      decision: fc.constantFrom(...WITHDRAWAL_DECISIONS),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('ask' as const), order: index, user }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), order: index, user }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('report' as const),
      order: index,
      sighting: fc.constantFrom(...CHAIN_SIGHTINGS),
      count: fc.nat({ max: 22 }),
    }),
  },
);

class Exchange {
  engine: Engine = createEngine();
  readonly batches: EventBatch[] = [];
  readonly views = createViews(createMemoryHistory());
  readonly users: Uid[] = [];
  readonly orders: Id[] = [];
  #at = START;

  constructor() {
    for (const coin of DEFAULT_COINS)
      this.submit({ type: 'listCoin', coin: { ...coin, automaticLimitUsd: decimal(AUTOMATIC) } });
    for (let at = 0; at < USERS; at++) {
      const { value } = this.submit({
        type: 'createUser',
        level: 'VIP0',
        positionMode: 'oneWay',
      }) as { value: { uid: Uid } };
      this.users.push(value.uid);
      this.submit({ type: 'deposit', uid: value.uid, coin: 'USDT', size: decimal(100) });
    }
  }

  submit(command: Command) {
    this.#at += 10;
    const executed = this.engine.execute(command, this.#at as Timestamp);
    this.batches.push(executed);
    this.views.apply(executed);
    return executed.outcome;
  }

  apply(act: Act): boolean {
    const command = this.#commandOf(act);
    if (command === undefined) return false;
    const outcome = this.submit(command);
    if (act.kind === 'withdraw' && outcome.ok) {
      const { orderId } = outcome.value as { orderId: Id };
      if (!this.orders.includes(orderId)) this.orders.push(orderId);
    }
    return outcome.ok;
  }

  #commandOf(act: Act): Command | undefined {
    if (act.kind === 'withdraw') {
      const input = {
        uid: this.users[act.user]!,
        coin: 'USDT',
        size: decimal(act.size),
        clientOid: `${act.name}` as ClientOid,
      };
      return {
        type: 'requestWithdrawal',
        ...input,
        chain: 'TRC20',
        address: 'T',
        addressKind: 'tron',
      };
    }
    if (act.kind === 'transfer') {
      const input = {
        uid: this.users[act.user]!,
        coin: 'USDT',
        size: decimal(act.size),
        clientOid: `${act.name}` as ClientOid,
      };
      return {
        type: 'transferToUser',
        ...input,
        recipientKind: 'uid',
        recipient: `${this.users[act.to]}`,
      };
    }
    const orderId = this.orders[act.order % Math.max(1, this.orders.length)];
    if (orderId === undefined) return undefined;
    if (act.kind === 'ask') return { type: 'askChain', orderId };
    if (act.kind === 'cancel')
      return { type: 'cancelWithdrawal', uid: this.users[act.user]!, orderId };
    if (act.kind === 'decide')
      return { type: 'decideWithdrawal', orderId, decision: act.decision, operator: 'ann' };
    return {
      type: 'reportChain',
      orderId,
      sighting: act.sighting,
      hash: 'hash',
      confirmations: act.count,
    };
  }

  wallet(at: number): string {
    const { available, locked } = walletOf(this.engine.state.ledger, this.users[at]!, 'USDT');
    return `${moneyText(available)} ${moneyText(locked)}`;
  }
}

async function expectSame(exchange: Exchange, model: Model): Promise<void> {
  const wallets = exchange.users.map((_, at) => exchange.wallet(at));
  expect(wallets).toEqual(model.free.map((free, at) => `${free} ${model.held(at)}`));
  const { outside, withdrawals } = exchange.engine.state.ledger.house.get('USDT')!;
  expect([moneyText(outside), moneyText(withdrawals)]).toEqual([
    `${model.sent - 100 * USERS}`,
    `${model.fees}`,
  ]);
  const ended = await exchange.views.history.endedWithdrawals({ limit: 1_000 });
  const rows = new Map(ended.map(({ id, status }) => [id, status]));
  const live = new Map(
    exchange.views.withdrawals.pending().map(({ row, progress }) => [row.orderId, progress.stage]),
  );
  const shown = exchange.orders.map(
    (id) => live.get(id) ?? (rows.get(id) === 'completed' ? 'success' : 'fail'),
  );
  expect(shown).toEqual(model.orders.map(({ stage }) => stage));
}

test('[WDR-02][WDR-03][WDR-15][WDR-20] a random stream equals the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 120 }), fc.nat({ max: 120 }), async (acts, cut) => {
      const exchange = new Exchange();
      const model = new Model();
      for (const [at, each] of acts.entries()) {
        expect([each, exchange.apply(each)]).toEqual([each, model.apply(each)]);
        if (at === cut) {
          const restored = createEngine();
          restored.restore(exchange.engine.serialize());
          exchange.engine = restored;
        }
      }
      await expectSame(exchange, model);
      expect(exchange.engine.audit().violations).toEqual([]);
    }),
    { numRuns: 120 },
  );
});

test('[VIEW-02][VIEW-03][WDR-33] a rebuilt or restored withdrawal view equals the live one', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), fc.nat({ max: 70 }), (acts, cut) => {
      const exchange = new Exchange();
      for (const each of acts) exchange.apply(each);
      exchange.submit({
        type: 'setReserve',
        coin: 'USDT',
        amount: decimal(1_000),
        operator: 'ann',
      });
      const first = createViews(createMemoryHistory());
      for (const batch of exchange.batches.slice(0, cut)) first.apply(batch);
      const restored = createViews(createMemoryHistory());
      restored.restore(fromCanonicalBytes(canonicalBytes(first.save())));
      for (const batch of exchange.batches.slice(cut)) restored.apply(batch);
      expect(canonicalBytes(restored.save()).equals(canonicalBytes(exchange.views.save()))).toBe(
        true,
      );
      expect(restored.withdrawals.inStage('released').length).toBe(
        exchange.views.withdrawals.inStage('released').length,
      );
    }),
    { numRuns: 60 },
  );
});
