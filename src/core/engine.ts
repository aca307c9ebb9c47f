/** The exchange as a deterministic machine: commands go in, outcomes and events come out. */
import { OtherVersion } from '../kernel/bytes.ts';
import { canonicalBytes, fromCanonicalBytes } from '../kernel/canonical.ts';
import { digestText } from '../kernel/digest.ts';
import { sha256Hex } from '../kernel/hash.ts';
import { IdTable } from '../kernel/id-table.ts';
import type { Id, Sequence } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import type { Result } from '../kernel/result.ts';
import { HOUR, type Timestamp } from '../kernel/time.ts';
import type { Command, CommandOf, CommandType } from '../messages/commands.ts';
import type { EventBatch } from '../messages/events.ts';
import type { Outcomes } from '../messages/outcomes.ts';
import type { Rejection } from '../messages/rejections.ts';
import { exchangeTime } from './clock/clock.ts';
import { startSettlementDays } from './clock/settlement-days.ts';
import type { CoreState } from './derived/derived.ts';
import { due } from './due.ts';
import { digestOutcome } from './event-digest.ts';
import {
  doDeferredWork,
  hasDeferredWork,
  liquidateAtRisk,
  liquidatePairsAtRisk,
  runTransaction,
} from './event-loop.ts';
import { handlers } from './handlers.ts';
import { type AuditReport, audit } from './invariants.ts';
import { type EngineOptions, emptyDerived, rebuildDerived } from './rebuild.ts';
import type { Order } from './state/order.ts';
import { emptyState, type State } from './state/state.ts';
import type { Timer } from './state/timer.ts';
import {
  beginCharging,
  settleOwnCopies,
  settlePendingCharges,
} from './trading/charges/settle-charges.ts';
import type { Handler, Step } from './transaction/step.ts';
import { EmittedEvents, takeDueTimer } from './transaction/step.ts';
import { firePortion, hasReached } from './triggers/fire-triggers.ts';

export interface Executed extends EventBatch {
  readonly outcome: Result<unknown, Rejection>;
}

/** The machine that the journal runs, with access to its state for audits. */
export interface Engine {
  /** The last command and its exchange time; 0 before the first. */
  readonly sequence: Sequence;
  readonly at: Timestamp;
  readonly state: State;
  /** Executes the next command. After a BrokenInvariant each further call throws, too. */
  execute(command: Command, at: Timestamp): Executed;
  /** The exchange time at the wall clock time `wall`. */
  exchangeTime(wall: Timestamp): Timestamp;
  /** True if deferred work is left for the next command. */
  hasDeferredWork(): boolean;
  /** Covers every outcome and event so far, except credentials. */
  digest(): string;
  /** SHA-256 of the whole state, except credentials. */
  stateHash(): string;
  audit(): AuditReport;
  serialize(): Uint8Array;
  restore(bytes: Uint8Array): void;
}

/**
 * The version of the serialized state. A change of its shape raises it, and older bytes are
 * refused.
 */
const STATE_VERSION = 16;

/** The orders are saved as a map, and `restore` makes an `IdTable` of it. */
type SavedState = Omit<State, 'orders'> & { readonly orders: ReadonlyMap<Id, Order> };

function runHandler<Type extends CommandType>(
  step: Step,
  command: CommandOf<Type>,
): Result<Outcomes[Type], Rejection> {
  const handler: Handler<Type> = handlers[command.type];
  return handler(step, command);
}

/** Runs the handler of a command, and checks that a refusal has emitted nothing and taken no id. */
function runCommand(
  core: CoreState,
  at: Timestamp,
  emitted: EmittedEvents,
  command: Command,
): Result<unknown, Rejection> {
  const { state } = core;
  return runTransaction(core, at, emitted, (step) => {
    const before = emitted.events.length;
    const { nextId } = state;
    const outcome = runHandler(step, command);
    if (!outcome.ok)
      invariant(
        emitted.events.length === before && state.nextId === nextId,
        `a refused ${command.type} has changed nothing`,
      );
    // The time at which a clock was moved differs between runs, so it stays out of the digest.
    if (command.type !== 'moveClock') digestOutcome(state.digest, command.type, outcome);
    return outcome;
  });
}

function liquidate(core: CoreState, at: Timestamp, emitted: EmittedEvents): void {
  liquidatePairsAtRisk(core, at, emitted);
  liquidateAtRisk(core, at, emitted);
}

/**
 * Triggers fire before liquidations, so that a stop-loss closes before the same price liquidates.
 */
function runFollowUps(core: CoreState, at: Timestamp, emitted: EmittedEvents): void {
  if (hasReached(core.state)) runTransaction(core, at, emitted, firePortion);
  liquidate(core, at, emitted);
}

function continueDeferredWork(core: CoreState, at: Timestamp, emitted: EmittedEvents): void {
  doDeferredWork(core, at, emitted, () => liquidate(core, at, emitted));
}

const hourOf = (at: Timestamp): number => Math.floor(at / HOUR);

/**
 * Charges are due at full hours, and depend on the charges of the hour before. So all pending
 * charges are settled before the next full hour, if ticks have not settled them earlier.
 */
function drainPendingCharges(core: CoreState, emitted: EmittedEvents): void {
  while (core.state.pendingCharges !== undefined) {
    beginCharging(core.derived);
    continueDeferredWork(core, core.state.at, emitted);
  }
}

/** If several books are sampled at one time, all marks move before any follow-up (PRC-153). */
const isSampledWith = ({ kind, due: moment }: Timer, next: Timer | undefined): boolean =>
  kind === 'markSample' && next?.kind === kind && next.due === moment;

/** Runs the timers due up to a time, each at its own time and with all its follow-ups. */
function passTime(core: CoreState, until: Timestamp, emitted: EmittedEvents): void {
  const { state } = core;
  for (;;) {
    const timer = takeDueTimer(state.timers, until);
    if (timer === undefined) break;
    if (hourOf(timer.due) > hourOf(state.at)) drainPendingCharges(core, emitted);
    if (timer.due !== state.at) beginCharging(core.derived);
    runTransaction(core, timer.due, emitted, (step) => due[timer.kind](step, timer));
    if (isSampledWith(timer, state.timers[0])) continue;
    runFollowUps(core, timer.due, emitted);
    continueDeferredWork(core, timer.due, emitted);
  }
  state.at = until;
}

/** Moves the clock on command: before each timer, all deferred work is completed. */
function moveTime(core: CoreState, until: Timestamp, emitted: EmittedEvents): void {
  const { state } = core;
  for (;;) {
    while (hasDeferredWork(core)) {
      beginCharging(core.derived);
      continueDeferredWork(core, state.at, emitted);
    }
    const next = state.timers[0]?.due;
    if (next === undefined || next > until) break;
    passTime(core, next, emitted);
  }
  passTime(core, until, emitted);
}

/**
 * Before a user's command runs, settles their pending charges (CLK-28) and the profit shares of
 * their closed copies (CPY-160).
 */
function settleFirst(
  core: CoreState,
  at: Timestamp,
  emitted: EmittedEvents,
  command: Command,
): void {
  if (!('uid' in command)) return;
  const { uid } = command;
  if (core.state.pendingCharges === undefined && core.derived.tracked.ended.of(uid).size === 0)
    return;
  runTransaction(core, at, emitted, (step) => {
    settlePendingCharges(step, uid);
    settleOwnCopies(step, uid);
  });
  liquidate(core, at, emitted);
}

function executeNext(core: CoreState, command: Command, at: Timestamp): Executed {
  const { state } = core;
  if (!(Number.isSafeInteger(at) && at >= state.at))
    invariant(false, `time only moves forward: a command at ${at} after ${state.at}`);
  const emitted = new EmittedEvents(at);
  if (state.sequence === 0) runTransaction(core, at, emitted, startSettlementDays);
  const sequence = (state.sequence + 1) as Sequence;
  state.sequence = sequence;
  beginCharging(core.derived);
  passTime(core, at, emitted);
  settleFirst(core, at, emitted, command);
  const outcome = runCommand(core, at, emitted, command);
  if (outcome.ok) runFollowUps(core, at, emitted);
  continueDeferredWork(core, at, emitted);
  if (command.type === 'moveClock' && outcome.ok)
    moveTime(core, (outcome.value as Outcomes['moveClock']).now, emitted);
  const { events, moments } = emitted;
  return moments === undefined
    ? { sequence, at, events, outcome }
    : { sequence, at, events, outcome, moments };
}

function hashOf({ credentials: _left, ...compared }: State): string {
  return sha256Hex(canonicalBytes(compared));
}

export function createEngine(options: EngineOptions = {}): Engine {
  let state = emptyState();
  let derived = emptyDerived(state, options);
  let hashed: { readonly sequence: Sequence; readonly hash: string } | undefined;
  let broken = false;

  return {
    get sequence() {
      return state.sequence;
    },
    get at() {
      return state.at;
    },
    get state() {
      return state;
    },
    execute: (command, at) => {
      invariant(!broken, 'an engine with a broken invariant executes no commands');
      broken = true;
      const executed = executeNext({ state, derived }, command, at);
      broken = false;
      return executed;
    },
    exchangeTime: (wall) => exchangeTime(state, wall),
    hasDeferredWork: () => hasDeferredWork({ state, derived }),
    digest: () => digestText(state.digest),
    stateHash: () => {
      if (hashed?.sequence !== state.sequence)
        hashed = { sequence: state.sequence, hash: hashOf(state) };
      return hashed.hash;
    },
    audit: () => audit(state, derived),
    serialize: () => canonicalBytes({ version: STATE_VERSION, state }),
    restore: (bytes) => {
      const saved = fromCanonicalBytes<{ readonly version: number; readonly state: SavedState }>(
        bytes,
      );
      if (saved.version !== STATE_VERSION)
        throw new OtherVersion(
          `its state is of version ${saved.version}, ` +
            `and this program reads version ${STATE_VERSION}`,
        );
      state = { ...saved.state, orders: IdTable.of(saved.state.orders) };
      derived = rebuildDerived(state, options);
      hashed = undefined;
      broken = false;
    },
  };
}
