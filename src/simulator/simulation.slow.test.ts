import { describe, expect, test } from 'vitest';
import { EXPECTED_COVERAGE, missedBy } from '../../test/simulation/expected-coverage.ts';
import { WORK_PORTIONS } from '../core/derived/work-portions.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import { UID_FIRST, type Uid } from '../kernel/ids.ts';
import { seededRandom } from '../kernel/random.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Command } from '../messages/commands.ts';
import { Coverage } from './coverage.ts';
import { drawCrowd } from './population/crowd.ts';
import { failureOf, shrink } from './shrinking.ts';
import { explain } from './simulate.ts';
import {
  type ExecutedCommand,
  isAuditedAfter,
  SimulationFailure,
  simulateSeed,
} from './simulation.ts';

const executed = (commands: readonly Command[]): ExecutedCommand[] =>
  commands.map((command, place) => ({ command, at: (1_700_000_000_000 + place) as Timestamp }));

/** No plain decimal has a sign, so no request can carry one; the ledger's own guard refuses it. */
const poison: Command = {
  type: 'deposit',
  uid: UID_FIRST as Uid,
  coin: 'USDT',
  size: '-99999999' as DecimalText,
};

const failing = executed([
  ...drawCrowd(seededRandom(1)).beginning,
  ...Array.from({ length: 40 }, (): Command => ({ type: 'tick' })),
  poison,
]);

describe('a simulation', () => {
  test('[SIM-01] two runs of one seed end in the same state with the same faults, other seeds in others', async () => {
    const plan = { seed: 7, commands: 700, faults: true };
    const [first, second, other] = [
      await simulateSeed(plan),
      await simulateSeed(plan),
      await simulateSeed({ ...plan, seed: 8 }),
    ];
    expect(second.stateHash).toBe(first.stateHash);
    expect(second.coverage.entries()).toEqual(first.coverage.entries());
    expect(other.stateHash).not.toBe(first.stateHash);
  });

  test('[SIM-11] in every second seed commands leave deferred work, as thousands of users would', async () => {
    const leftBy = async (seed: number): Promise<string[]> => {
      const { coverage } = await simulateSeed({ seed, commands: 700, faults: true });
      return coverage.entries().flatMap(([what]) => (what.endsWith(' waiting') ? [what] : []));
    };
    expect([await leftBy(14), await leftBy(15)]).toEqual([
      [],
      ['pendingCharges waiting', 'triggers waiting'],
    ]);
  });

  test('[SIM-150] a full audit follows each hundred commands, and each listing or change of fees', () => {
    const [listing] = drawCrowd(seededRandom(1)).beginning;
    const audited = (command: Command): number[] =>
      [99, 100, 101, 200].filter((executed) => isAuditedAfter(command, executed));
    expect(audited({ type: 'tick' })).toEqual([100, 200]);
    expect(audited({ type: 'setFees', market: 'spot', rates: [] })).toEqual([99, 100, 101, 200]);
    expect(audited(listing!)).toEqual([99, 100, 101, 200]);
  });

  test('[SIM-04] a history that breaks the ledger shrinks to its coin, its user and the failing command', () => {
    expect(failureOf(failing.slice(0, -1), 100, WORK_PORTIONS)).toBeUndefined();
    const short = shrink(failing, WORK_PORTIONS)!;
    expect(failureOf(short, 100, WORK_PORTIONS)).toBe(failureOf(failing, 100, WORK_PORTIONS));
    expect(short.map(({ command }) => command.type)).toEqual(['listCoin', 'createUser', 'deposit']);
  });

  test('[SIM-04] a failure is reported with the shell command that repeats it', () => {
    // As a run stores them: with outcomes, some of which contain money.
    const history = failing.map((one) => ({ ...one, outcome: { ok: true, value: 5n } }));
    const failure = new SimulationFailure(
      { seed: 9, commands: 500, faults: true },
      history,
      new Error('the ledger is off'),
    );
    const lines = explain(failure).split('\n');
    expect(lines.slice(0, 2)).toEqual([
      'seed 9 failed: the ledger is off',
      'repeat with: npm run simulate -- --seed 9 --commands 500 --faults on',
    ]);
    expect(lines[2]).toBe(`shrunk from ${failing.length} commands to 3:`);
    expect(lines.at(-1)).toBe(JSON.stringify(failing.at(-1)));
  });

  test('[SIM-04] a history that passes without a disk is reported as such', () => {
    const failure = new SimulationFailure(
      { seed: 9, commands: 500, faults: true },
      failing.slice(0, 30),
      new Error('a promise was broken'),
    );
    expect(explain(failure)).toContain('only a failing disk causes it');
  });

  test('[SIM-05] an expectation that was never met is named', () => {
    const coverage = new Coverage();
    expect(coverage.missing(EXPECTED_COVERAGE)).toEqual(EXPECTED_COVERAGE);
    for (const what of EXPECTED_COVERAGE.slice(1)) coverage.count(what);
    expect(coverage.missing(EXPECTED_COVERAGE)).toEqual(EXPECTED_COVERAGE.slice(0, 1));
  });

  test('[SIM-05] few commands or few seeds have no expectations', () => {
    const coverage = new Coverage();
    coverage.count('commands', 199_999);
    expect(missedBy(coverage, 10, false)).toEqual([]);
    coverage.count('commands', 1);
    expect(missedBy(coverage, 9, false)).toEqual([]);
    expect(missedBy(coverage, 10, false)).toEqual(EXPECTED_COVERAGE);
  });
});
