/**
 * Runs the simulated market on the exchange clock: one step per second while the clock runs, none
 * while it is held, and steps during a clock move.
 */
import type { Engine } from '../core/engine.ts';
import type { ClockMove, ClockWay } from '../gateway/handlers/parts.ts';
import { type Refused, type Result, refuse } from '../kernel/result.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Command, CommandOf } from '../messages/commands.ts';
import type { Outcomes } from '../messages/outcomes.ts';
import { type Rejection, rejection } from '../messages/rejections.ts';
import { Market, STEP_MS } from '../simulator/market/market.ts';
import { ensureMarketAccounts, type Submit } from '../simulator/market/market-accounts.ts';
import type { Followed } from '../simulator/market/market-step.ts';
import type { Feeds } from '../simulator/market/prices.ts';
import type { RecordedPaths } from '../simulator/market/recorded-path.ts';
import { ClockMoves } from './clock-moves.ts';
import { endAfter, followedCandleMs, overdueEnds } from './follow-times.ts';

export interface MarketDriverOptions {
  readonly engine: Engine;
  /** Real time. */
  readonly wall: () => Timestamp;
  /** Exchange time. */
  readonly now: () => Timestamp;
  readonly seed: number;
  readonly submit: Submit;
  readonly feeds: Feeds;
  /** Resolves when history has room and a snapshot is recent, or when waiting does not help. */
  readonly followed: () => Promise<void>;
  readonly recorded: RecordedPaths;
  /** All commands that `run` submits get one time, `agoMs` real milliseconds ago. */
  readonly atOneMoment: <Value>(run: () => Value, agoMs?: number) => Value;
  /** Called once for a series of failed steps. */
  readonly onFailure: (error: Error) => void;
}

export class MarketDriver {
  readonly #options: MarketDriverOptions;
  readonly #market: Market;
  /** Clock moves and market switches run one after the other. */
  #line: Promise<unknown> = Promise.resolve();
  #stepping = false;
  readonly #moves: ClockMoves;
  #closing = false;
  #close: () => void = () => {};
  readonly #closed = new Promise<void>((resolve) => {
    this.#close = resolve;
  });
  #failing = false;
  #last: Timestamp | undefined;
  /** When recordings were last followed. */
  #followed: Timestamp | undefined;
  /** When prices were last submitted. */
  #input = 0;

  constructor(options: MarketDriverOptions) {
    this.#options = options;
    this.#market = new Market({ ...options, state: () => options.engine.state });
    this.#moves = new ClockMoves({
      ...options,
      step: () => this.#step(this.#now()),
      arrive: () => {
        this.#last = (this.#now() - STEP_MS) as Timestamp;
        return this.#step(this.#now());
      },
      followed: () => Promise.race([options.followed(), this.#closed]),
      isClosing: () => this.#closing,
    });
  }

  /** Called several times per second; runs a step when one is due. */
  look(): void {
    const { engine } = this.#options;
    if (this.#stepping || this.#moves.way !== undefined || !engine.state.marketOn) return;
    const now = this.#now();
    this.#last ??= lastKnown(engine) ?? now;
    if (now - this.#last < STEP_MS) return;
    this.#stepping = true;
    const stepped = this.#options.atOneMoment(() => {
      void this.follow();
      return this.#step(this.#now());
    });
    void stepped.finally(() => {
      this.#stepping = false;
    });
  }

  /**
   * Real time until the next candle of a recording ends; undefined if none is followed on a fast
   * clock.
   */
  followInMs(): number | undefined {
    const rate = this.#followRate();
    if (rate === undefined) return undefined;
    const now = this.#now();
    const candleMs = followedCandleMs(this.#options.engine.state);
    return Math.max(1, (endAfter((this.#followed ?? now) + 1, candleMs) - now) / rate);
  }

  /**
   * Follows recordings to the ends of their candles. On a fast clock steps are further apart, and
   * candles between two steps would have no trades. A late end is still placed in its candle,
   * unless another event has happened since.
   */
  follow(): Promise<void> {
    return this.#options.atOneMoment(() => this.#followEnds());
  }

  async #followEnds(): Promise<void> {
    const { engine, atOneMoment } = this.#options;
    const rate = this.#followRate();
    if (rate === undefined || this.#followed === undefined) return;
    const now = this.#now();
    const candleMs = followedCandleMs(engine.state);
    const sent: Promise<void>[] = [];
    for (const end of overdueEnds(this.#followed, now, candleMs)) {
      const agoMs = Math.floor((now - end) / rate) + 1;
      const at = (end - 1) as Timestamp;
      if (now - agoMs * rate < engine.at) continue;
      const followed = { ms: at - this.#followed, spacingMs: candleMs };
      this.#followed = at;
      const run = (): Promise<void> => this.#market.follow(at, followed);
      sent.push(this.#trying(() => atOneMoment(run, agoMs)));
    }
    await Promise.all(sent);
  }

  /** The rate of the clock while a recording is followed; undefined if the steps are enough. */
  #followRate(): number | undefined {
    const { marketOn, clock, recordedPaths } = this.#options.engine.state;
    const follows = marketOn && this.#moves.way === undefined && recordedPaths.size > 0;
    return follows && clock.frozenAt === undefined ? clock.fast?.rate : undefined;
  }

  /**
   * On a fast clock an index grows stale between two steps, so a request first gets current prices
   * (MKT-21).
   */
  keepKnown(): void {
    const { engine } = this.#options;
    const { marketOn, clock } = engine.state;
    if (
      !marketOn ||
      this.#moves.way !== undefined ||
      clock.fast === undefined ||
      clock.frozenAt !== undefined
    )
      return;
    void this.follow();
    const now = this.#now();
    if (now - this.#input < STEP_MS) return;
    this.#input = now;
    try {
      this.#market.submitPrices(now);
    } catch {
      // The next step meets the same error and reports it.
    }
  }

  /**
   * Adds the makers' quotes to an operator's prices. An unreadable file does not block prices
   * (MKT-25).
   */
  withQuotes(command: Command): Command {
    if (command.type !== 'setPrices' || !this.#options.engine.state.marketOn) return command;
    try {
      return this.#market.withQuotes(command.prices, this.#now());
    } catch {
      return command;
    }
  }

  /** Switches the market on, and plays a scene from the first step if one is given. */
  switchOn(scene?: CommandOf<'playScene'>): Promise<Result<unknown, Rejection>> {
    return (
      this.#refusedOnTheWay() ??
      this.#inLine(async () => {
        const { engine, submit } = this.#options;
        await ensureMarketAccounts(() => engine.state, submit);
        const begins = !engine.state.marketOn;
        if (begins) this.#market.takeUp();
        const switched = submit({ type: 'switchMarket', on: true });
        // Refused, for example by a full disk.
        if (!engine.state.marketOn) return switched;
        const played = scene === undefined ? switched : submit(scene);
        if (begins) {
          this.#last = undefined;
          await this.#step(this.#now());
        }
        return played;
      })
    );
  }

  /**
   * Cancels its orders first: a market that is off has no orders, even after a crash in between.
   */
  switchOff(): Promise<Result<undefined, Rejection>> {
    return (
      this.#refusedOnTheWay() ??
      this.#inLine(async () => {
        const left = this.#market.leave();
        const switched = this.#options.submit({ type: 'switchMarket', on: false });
        await left;
        return switched;
      })
    );
  }

  /** While a move is in progress, a second one is refused (CLK-31). */
  moveClock(move: ClockMove): Promise<Result<Outcomes['moveClock'], Rejection>> {
    return this.#refusedOnTheWay() ?? this.#inLine(() => this.#moves.move(move));
  }

  clockWay(): ClockWay | undefined {
    return this.#moves.way;
  }

  /** Finishes the move at once, without further market steps. */
  breakOff(): void {
    this.#closing = true;
    this.#close();
  }

  /** Stops a move in portions and waits for the portion in progress. */
  async settle(): Promise<void> {
    this.breakOff();
    await this.#line;
  }

  #now(): Timestamp {
    return this.#options.now();
  }

  #inLine<Value>(run: () => Promise<Value>): Promise<Value> {
    const next = this.#line.then(run, run);
    this.#line = next.catch(() => undefined);
    return next;
  }

  async #step(at: Timestamp): Promise<void> {
    const passedMs = at - (this.#last ?? at);
    const followed = this.#followedUntil(at);
    this.#last = at;
    this.#input = at;
    await this.#trying(() => this.#market.step(at, passedMs, followed));
  }

  /** A step follows recordings too. */
  #followedUntil(at: Timestamp): Followed {
    const { state } = this.#options.engine;
    const ms = at - (this.#followed ?? this.#last ?? at);
    this.#followed = at;
    return { ms, spacingMs: this.#followRate() === undefined ? ms : followedCandleMs(state) };
  }

  /**
   * An error in a step, such as an unreadable file, does not end the exchange: the next step
   * retries.
   */
  async #trying(run: () => Promise<void>): Promise<void> {
    try {
      await run();
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) this.#options.onFailure(error as Error);
      this.#failing = true;
    }
  }

  #refusedOnTheWay(): Promise<Refused<Rejection>> | undefined {
    const { way } = this.#moves;
    return way && Promise.resolve(refuse(rejection('clockMoving', undefined, `${way.to}`)));
  }
}

/** When the market or the operator last set a price. */
function lastKnown({ state }: Engine): Timestamp | undefined {
  const known = [...state.indexPrices.values()].map(({ updatedAt }) => updatedAt);
  return known.length === 0 ? undefined : (Math.max(...known) as Timestamp);
}
