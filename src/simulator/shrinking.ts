/**
 * Makes a failing history short: takes commands away as long as what is left still fails in the
 * same way.
 */

import type { WorkPortions } from '../core/derived/work-portions.ts';
import { createEngine } from '../core/engine.ts';
import { auditFindings, isAuditedAfter, type LivedCommand } from './simulation.ts';

/** Commands executed in all while shrinking: a minute or so of work. */
const EXECUTIONS_MAX = 400_000;

/**
 * What a failure is about, whatever its numbers: shrinking must not turn one failure into another.
 */
const gistOf = (sentence: string): string => sentence.replaceAll(/\d+(?:\.\d+)?/g, '#');

/**
 * Lives a history without a disk and audits it after every so many commands, as a simulation does,
 * and at its end; answers what is wrong, if anything.
 */
export function failureOf(
  history: readonly LivedCommand[],
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

/**
 * The commands up to the first at which something is wrong; undefined when nothing is without a
 * disk.
 */
function untilItFails(
  history: readonly LivedCommand[],
  portions: WorkPortions,
): readonly LivedCommand[] | undefined {
  if (failureOf(history, 100, portions) === undefined) return undefined;
  let [fine, failing] = [0, history.length];
  while (failing - fine > 1) {
    const middle = Math.floor((fine + failing) / 2);
    if (failureOf(history.slice(0, middle), 100, portions) === undefined) fine = middle;
    else failing = middle;
  }
  return history.slice(0, failing);
}

/**
 * A shorter history that fails in the same way, or undefined when this one does not fail without a
 * disk.
 */
export function shrink(
  history: readonly LivedCommand[],
  portions: WorkPortions,
): readonly LivedCommand[] | undefined {
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
      const without: readonly LivedCommand[] = [
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
