/**
 * Compares limits that accounts are shown with what the exchange then does. A crowd runs, and now
 * and then its figures are checked.
 */
import { describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { type Amount, moneyText, type Price } from '../../src/kernel/money.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import { HOUR, type Timestamp } from '../../src/kernel/time.ts';
import type { CommandOf } from '../../src/messages/commands.ts';
import { Population } from '../../src/simulator/population/population.ts';
import { removableOf } from '../../src/views/account-margins.ts';
import { createMemoryHistory } from '../../src/views/history/memory-history.ts';
import { pairLimits } from '../../src/views/isolated-risks.ts';
import { type PositionFigures, positionFigures } from '../../src/views/position-figures.ts';
import { createViews, type Views } from '../../src/views/views.ts';

const SEEDS = [4, 6];
const COMMANDS = 2_000;
const LOOK_EVERY = 200;
/** Amounts are rounded, so a price is exact to a hundred-thousandth of itself. */
const PRICE_PARTS = 100_000n;

/** Runs a crowd and inspects it when no work is deferred. */
function runCrowd(
  seed: number,
  look: (engine: Engine, views: Views, random: Random) => void,
): void {
  const random = seededRandom(seed);
  const population = new Population(random.fork('crowd'));
  const engine = createEngine();
  const views = createViews(createMemoryHistory());
  for (let count = 1; count <= COMMANDS; count++) {
    const pause = random.below(random.below(30) === 0 ? 2 * HOUR : 20);
    views.apply(
      engine.execute(
        population.draw(engine, engine.at),
        (Math.max(engine.at, 1_700_000_000_000) + pause) as Timestamp,
      ),
    );
    if (count % LOOK_EVERY === 0 && !engine.hasDeferredWork()) look(engine, views, random);
  }
}

/**
 * True if an audit at another mark price finds the account or isolated position due for
 * liquidation.
 */
function isDueAt(engine: Engine, { row }: PositionFigures, mark: Price): boolean {
  const prices = engine.state.symbolPrices.get(`${row.category}:${row.symbol}`)!;
  const before = prices.mark;
  prices.mark = mark;
  const { violations } = engine.audit();
  prices.mark = before;
  const who =
    row.marginMode === 'isolated'
      ? `position ${row.positionId} of user ${row.uid}`
      : `user ${row.uid}`;
  return violations.includes(`${who} should have been liquidated`);
}

const isTraded = ({ state }: Engine): boolean =>
  [...state.instruments.values()].every(({ status }) => status === 'normal');

function tradesOnLoan({ state }: Engine, random: Random): readonly Uid[] {
  const uids = [...state.positions.keys(), ...state.debts.keys()];
  return [...new Set(uids)].filter(() => random.below(2) === 0);
}

type MoneyOfPair = CommandOf<'transferIsolated'> | CommandOf<'borrowIsolated'>;

/** Executes the command on a copy of the exchange. */
function answerOf(engine: Engine, bytes: Uint8Array, command: MoneyOfPair): string {
  const other = createEngine();
  other.restore(bytes);
  const { outcome } = other.execute(command, engine.at);
  return outcome.ok ? 'accepted' : outcome.refusal.reason;
}

/** The amount is accepted, unless it is zero, and one unit more is refused. */
function expectMost(
  engine: Engine,
  bytes: Uint8Array,
  most: Amount,
  commandOf: (amount: DecimalText) => MoneyOfPair,
): void {
  const answer = (amount: bigint): string =>
    answerOf(engine, bytes, commandOf(moneyText(amount as Amount) as DecimalText));
  if (most > 0n)
    expect(answer(most), JSON.stringify(commandOf(moneyText(most) as DecimalText))).toBe(
      'accepted',
    );
  expect(answer(most + 1n), JSON.stringify(commandOf(moneyText(most) as DecimalText))).not.toBe(
    'accepted',
  );
}

describe('a figure that an account is shown', () => {
  test.each(SEEDS)(
    '[SIM-14][POS-52] the liquidation price is where liquidation begins (seed %i)',
    (seed) => {
      let looked = 0;
      runCrowd(seed, (engine, views) => {
        if (engine.state.marketOn || !isTraded(engine)) return;
        for (const uid of engine.state.positions.keys())
          for (const figures of positionFigures(views, uid, () => true)) {
            const { row, mark, liquidationPrice: price } = figures;
            if (price === 0n) continue;
            const beyond = (row.marginMode === 'isolated' ? row.side === 'long' : mark > price)
              ? -1n
              : 1n;
            const at = (parts: bigint): boolean =>
              isDueAt(engine, figures, (price + (beyond * parts * price) / PRICE_PARTS) as Price);
            expect(
              [at(1n), at(-1n)],
              `${row.side} ${row.marginMode} ${row.symbol} of ${uid} at ${moneyText(price)}`,
            ).toEqual([true, false]);
            looked++;
          }
      });
      expect(looked).toBeGreaterThan(20);
    },
  );

  test.each(SEEDS)(
    '[SIM-14][WDR-51] the transferable amount can leave the account, and no unit more (seed %i)',
    (seed) => {
      let looked = 0;
      runCrowd(seed, (engine, views, random) => {
        const bytes = engine.serialize();
        for (const uid of tradesOnLoan(engine, random))
          for (const coin of ['USDT', 'BTC']) {
            const pair = { uid, symbol: 'BTCUSDT', coin } as const;
            const leavable = removableOf(views, uid, engine.at)(coin);
            expectMost(engine, bytes, leavable, (amount) => ({
              type: 'transferIsolated',
              ...pair,
              amount,
              direction: 'in',
            }));
            looked++;
          }
      });
      expect(looked).toBeGreaterThan(20);
    },
  );

  test.each(SEEDS)(
    '[SIM-14][ISO-34] the amounts to borrow in a pair or take out of it are exact (seed %i)',
    (seed) => {
      let looked = 0;
      runCrowd(seed, (engine, views) => {
        const bytes = engine.serialize();
        for (const [uid, pairs] of engine.state.isolatedPairs)
          for (const symbol of pairs.keys())
            for (const { coin, borrow, transferOut } of pairLimits(
              views,
              uid,
              symbol,
              engine.at,
            )!) {
              const pair = { uid, symbol, coin } as const;
              expectMost(engine, bytes, borrow, (amount) => ({
                type: 'borrowIsolated',
                ...pair,
                amount,
              }));
              expectMost(engine, bytes, transferOut, (amount) => ({
                type: 'transferIsolated',
                ...pair,
                amount,
                direction: 'out',
              }));
              looked++;
            }
      });
      expect(looked).toBeGreaterThan(10);
    },
  );
});
