/**
 * Tries the shown limits on loans and transfers out: the limit is accepted, one unit more is not
 * (ISO-34).
 */
import { expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import type { Random } from '../../src/kernel/random.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { Program } from '../lists/program.ts';
import type { RecordedRun } from '../lists/recorded-run.ts';
import { decimals } from '../lists/row.ts';
import { update } from './pair-acts.ts';
import { listingsOf, pairsOf, whole } from './pairs.ts';

type Move = (amount: DecimalText) => Command;
type Figures = Readonly<Record<string, string>>;

/** Runs all due and deferred work. */
function settle(run: RecordedRun): void {
  do run.execute({ type: 'tick' });
  while (run.engine.hasDeferredWork());
}

function isAccepted(run: RecordedRun, reason: string, move: Command): boolean {
  run.execute(move);
  return run.batches
    .at(-1)!
    .events.some((event) => event.type === 'entryPosted' && event.reason === reason);
}

/** Mostly at fresh prices. Returns names for the counters. */
export async function tryLimits(
  run: RecordedRun,
  program: Program,
  random: Random,
): Promise<readonly string[]> {
  settle(run);
  const used = pairsOf([...run.emitted]);
  if (used.length === 0) return [];
  const { uid: context, symbol } = random.pick(used);
  const uid = context as Uid;
  const { baseCoin, quoteCoin } = listingsOf([...run.emitted]).get(`MARGIN:${symbol}`)!;
  if (random.below(6) > 0) for (const coin of [baseCoin, quoteCoin]) update(run, coin, 0n);
  const [leg, coin] = random.pick([
    ['base', baseCoin],
    ['quote', quoteCoin],
  ] as const);
  const trials = [
    [
      'getIsolatedBorrowable',
      'Borrow',
      'borrow',
      (amount) => ({ type: 'borrowIsolated', uid, symbol, coin, amount }),
    ],
    [
      'getIsolatedRemovable',
      'TransferOut',
      'isolatedTransfer',
      (amount) => ({ type: 'transferIsolated', uid, symbol, coin, amount, direction: 'out' }),
    ],
  ] as const satisfies readonly (readonly [string, string, string, Move])[];
  const [name, what, reason, move] = random.pick(trials);
  const answered = await program.ask(name, { symbol }, uid);
  const input = { uid, symbol, coin, what, sequence: run.engine.sequence, answered };
  const most = whole((answered as { readonly data: Figures }).data[`${leg}CoinMax${what}Amount`]!);
  const accepts = (amount: bigint): boolean =>
    isAccepted(run, reason, move(decimals(amount) as DecimalText));
  expect({ ...input, isAccepted: accepts(most + 1n) }).toEqual({ ...input, isAccepted: false });
  if (most === 0n) return [`${what} of nothing tried`];
  expect({ ...input, isAccepted: accepts(most) }).toEqual({ ...input, isAccepted: true });
  return [`${what} of ${leg} tried`];
}
