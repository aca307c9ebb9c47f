/**
 * Works off what is to be mirrored, a bounded slice at a time: first come, first served, and the
 * followers of one order in the order they began to follow. What one of them is refused is his
 * alone.
 */
import { copyLotsLeft } from '../../formulas/copy-trading.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import { unreachable } from '../../kernel/invariant.ts';
import type { Lots } from '../book/order-book.ts';
import { type MirrorJob, type Original, originalOf } from '../state/copy-state.ts';
import { resumeStale, settleCopy } from '../trading/charges/settle-charges.ts';
import type { Step } from '../transaction/step.ts';
import { bringDownTo, tryToClose, wantedOfStuck } from './close-tracked.ts';
import { mirrorOpen } from './mirror-open.ts';
import { dropOriginal, emitLiquidated } from './tracked-order.ts';

export function mirrorPortion(step: Step): void {
  const { jobs } = step.state.copy;
  resumeStale(step);
  let left = settleEnded(step, step.derived.portions.mirrors);
  while (left > 0) {
    const job = jobs[0];
    if (job === undefined) return;
    left = goOnWith(step, job, left);
    if (job.targets !== undefined && job.next >= job.targets.length) finishJob(step, jobs.shift()!);
  }
}

/**
 * Settles copies that have ended, tells of a leader's own that were liquidated, and answers how
 * much more the slice may do.
 */
function settleEnded(step: Step, atMost: number): number {
  const { ended, tracked } = step.state.copy;
  const now = ended.splice(0, atMost);
  for (const id of now) {
    const order = tracked.get(id);
    if (order?.kind === 'original') emitLiquidated(step, order);
    else settleCopy(step, id);
    step.endPart();
  }
  return atMost - now.length;
}

function goOnWith(step: Step, job: MirrorJob, atMost: number): number {
  let left = atMost;
  const targets = begin(step, job);
  while (left > 0 && job.next < targets.length) {
    mirrorOne(step, job, targets[job.next++]!);
    step.endPart();
    // What this one ended is settled with it.
    settleEnded(step, step.state.copy.ended.length);
    left--;
  }
  return left;
}

/**
 * Whom a job is about is settled when its turn comes; later followers and copies are not part of
 * it.
 */
function begin(step: Step, job: MirrorJob): readonly (Id | Uid)[] {
  if (job.kind === 'exit') return job.targets;
  if (job.targets !== undefined) return job.targets;
  const { copy } = step.state;
  if (job.kind === 'retry') {
    copy.retries.delete(job.key);
    // Those that nobody takes stay where they are until somebody comes.
    job.targets = wantedOfStuck(step, job.key);
    return job.targets;
  }
  const original = originalOf(step.state.copy, job.originalId);
  if (job.kind === 'close') {
    original.closeQueued = false;
    job.targets = [...original.copies];
    return job.targets;
  }
  const { followers } = copy.leaders.get(original.leader)!;
  job.targets = followers
    .filter(({ followingId }) => followingId < original.id)
    .map(({ uid }) => uid);
  return job.targets;
}

function mirrorOne(step: Step, job: MirrorJob, target: Id | Uid): void {
  switch (job.kind) {
    case 'open':
      mirrorOpen(step, originalOf(step.state.copy, job.originalId), target as Uid);
      break;
    case 'close':
      mirrorClose(step, originalOf(step.state.copy, job.originalId), target as Id);
      break;
    case 'exit':
    case 'retry':
      goOnClosing(step, target as Id);
      break;
    default:
      unreachable(job);
  }
}

/**
 * A copy keeps the share that its leader has kept, counted from when its holder last changed it
 * himself.
 */
function mirrorClose(step: Step, { heldLots }: Original, id: Id): void {
  const copy = step.state.copy.tracked.get(id);
  if (copy?.kind !== 'copy' || copy.lots === 0) return;
  copy.leaderLots = heldLots;
  const kept = (
    heldLots === 0 ? 0 : copyLotsLeft(copy.base.lots, heldLots, copy.base.leaderLots)
  ) as Lots;
  if (kept < copy.lots) bringDownTo(step, copy, kept, 'leader');
}

function goOnClosing(step: Step, id: Id): void {
  const order = step.state.copy.tracked.get(id);
  if (order !== undefined && order.lots > 0) tryToClose(step, order);
}

function finishJob(step: Step, job: MirrorJob): void {
  if (job.kind === 'exit' || job.kind === 'retry') return;
  const original = originalOf(step.state.copy, job.originalId);
  original.pending--;
  dropOriginal(step, original);
}
