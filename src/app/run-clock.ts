/**
 * The exchange clock of one run. It is held at a given start time until the first request, and
 * queries never see a time that is not durable.
 */
import { CATCH_UP_MS_MAX, shownTime } from '../formulas/exchange-clock.ts';
import type { Sequence } from '../kernel/ids.ts';
import { type Clock, MINUTE, type Timestamp } from '../kernel/time.ts';
import type { ClockSetting } from '../messages/events.ts';
import type { Core } from './core.ts';
import type { HeldClock } from './held-clock.ts';

/**
 * System clocks are corrected by small amounts. The exchange clock waits for a smaller one, then
 * shows the real time again.
 */
const BEHIND_MS_MAX = MINUTE;

export interface RunClockOptions {
  readonly core: Core;
  /** The real clock, which is also the source of command times. */
  readonly real: Clock;
  readonly held: HeldClock;
  /** The start time of a first start; now if omitted. */
  readonly startTime: number | undefined;
  readonly isServing: () => boolean;
}

export class RunClock {
  readonly #options: RunClockOptions;
  /** The held time that queries see until the command that releases the clock is durable. */
  #heldUntil: { readonly at: Timestamp; readonly until: Sequence } | undefined;

  /** Holds the clock if the exchange has a start time and has executed no command yet. */
  constructor(options: RunClockOptions) {
    this.#options = options;
    const { core, held, startTime } = options;
    const { state, at, sequence } = core.engine;
    const isUntouched =
      sequence === 0 ||
      (at === startTime && state.clock.offsetMs === 0 && state.clock.frozenAt === undefined);
    if (startTime !== undefined && isUntouched) held.hold(startTime as Timestamp);
  }

  /** The time stamped on commands. */
  engineNow = (): Timestamp => this.#options.core.engine.exchangeTime(this.#options.held.wall());

  /** Taken from the views: the engine's clock may follow a command that is not durable yet. */
  exchangeNow = (wall = this.#options.real.wall()): Timestamp => {
    const { core, held } = this.#options;
    const heldUntil = this.#heldUntil;
    const isDurable = heldUntil === undefined || core.sequencer.status().durable >= heldUntil.until;
    return core.views.clock.exchangeTime(isDurable ? held.shownAt(wall) : heldUntil.at);
  };

  /**
   * Resolves to how far the system clock is behind the last command, if it is far. The exchange
   * clock has continued from that command (CLK-25).
   */
  async continueFromLast(): Promise<number | undefined> {
    const { core, real, held } = this.#options;
    const { engine, sequencer } = core;
    const wall = real.wall();
    const behindMs = engine.at - shownTime(engine.state.clock, wall);
    if (held.isHeld || engine.state.clock.frozenAt !== undefined || behindMs <= BEHIND_MS_MAX)
      return undefined;
    await sequencer.submit({ type: 'moveClock', wall, to: engine.at });
    return behindMs;
  }

  /**
   * Advances the clock over the downtime month by month, each durable before the next, until the
   * rest fits one command (CLK-150). Fast clocks skip this: one night may be centuries.
   */
  async catchUp(): Promise<void> {
    const { engine, sequencer } = this.#options.core;
    if (engine.sequence === 0 || engine.state.clock.fast !== undefined) return;
    while (
      this.engineNow() - engine.at >= CATCH_UP_MS_MAX &&
      (await sequencer.submit({ type: 'tick' })).ok
    );
  }

  /** Releases a held clock. */
  begin(): void {
    const { core, real, held, isServing } = this.#options;
    if (!held.isHeld || !isServing()) return;
    const { clock } = core.engine.state;
    void core.sequencer.submit({ type: 'moveClock', wall: real.wall(), to: held.wall() });
    this.releaseIfMoved(clock);
  }

  /**
   * The engine's clock continues at once, that of the queries when the move is durable. A refused
   * move leaves the clock held.
   */
  releaseIfMoved(before: ClockSetting): void {
    const { core, held, isServing } = this.#options;
    if (!held.isHeld || !isServing() || core.engine.state.clock === before) return;
    this.#heldUntil = { at: held.wall(), until: core.engine.sequence };
    held.release();
  }

  /** All commands that `run` submits get one time, even on a fast clock. */
  atOneMoment<Value>(run: () => Value, agoMs = 0): Value {
    return this.#options.held.atOneMoment(run, agoMs);
  }
}
