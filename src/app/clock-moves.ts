/**
 * Moves the exchange clock in portions, with a step of the simulated market at the end of each.
 * Other calls run between portions, so that no call waits for the whole move (CLK-29).
 */

import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { CLOCK_MOVE_MAX } from '../core/clock/clock.ts';
import type { Engine } from '../core/engine.ts';
import { CATCH_UP_MS_MAX } from '../formulas/exchange-clock.ts';
import { nextFunding } from '../formulas/funding.ts';
import type { ClockMove, ClockWay } from '../gateway/handlers/parts.ts';
import { ok, type Result } from '../kernel/result.ts';
import {
  DAY,
  HOUR,
  MINUTE,
  SECOND,
  startOfSettlementDay,
  TIME_MAX,
  type Timestamp,
} from '../kernel/time.ts';
import type { Outcomes } from '../messages/outcomes.ts';
import type { Rejection } from '../messages/rejections.ts';
import { STEP_MS } from '../simulator/market/market.ts';
import type { Submit } from '../simulator/market/market-accounts.ts';

export interface ClockMovesOptions {
  readonly engine: Engine;
  /** Real time. */
  readonly wall: () => Timestamp;
  /** Exchange time. */
  readonly now: () => Timestamp;
  readonly submit: Submit;
  /** Runs one market step now; resolves when its commands are durable. */
  readonly step: () => Promise<void>;
  /** Tells the market that it has followed the move: its next step is due one second later. */
  readonly arrive: () => Promise<void>;
  /** Resolves when history and snapshots have caught up, or when the exchange ends. */
  readonly followed: () => Promise<void>;
  readonly isClosing: () => boolean;
}

/** Pause before the single retry of a refused portion. */
const REFUSED_PAUSE_MS = SECOND / 10;
/** A week in steps of five minutes; longer moves have longer steps. */
const STEPS_PER_MOVE_MAX = 2_016;
/**
 * Portion of a move without the market. One day of fundings and interest is quick; a month is not.
 */
const PORTION_MS = DAY;

/** The interval between market steps for a move of this length. */
export function spacingOf(spanMs: number): number {
  if (spanMs <= MINUTE) return STEP_MS;
  if (spanMs <= HOUR) return 10 * SECOND;
  return Math.max(MINUTE, Math.ceil(spanMs / STEPS_PER_MOVE_MAX / SECOND) * SECOND);
}

type Moved = Result<Outcomes['moveClock'], Rejection>;

export class ClockMoves {
  readonly #options: ClockMovesOptions;
  #way: ClockWay | undefined;
  /** The previous portion. The next one is executed while it is written. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(options: ClockMovesOptions) {
    this.#options = options;
  }

  /** The move in progress. */
  get way(): ClockWay | undefined {
    return this.#way;
  }

  async move(move: ClockMove): Promise<Moved> {
    const { wall, submit } = this.#options;
    const { to: goal, ...rest } = move;
    const to = this.#momentOf(goal);
    const asked = { ...rest, ...(to === undefined ? {} : { to }) };
    const way = this.#wayOf(asked);
    if (way === undefined) return submit({ type: 'moveClock', wall: wall(), ...asked });
    this.#way = way;
    try {
      return await this.#go(way);
    } finally {
      this.#way = undefined;
    }
  }

  async #go(way: ClockWay): Promise<Moved> {
    const { engine, wall, submit, arrive, followed } = this.#options;
    const { marketOn } = engine.state;
    if (marketOn) await this.#playAlong(way);
    const stopped = await this.#passDays(way.to);
    if (stopped !== undefined) return stopped;
    // A running clock may have passed the target by itself.
    const to = Math.max(way.to, this.#now()) as Timestamp;
    const reached = submit({ type: 'moveClock', wall: wall(), to });
    if (marketOn) await arrive();
    const outcome = await reached;
    if (!outcome.ok) return outcome;
    // The caller continues on the answer. Its next call must not be refused because of rows that
    // this move still has to store (VIEW-13).
    await followed();
    return ok({ now: outcome.value.now });
  }

  #now(): Timestamp {
    return this.#options.now();
  }

  #momentOf(goal: ClockMove['to']): Timestamp | undefined {
    const { engine } = this.#options;
    const now = this.#now();
    if (goal === 'nextDay') return (startOfSettlementDay(now) + DAY) as Timestamp;
    if (goal !== 'nextFunding') return goal;
    const instruments = [...engine.state.instruments.values()];
    const hours = instruments
      .map(({ instrument }) => instrument.fundingHours)
      .filter((each) => each > 0);
    // An exchange without futures uses the usual funding interval.
    return Math.min(
      ...(hours.length === 0 ? [8] : hours).map((each) => nextFunding(now, each)),
    ) as Timestamp;
  }

  /** The portions of a forward move that will be accepted; undefined for any other move. */
  #wayOf(move: Omit<ClockMove, 'to'> & { readonly to?: Timestamp }): ClockWay | undefined {
    if (Object.values(move).filter((value) => value !== undefined).length !== 1) return undefined;
    const from = this.#now();
    const to = (move.to ?? from + (move.advanceMs ?? 0)) as Timestamp;
    return to > from && to - from <= CLOCK_MOVE_MAX && to <= TIME_MAX ? { from, to } : undefined;
  }

  async #playAlong({ from, to }: ClockWay): Promise<void> {
    const { step, isClosing } = this.#options;
    const spacing = spacingOf(to - from);
    for (let at = from - (from % spacing) + spacing; at < to && !isClosing(); at += spacing) {
      let moved = this.#goTo(at as Timestamp);
      if (this.#now() < at) {
        // History may have been full, or the journal behind. A second refusal, as on a full disk,
        // ends the move.
        await this.#options.followed();
        await pause(REFUSED_PAUSE_MS);
        moved = this.#goTo(at as Timestamp);
        if (this.#now() < at) return;
      }
      await this.#letOthersIn(Promise.all([moved, step()]));
    }
  }

  /** Moves until at most one portion remains. Returns the refusal if one was refused. */
  async #passDays(to: Timestamp): Promise<Moved | undefined> {
    const { isClosing } = this.#options;
    for (;;) {
      // The program's end waits for the move, so the rest takes few commands (CLK-26).
      const at = (this.#now() + (isClosing() ? CATCH_UP_MS_MAX : PORTION_MS)) as Timestamp;
      if (at >= to) return undefined;
      const moved = this.#goTo(at);
      if (this.#now() < at) {
        const refused = await moved;
        if (refused?.ok === false) return refused;
      }
      await this.#letOthersIn(moved);
    }
  }

  /** A running clock may already be past this time. A refused move leaves the clock unchanged. */
  #goTo(at: Timestamp): Promise<Moved | undefined> {
    const { wall, submit } = this.#options;
    if (at <= this.#now()) return Promise.resolve(undefined);
    return submit({ type: 'moveClock', wall: wall(), to: at });
  }

  /**
   * At most two portions are not durable at a time, so the views receive small batches (CLK-29).
   */
  async #letOthersIn(portion: Promise<unknown>): Promise<void> {
    await this.#before;
    this.#before = portion;
    await this.#options.followed();
    await turn();
  }
}
