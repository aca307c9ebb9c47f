/**
 * Mirrors in bounded portions, first come, first served; the followers of an order in the order in
 * which they began to follow (CPY-42). A refusal concerns one follower only.
 */
import { copyLotsLeft } from '../../formulas/copy-trading.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import { unreachable } from '../../kernel/invariant.ts';
import type { Lots } from '../book/order-book.ts';
import { type MirrorJob, type Original, originalOf } from '../state/copy-state.ts';
import { resumeStale, settleCopy } from '../trading/charges/settle-charges.ts';
import type { Step } from '../transaction/step.ts';
import { bringDownTo, tradableStuck, tryToClose } from './close-tracked.ts';
import { mirrorOpen } from './mirror-open.ts';
import { dropOriginal, emitLiquidated } from './tracked-order.ts';

export function mirrorPortion(step: Step): void {
  const { jobs } = step.state.copy;
  resumeStale(step);
  let left = settleEnded(step, step.derived.portions.mirrors);
  while (left > 0) {
    const job = jobs[0];
    if (job === undefined) return;
    left = continueJob(step, job, left);
    if (job.targets !== undefined && job.next >= job.targets.length) finishJob(step, jobs.shift()!);
  }
}

/**
 * Settles ended copies and emits the ends of liquidated originals. Returns how much of the portion
 * is left.
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

function continueJob(step: Step, job: MirrorJob, atMost: number): number {
  let left = atMost;
  const targets = beginJob(step, job);
  while (left > 0 && job.next < targets.length) {
    mirrorOne(step, job, targets[job.next++]!);
    step.endPart();
    // What this one has ended settles in the same portion.
    settleEnded(step, step.state.copy.ended.length);
    left--;
  }
  return left;
}

/** Fixes the targets when the job begins; later followers and copies are not part of it. */
function beginJob(step: Step, job: MirrorJob): readonly (Id | Uid)[] {
  if (job.kind === 'exit') return job.targets;
  if (job.targets !== undefined) return job.targets;
  const { copy } = step.state;
  if (job.kind === 'retry') {
    copy.retries.delete(job.key);
    // Closes without a counterparty stay where they are.
    job.targets = tradableStuck(step, job.key);
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
      retryClose(step, target as Id);
      break;
    default:
      unreachable(job);
  }
}

/**
 * A copy keeps the leader's remaining share, counted from the follower's last own close (CPY-158).
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

function retryClose(step: Step, id: Id): void {
  const order = step.state.copy.tracked.get(id);
  if (order !== undefined && order.lots > 0) tryToClose(step, order);
}

function finishJob(step: Step, job: MirrorJob): void {
  if (job.kind === 'exit' || job.kind === 'retry') return;
  const original = originalOf(step.state.copy, job.originalId);
  original.pending--;
  dropOriginal(step, original);
}
