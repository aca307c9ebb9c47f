import { describe, expect, test } from 'vitest';
import { MalformedBytes, OtherVersion } from '../kernel/bytes.ts';
import { canonicalBytes } from '../kernel/canonical.ts';
import type { Id, Uid } from '../kernel/ids.ts';
import { BrokenInvariant } from '../kernel/invariant.ts';
import type { Amount } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import { DEFAULT_COINS } from '../listings/default-coins.ts';
import type { Command } from '../messages/commands.ts';
import type { Event } from '../messages/events.ts';
import { createEngine, type Engine } from './engine.ts';
import { EVENTS_PER_TRANSACTION_MAX, runTransaction } from './event-loop.ts';
import { emptyDerived } from './rebuild.ts';
import { emptyState, type State } from './state/state.ts';
import type { Step } from './transaction/step.ts';
import {
  EmittedEvents,
  inParts,
  PART_SIZE_MAX,
  setTimer,
  takeDueTimer,
} from './transaction/step.ts';

const START = 1_735_689_600_000 as Timestamp;
const later = (by: number): Timestamp => (START + by) as Timestamp;
const user: Command = { type: 'createUser', level: 'VIP0', positionMode: 'oneWay' };
const deposit: Command = {
  type: 'deposit',
  uid: 1_000_000_001 as Uid,
  coin: 'USDT',
  size: '5' as never,
};

function engineWithDeposit(): Engine {
  const engine = createEngine();
  for (const coin of DEFAULT_COINS) engine.execute({ type: 'listCoin', coin }, START);
  engine.execute(user, later(1));
  engine.execute(deposit, later(2));
  return engine;
}

describe('execution', () => {
  test('[CLK-11] all commands are numbered from one, including refused ones', () => {
    const engine = createEngine();
    expect([engine.sequence, engine.at]).toEqual([0, 0]);
    expect(engine.execute(user, START)).toMatchObject({
      sequence: 1,
      at: START,
      outcome: { ok: true },
    });
    expect(engine.execute({ type: 'revokeKey', apiKey: 'none' }, later(5))).toMatchObject({
      sequence: 2,
      outcome: { ok: false },
      events: [],
    });
    expect([engine.sequence, engine.at]).toEqual([2, later(5)]);
  });

  test('[CLK-10] a refused command changes only sequence, time and digest', () => {
    const engine = engineWithDeposit();
    const plain = () => {
      const { sequence: _sequence, at: _at, digest: _digest, ...rest } = engine.state;
      return canonicalBytes(rest).toString('hex');
    };
    const [before, digest] = [plain(), engine.digest()];
    expect(engine.execute({ ...deposit, size: '0' } as Command, later(3)).outcome.ok).toBe(false);
    expect(plain()).toBe(before);
    expect(engine.digest()).not.toBe(digest);
  });

  test('[CLK-01] a command in the past stops the engine, one at the same time does not', () => {
    const engine = engineWithDeposit();
    expect(engine.execute({ type: 'tick' }, later(2)).outcome.ok).toBe(true);
    expect(() => engine.execute({ type: 'tick' }, later(1))).toThrow(BrokenInvariant);
  });

  test('[CLK-14] after a broken invariant no command is executed', () => {
    const engine = engineWithDeposit();
    engine.state.ledger.wallets.get(1_000_000_001 as Uid)!.get('USDT')!.available = -(
      10n ** 15n
    ) as Amount;
    expect(() => engine.execute(deposit, later(3))).toThrow(BrokenInvariant);
    expect(() => engine.execute({ type: 'tick' }, later(4))).toThrow(BrokenInvariant);
  });

  test('[CLK-11] the state hash changes with the state only', () => {
    const engine = engineWithDeposit();
    const hash = engine.stateHash();
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(engine.stateHash()).toBe(hash);
    engine.execute({ type: 'tick' }, later(3));
    expect(engine.stateHash()).not.toBe(hash);
  });
});

describe('serialized state', () => {
  test('[CLK-12] a restored engine continues as one that never stopped', () => {
    const engine = engineWithDeposit();
    const restored = createEngine();
    restored.execute(user, later(9));
    restored.restore(engine.serialize());
    expect([restored.sequence, restored.at, restored.digest(), restored.stateHash()]).toEqual([
      engine.sequence,
      engine.at,
      engine.digest(),
      engine.stateHash(),
    ]);
    const next = later(86_400_000);
    expect(restored.execute(deposit, next)).toEqual(engine.execute(deposit, next));
    expect(restored.stateHash()).toBe(engine.stateHash());
    expect(restored.exchangeTime(START)).toBe(next);
  });

  test('[CLK-12] malformed bytes and other versions are refused', () => {
    expect(() => createEngine().restore(Buffer.from('nonsense'))).toThrow(MalformedBytes);
    expect(() => createEngine().restore(canonicalBytes({ version: 99, state: {} }))).toThrow(
      OtherVersion,
    );
  });
});

const stepIn = (state: State): Step => ({
  state,
  derived: emptyDerived(state),
  at: START,
  emit: () => undefined,
  settle: () => undefined,
  endPart: () => undefined,
});

describe('timers', () => {
  test('[CLK-08] timers run by due time, then in the order of their requests', () => {
    const state = emptyState();
    const step = stepIn(state);
    for (const [due, subject] of [
      [30, 'd'],
      [10, 'a'],
      [20, 'b'],
      [20, 'c'],
    ] as const)
      setTimer(step, later(due), 'settlementDayEnd', subject);
    const taken: (string | undefined)[] = [];
    for (const until of [9, 10, 25, 25, 25, 30])
      taken.push(takeDueTimer(state.timers, later(until))?.subject);
    expect(taken).toEqual([undefined, 'a', 'b', 'c', undefined, 'd']);
  });

  test('[CLK-08][PRC-153] book samples are first at one time, in any order of requests', () => {
    const state = emptyState();
    const step = stepIn(state);
    for (const [due, kind, subject] of [
      [20, 'funding', 'c'],
      [20, 'markSample', 'a'],
      [10, 'funding', 'first'],
      [20, 'interest', 'd'],
      [20, 'markSample', 'b'],
    ] as const)
      setTimer(step, later(due), kind, subject);
    const order: (string | undefined)[] = [];
    while (state.timers.length > 0) order.push(takeDueTimer(state.timers, later(20))?.subject);
    expect(order).toEqual(['first', 'a', 'b', 'c', 'd']);
  });

  test('[CLK-08] a timer is due in the future', () => {
    const step = stepIn(emptyState());
    setTimer(step, later(1), 'settlementDayEnd', '');
    expect(() => setTimer(step, START, 'settlementDayEnd', '')).toThrow(BrokenInvariant);
  });
});

describe('the event loop', () => {
  const emitted: Event = { type: 'marketSwitched', on: true };

  test('[CLK-14] a transaction has a maximum of events', () => {
    const state = emptyState();
    const emit = (count: number) => () =>
      runTransaction(
        { state, derived: emptyDerived(state) },
        START,
        new EmittedEvents(START),
        (step) => {
          for (let at = 0; at < count; at++) step.emit(emitted);
        },
      );
    expect(emit(EVENTS_PER_TRANSACTION_MAX)).not.toThrow();
    expect(emit(EVENTS_PER_TRANSACTION_MAX + 1)).toThrow(BrokenInvariant);
  });

  test('[CLK-23] the maximum of events applies to each part of a large change', () => {
    const state = emptyState();
    const count = EVENTS_PER_TRANSACTION_MAX + PART_SIZE_MAX;
    const everything = new EmittedEvents(START);
    runTransaction({ state, derived: emptyDerived(state) }, START, everything, (step) =>
      inParts(step, Array(count).fill(emitted), (event) => step.emit(event)),
    );
    expect(everything.events.length).toBe(count);
  });

  test('[CLK-15] orders and ledger lines share one sequence of ids', () => {
    const engine = engineWithDeposit();
    const before = engine.state.nextId;
    const { outcome, events } = engine.execute(deposit, later(3));
    const lines = events.flatMap((event) =>
      event.type === 'entryPosted' ? event.lines.map(({ id }) => id) : [],
    );
    const { orderId } = (outcome as { value: { orderId: Id } }).value;
    expect([orderId, ...lines, engine.state.nextId]).toEqual([
      before,
      before + 1,
      before + 2,
      before + 3,
    ]);
  });
});
