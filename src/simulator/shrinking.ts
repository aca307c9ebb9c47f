/** Shortens a failing history: removes commands while the rest still fails in the same way. */

import type { WorkPortions } from '../core/derived/work-portions.ts';
import { createEngine } from '../core/engine.ts';
import { auditFindings, type ExecutedCommand, isAuditedAfter } from './simulation.ts';

/** Limits all executions while shrinking to about a minute. */
const EXECUTIONS_MAX = 400_000;

/** The failure without its numbers, so that shrinking does not turn one failure into another. */
const gistOf = (sentence: string): string => sentence.replaceAll(/\d+(?:\.\d+)?/g, '#');

/**
 * Replays a history without a disk, with a simulation's audits and one at its end. Returns the
 * failure, if any.
 */
export function failureOf(
  history: readonly ExecutedCommand[],
  auditEvery: number,
  portions: WorkPortions,
): string | undefined {
  const engine = createEngine({ portions });
  try {
    for (const [place, { command, at }] of history.entries()) {
      engine.execute(command, at);
      const finding = isAuditedAfter(command, place + 1, auditEvery)
        ? auditFindings(engine)
        : undefined;
      if (finding !== undefined) return finding;
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return auditFindings(engine);
}

/** The commands up to the first failure; undefined if there is none without a disk. */
function untilItFails(
  history: readonly ExecutedCommand[],
  portions: WorkPortions,
): readonly ExecutedCommand[] | undefined {
  if (failureOf(history, 100, portions) === undefined) return undefined;
  let [fine, failing] = [0, history.length];
  while (failing - fine > 1) {
    const middle = Math.floor((fine + failing) / 2);
    if (failureOf(history.slice(0, middle), 100, portions) === undefined) fine = middle;
    else failing = middle;
  }
  return history.slice(0, failing);
}

/** A shorter history that fails in the same way; undefined if this one passes without a disk. */
export function shrink(
  history: readonly ExecutedCommand[],
  portions: WorkPortions,
): readonly ExecutedCommand[] | undefined {
  let current = untilItFails(history, portions);
  if (current === undefined) return undefined;
  const gist = gistOf(failureOf(current, 100, portions)!);
  let executions = 0;
  for (
    let width = Math.ceil(current.length / 2);
    width >= 1;
    width = width === 1 ? 0 : Math.ceil(width / 2)
  ) {
    for (let start = 0; start < current.length && executions < EXECUTIONS_MAX; ) {
      const without: readonly ExecutedCommand[] = [
        ...current.slice(0, start),
        ...current.slice(start + width),
      ];
      executions += without.length;
      const failure = failureOf(without, Math.max(1, without.length), portions);
      if (failure !== undefined && gistOf(failure) === gist) current = without;
      else start += width;
    }
  }
  return current;
}
