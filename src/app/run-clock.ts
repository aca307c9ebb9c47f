/**
 * The exchange clock of one life: held at a given start until somebody asks something of it, and
 * shown no earlier than it is durable.
 */
import { CATCH_UP_MS_MAX, shownTime } from '../formulas/exchange-clock.ts';
import type { Sequence } from '../kernel/ids.ts';
import { type Clock, MINUTE, type Timestamp } from '../kernel/time.ts';
import type { ClockSetting } from '../messages/events.ts';
import type { Core } from './core.ts';
import type { HeldClock } from './held-clock.ts';

/**
 * Clocks of machines are set right by a little now and then; the exchange clock stands for that
 * long, and shows the real time after it.
 */
const BEHIND_MS_MAX = MINUTE;

export interface RunClockOptions {
  readonly core: Core;
  /** The real clock, and the one that commands are stamped by. */
  readonly real: Clock;
  readonly held: HeldClock;
  /** When a first start begins; now when left out. */
  readonly startTime: number | undefined;
  readonly isServing: () => boolean;
}

export class RunClock {
  readonly #options: RunClockOptions;
  /** Where the clock stood, for the views, until the command that let it go is durable. */
  #standing: { readonly at: Timestamp; readonly until: Sequence } | undefined;

  /**
   * An exchange that is to begin at a given time, and of which nothing was asked yet, stands there.
   */
  constructor(options: RunClockOptions) {
    this.#options = options;
    const { core, held, startTime } = options;
    const { state, at, sequence } = core.engine;
    const isUntouched =
      sequence === 0 ||
      (at === startTime && state.clock.offsetMs === 0 && state.clock.frozenAt === undefined);
    if (startTime !== undefined && isUntouched) held.hold(startTime as Timestamp);
  }

  /** What commands are stamped with. */
  engineNow = (): Timestamp => this.#options.core.engine.exchangeTime(this.#options.held.wall());

  /** By the views: the engine may have moved its clock by a command that is not durable yet. */
  exchangeNow = (wall = this.#options.real.wall()): Timestamp => {
    const { core, held } = this.#options;
    const standing = this.#standing;
    const isDurable = standing === undefined || core.sequencer.status().durable >= standing.until;
    return core.views.clock.exchangeTime(isDurable ? held.shownAt(wall) : standing.at);
  };

  /**
   * Answers how far the clock of the machine was behind the last command, when that was far; the
   * exchange clock has gone on from there (CLK-25).
   */
  async goOnFromLast(): Promise<number | undefined> {
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
   * Lets the time pass that has passed while nobody served, month by month and each kept before the
   * next, until no more is left than may pass with a command (CLK-150). On a fast clock a night may
   * be centuries, and nobody is kept waiting for them.
   */
  async catchUp(): Promise<void> {
    const { engine, sequencer } = this.#options.core;
    if (engine.sequence === 0 || engine.state.clock.fast !== undefined) return;
    while (
      this.engineNow() - engine.at >= CATCH_UP_MS_MAX &&
      (await sequencer.submit({ type: 'tick' })).ok
    );
  }

  /** The clock goes on from where it was held. */
  begin(): void {
    const { core, real, held, isServing } = this.#options;
    if (!held.isHeld || !isServing()) return;
    const { clock } = core.engine.state;
    void core.sequencer.submit({ type: 'moveClock', wall: real.wall(), to: held.wall() });
    this.letGoIfMoved(clock);
  }

  /**
   * The engine goes on at once; the views, and whoever reads them, when the move is durable. A move
   * that was refused leaves the clock standing.
   */
  letGoIfMoved(before: ClockSetting): void {
    const { core, held, isServing } = this.#options;
    if (!held.isHeld || !isServing() || core.engine.state.clock === before) return;
    this.#standing = { at: held.wall(), until: core.engine.sequence };
    held.release();
  }

  /** All that is done meanwhile is done at one time, however fast the clock runs. */
  atOneMoment<Value>(run: () => Value, agoMs = 0): Value {
    return this.#options.held.atOneMoment(run, agoMs);
  }
}
