/** Queues mirroring; `mirror.ts` takes it off in portions. */
import type { Id } from '../../kernel/ids.ts';
import type { CopyState, Original } from '../state/copy-state.ts';
import type { Step } from '../transaction/step.ts';

/** The followers are those that the leader has when the job begins. */
export function queueOpen({ state }: Step, original: Original): void {
  original.pending++;
  state.copy.jobs.push({ kind: 'open', originalId: original.id, next: 0 });
}

/** Closes copies down to their share. One queued job serves all closes until it begins. */
export function queueClose({ state }: Step, original: Original): void {
  if (original.closeQueued) return;
  original.closeQueued = true;
  original.pending++;
  state.copy.jobs.push({ kind: 'close', originalId: original.id, next: 0 });
}

export function queueTpsl({ state }: Step, targets: readonly Id[]): void {
  if (targets.length > 0) state.copy.jobs.push({ kind: 'exit', targets, next: 0 });
}

export function queueRetry({ copy }: { readonly copy: CopyState }, key: string): void {
  if (!copy.stuck.has(key) || copy.retries.has(key)) return;
  copy.retries.add(key);
  copy.jobs.push({ kind: 'retry', key, next: 0 });
}
