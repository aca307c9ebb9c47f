import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { throughBytes } from '../../test/scenarios/scenario.ts';
import { canonicalBytes } from '../kernel/canonical.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { ClientOid, Uid } from '../kernel/ids.ts';
import type { Timestamp } from '../kernel/time.ts';
import { DEFAULT_COINS } from '../listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../listings/default-instruments.ts';
import type { Command } from '../messages/commands.ts';
import {
  INSTRUMENT_STATUSES,
  MARGIN_MODES,
  POSITION_MODES,
  POSITION_SIDES,
} from '../messages/vocabulary.ts';
import { createEngine, type Engine, type Executed } from './engine.ts';

/** A command and its wall clock time. */
interface TimedCommand {
  readonly command: Command;
  readonly wall: Timestamp;
}

const START = 1_735_689_600_000;
const decimal = (...texts: string[]): fc.Arbitrary<DecimalText> =>
  fc.constantFrom(...(texts as DecimalText[]));
const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined });

/** The last uid has no account. */
const uid = fc.integer({ min: 1_000_000_001, max: 1_000_000_005 }).map((value) => value as Uid);
const symbol = fc.constantFrom('BTCUSDT', 'ETHUSDT', 'NONE');
const category = fc.constantFrom('USDT-FUTURES' as const, 'COIN-FUTURES' as const);
const leverage = decimal('1', '20', '125', '126', '0', '2.5');
const contact = fc.constantFrom('a@x.io', 'A@x.io', 'b@x.io', 'not one');

const of = <Type extends Command['type']>(
  type: Type,
  fields: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<Command> =>
  fc.record(fields).map((values) => ({ type, ...values }) as unknown as Command);

const price = fc.record({
  category: fc.constantFrom('USDT-FUTURES' as const, 'SPOT' as const),
  symbol: fc.constantFrom('BTCUSDT', 'ETHUSDT', 'ETHBTC'),
  index: maybe(decimal('100', '120', '130', '131', '70', '0', '0.00000000001')),
  mark: maybe(decimal('90', '110')),
  releaseMark: fc.boolean(),
  force: fc.boolean(),
});

const command: fc.Arbitrary<Command> = fc.oneof(
  of('tick', {}),
  of('createUser', {
    level: fc.constant('VIP0'),
    positionMode: fc.constantFrom(...POSITION_MODES),
    email: maybe(contact),
    parentUid: maybe(uid),
  }),
  of('deposit', {
    uid,
    coin: fc.constantFrom('USDT', 'BTC', 'NONE'),
    size: decimal('1', '2.5', '0', '0.0000000001', '0.00000000001', '900000000'),
    clientOid: maybe(fc.constantFrom('a' as ClientOid, 'b' as ClientOid, 'c' as ClientOid)),
  }),
  of('setPrices', { prices: fc.array(price, { maxLength: 3 }) }),
  of('moveClock', {
    wall: fc.integer({ min: START, max: START + 1_000_000 }),
    advanceMs: maybe(fc.constantFrom(0, 1, 3_600_000, 90_000_000)),
    to: maybe(fc.constantFrom(START, START + 10 ** 9)),
    frozen: maybe(fc.boolean()),
  }),
  of('switchMarket', { on: fc.boolean() }),
  of('setLeverage', {
    uid,
    category,
    symbol,
    leverage,
    side: maybe(fc.constantFrom(...POSITION_SIDES)),
  }),
  of('setCoinLeverage', { uid, coin: fc.constantFrom('BTC', 'NONE'), leverage }),
  of('setMarginMode', { uid, category, symbol, marginMode: fc.constantFrom(...MARGIN_MODES) }),
  of('setPositionMode', { uid, positionMode: fc.constantFrom(...POSITION_MODES) }),
  of('setInstrumentStatus', { category, symbol, status: fc.constantFrom(...INSTRUMENT_STATUSES) }),
  of('createKey', {
    uid,
    apiKey: fc.constantFrom('k1', 'k2', 'k3', 'k 4'),
    sealedSecret: fc.constantFrom('s1', 's2'),
    passphraseHash: fc.constant('h'),
    permissions: fc.constant([]),
    addresses: fc.constant([]),
  }),
  of('revokeKey', { apiKey: fc.constantFrom('k1', 'k2', 'k3') }),
  of('openWorld', { world: fc.constantFrom('demo', 'empty') }),
  fc.constantFrom(...DEFAULT_COINS).map((coin): Command => ({ type: 'listCoin', coin })),
  fc
    .constantFrom(...DEFAULT_INSTRUMENTS)
    .map((instrument): Command => ({ type: 'listInstrument', instrument })),
);

/** The wall clock mostly moves forward, but sometimes back. */
const commandRun = fc
  .array(fc.record({ command, wait: fc.constantFrom(0, 1, 5_000, 10_000, 40_000_000, -20_000) }), {
    maxLength: 60,
  })
  .map((steps) => {
    let wall = START;
    return steps.map(({ command: input, wait }): TimedCommand => {
      wall += wait;
      return { command: input, wall: wall as Timestamp };
    });
  });

const first: readonly Command[] = [
  ...DEFAULT_COINS.map((coin): Command => ({ type: 'listCoin', coin })),
  ...DEFAULT_INSTRUMENTS.slice(0, 6).map(
    (instrument): Command => ({ type: 'listInstrument', instrument }),
  ),
];

function begin(): Engine {
  const engine = createEngine();
  for (const listing of first) engine.execute(listing, START as Timestamp);
  return engine;
}

const executeAt = (engine: Engine, { command: input, wall }: TimedCommand): Executed =>
  engine.execute(input, engine.exchangeTime(wall));

/** The state that a refused command must not change. No timer may be due at that time. */
function untouched({ state }: Engine): string {
  const { sequence: _sequence, at: _at, digest: _digest, ...rest } = state;
  return canonicalBytes(rest).toString('base64');
}

describe('any run of commands', () => {
  test('[CLK-11] replayed from its bytes ends in the same state, digest and outcomes', () => {
    fc.assert(
      fc.property(commandRun, (steps) => {
        const [engine, again] = [begin(), begin()];
        for (const step of steps)
          expect(executeAt(again, { ...step, command: throughBytes(step.command) })).toEqual(
            executeAt(engine, step),
          );
        expect([again.stateHash(), again.digest()]).toEqual([engine.stateHash(), engine.digest()]);
      }),
      { numRuns: 60 },
    );
  });

  test('[CLK-12] continues unchanged after a stop and a restore at any place', () => {
    fc.assert(
      fc.property(commandRun, fc.nat(60), (steps, stop) => {
        const engine = begin();
        let other = begin();
        for (const [place, step] of steps.entries()) {
          if (place === stop) {
            const bytes = other.serialize();
            other = createEngine();
            other.restore(bytes);
          }
          expect(executeAt(other, step)).toEqual(executeAt(engine, step));
        }
        expect([other.stateHash(), other.digest()]).toEqual([engine.stateHash(), engine.digest()]);
        expect(Buffer.from(other.serialize()).equals(Buffer.from(engine.serialize()))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('[MNY-08] passes its audit after every command', () => {
    fc.assert(
      fc.property(commandRun, (steps) => {
        const engine = begin();
        for (const step of steps) {
          executeAt(engine, step);
          const { coins, violations } = engine.audit();
          expect(violations).toEqual([]);
          expect(coins.every(({ difference }) => difference === 0n)).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('[CLK-10] is not changed by a refused command', () => {
    fc.assert(
      fc.property(commandRun, (steps) => {
        const engine = begin();
        for (const step of steps) {
          // Run the due timers first, because they change the state.
          executeAt(engine, { ...step, command: { type: 'tick' } });
          const before = untouched(engine);
          const { outcome, events } = executeAt(engine, step);
          if (outcome.ok) continue;
          expect(untouched(engine)).toBe(before);
          expect(events).toEqual([]);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('[ACC-12] has the same hash and digest with other key names', () => {
    const renamed = (input: Command): Command => {
      if (input.type === 'createKey')
        return {
          ...input,
          apiKey: `other-${input.apiKey}`,
          sealedSecret: `other-${input.sealedSecret}`,
        };
      return input.type === 'revokeKey' ? { ...input, apiKey: `other-${input.apiKey}` } : input;
    };
    fc.assert(
      fc.property(commandRun, (steps) => {
        const [engine, other] = [begin(), begin()];
        for (const step of steps) {
          executeAt(engine, step);
          executeAt(other, { ...step, command: renamed(step.command) });
        }
        expect([other.stateHash(), other.digest()]).toEqual([engine.stateHash(), engine.digest()]);
      }),
      { numRuns: 40 },
    );
  });
});
