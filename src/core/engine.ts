/**
 * The exchange as one deterministic machine: commands in, outcomes and events out, nothing else
 * decides.
 */
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
import { settleOwnCopies } from './trading/charges/profit-shares.ts';
import { beginCharging, settlePendingCharges } from './trading/charges/settle-charges.ts';
import type { Handler, Step } from './transaction/step.ts';
import { EmittedEvents, takeDueTimer } from './transaction/step.ts';
import { firePortion, hasReached } from './triggers/fire-triggers.ts';

export interface Executed extends EventBatch {
  readonly outcome: Result<unknown, Rejection>;
}

/** What the journal calls a machine, and a look inside for those who audit it. */
export interface Engine {
  /** The last command executed and the time it left the exchange at; 0 before the first. */
  readonly sequence: Sequence;
  readonly at: Timestamp;
  readonly state: State;
  /**
   * Executes the next command in line. Throws BrokenInvariant when the state can no longer be
   * trusted, and from then on always.
   */
  execute(command: Command, at: Timestamp): Executed;
  /** What the exchange clock shows when the wall clock shows `wall`. */
  exchangeTime(wall: Timestamp): Timestamp;
  /** Whether work is left that the next command goes on with. */
  hasDeferredWork(): boolean;
  /** Runs over every outcome and event so far, those that carry credentials aside. */
  digest(): string;
  /** SHA-256 of the whole state, credentials aside. */
  stateHash(): string;
  audit(): AuditReport;
  serialize(): Uint8Array;
  restore(bytes: Uint8Array): void;
}

/**
 * Names the shape of serialized state; whoever changes the shape raises it, and older bytes are
 * refused.
 */
const STATE_VERSION = 16;

/** In bytes a table of ids is a map. */
type SavedState = Omit<State, 'orders'> & { readonly orders: ReadonlyMap<Id, Order> };

function runHandler<Type extends CommandType>(
  step: Step,
  command: CommandOf<Type>,
): Result<Outcomes[Type], Rejection> {
  const handler: Handler<Type> = handlers[command.type];
  return handler(step, command);
}

/** Runs a command's handler; one that refuses has told nothing and taken no id. */
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
    // The moment at which somebody stopped the clock is an accident of his run; what happens from
    // there on is not.
    if (command.type !== 'moveClock') digestOutcome(state.digest, command.type, outcome);
    return outcome;
  });
}

function liquidate(core: CoreState, at: Timestamp, emitted: EmittedEvents): void {
  liquidatePairsAtRisk(core, at, emitted);
  liquidateAtRisk(core, at, emitted);
}

/**
 * What a cause leaves to be done at once. Whoever set a stop leaves by it before the same price
 * liquidates him; what that trades may reach more.
 */
function followUp(core: CoreState, at: Timestamp, emitted: EmittedEvents): void {
  if (hasReached(core.state)) runTransaction(core, at, emitted, firePortion);
  liquidate(core, at, emitted);
}

function continueDeferredWork(core: CoreState, at: Timestamp, emitted: EmittedEvents): void {
  doDeferredWork(core, at, emitted, () => liquidate(core, at, emitted));
}

const hourOf = (at: Timestamp): number => Math.floor(at / HOUR);

/**
 * Charges fall due at full hours, and what a position can pay at one follows from what it paid at
 * the last: so nobody waits from one hour into the next. Where ticks come as they should, nobody
 * has waited that long.
 */
function endLine(core: CoreState, emitted: EmittedEvents): void {
  while (core.state.pendingCharges !== undefined) {
    beginCharging(core.derived);
    continueDeferredWork(core, core.state.at, emitted);
  }
}

/**
 * All books that are looked at at one moment move their marks before anything follows from them
 * (PRC-153).
 */
const isLookedAtWith = ({ kind, due: moment }: Timer, next: Timer | undefined): boolean =>
  kind === 'markSample' && next?.kind === kind && next.due === moment;

/**
 * Lets time pass up to a moment: whatever falls due on the way happens, each at its own time, with
 * all that follows from it.
 */
function passTime(core: CoreState, until: Timestamp, emitted: EmittedEvents): void {
  const { state } = core;
  for (;;) {
    const timer = takeDueTimer(state.timers, until);
    if (timer === undefined) break;
    if (hourOf(timer.due) > hourOf(state.at)) endLine(core, emitted);
    if (timer.due !== state.at) beginCharging(core.derived);
    runTransaction(core, timer.due, emitted, (step) => due[timer.kind](step, timer));
    if (isLookedAtWith(timer, state.timers[0])) continue;
    followUp(core, timer.due, emitted);
    continueDeferredWork(core, timer.due, emitted);
  }
  state.at = until;
}

/**
 * A clock that is moved by hand leaves nothing behind: each timer finds all that came before it
 * done.
 */
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
 * Whoever does something is charged first what he waits to be charged (CLK-28), and shares first
 * what copies that have ended brought him (CPY-160).
 */
function chargeFirst(
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
    invariant(false, `time goes forward: a command at ${at} after ${state.at}`);
  const emitted = new EmittedEvents(at);
  if (state.sequence === 0) runTransaction(core, at, emitted, startSettlementDays);
  const sequence = (state.sequence + 1) as Sequence;
  state.sequence = sequence;
  beginCharging(core.derived);
  passTime(core, at, emitted);
  chargeFirst(core, at, emitted, command);
  const outcome = runCommand(core, at, emitted, command);
  if (outcome.ok) followUp(core, at, emitted);
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
      invariant(!broken, 'an engine with a broken invariant executes nothing more');
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
          `its state is of version ${saved.version}, and this program reads version ${STATE_VERSION}`,
        );
      state = { ...saved.state, orders: IdTable.of(saved.state.orders) };
      derived = rebuildDerived(state, options);
      hashed = undefined;
      broken = false;
    },
  };
}
