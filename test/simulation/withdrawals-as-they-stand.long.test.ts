/**
 * Compares the withdrawals in the views with those of the engine, after every command and after
 * restarts: stages, used limits and reserves.
 */
import { expect, test } from 'vitest';
import { RecordedRun } from '../../model/lists/recorded-run.ts';
import { canonicalBytes, fromCanonicalBytes } from '../../src/kernel/canonical.ts';
import { startOfDayUtc } from '../../src/kernel/time.ts';
import type { WithdrawalStage } from '../../src/messages/vocabulary.ts';
import { createMemoryHistory } from '../../src/views/history/memory-history.ts';
import { createViews, type Views } from '../../src/views/views.ts';

const STAGES: readonly WithdrawalStage[] = ['approval', 'released', 'asked', 'confirming'];

function expectAsTheyStand({ engine, everyone, now }: RecordedRun, { withdrawals }: Views): void {
  const { live, usedByUser, reserves, halted } = engine.state.withdrawals;
  const idsOf = (
    rows: readonly { readonly row: { readonly orderId: number } }[],
  ): readonly number[] => rows.map(({ row }) => row.orderId);
  const waiting = [...live.values()].toSorted((one, other) => one.row.orderId - other.row.orderId);
  expect(idsOf(withdrawals.pending())).toEqual(idsOf(waiting));
  for (const stage of STAGES)
    expect(idsOf(withdrawals.inStage(stage))).toEqual(
      idsOf(waiting.filter(({ progress }) => progress.stage === stage)),
    );
  for (const { row, progress } of waiting)
    expect(withdrawals.find(row.orderId)).toMatchObject({ row, progress });
  for (const uid of everyone) {
    expect(idsOf(withdrawals.pending(uid))).toEqual(
      idsOf(waiting.filter(({ row }) => row.uid === uid)),
    );
    const used = usedByUser.get(uid);
    expect([uid, withdrawals.usedToday(uid, now)]).toEqual([
      uid,
      used?.day === startOfDayUtc(now) ? used.usd : 0n,
    ]);
  }
  expect(withdrawals.reserves()).toEqual(reserves);
  expect(new Set(withdrawals.halted())).toEqual(halted);
}

test.each([5, 10])('[VIEW-46] the views agree with the engine (%i)', (seed) => {
  const run = new RecordedRun(seed);
  let views = createViews(createMemoryHistory());
  run.listen((batch) => views.apply(batch));
  for (let round = 0; round < 1_500; round++) {
    run.step();
    if (round % 100 === 0) {
      const saved = fromCanonicalBytes(canonicalBytes(views.save()));
      views = createViews(createMemoryHistory());
      views.restore(saved);
    }
    if (
      run.batches
        .at(-1)!
        .events.some(({ type }) => type.startsWith('withdrawal') || type === 'reserveSet')
    )
      expectAsTheyStand(run, views);
  }
  expectAsTheyStand(run, views);
  const ended = run.emitted.filter(({ event }) => event.type === 'withdrawalEnded');
  expect(ended.length).toBeGreaterThan(10);
});
