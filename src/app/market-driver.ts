/**
 * Lets the simulated market live on the exchange clock: a step a second while the clock runs, none
 * while it stands, and steps on the way when the clock is moved.
 */
import type { Engine } from '../core/engine.ts';
import type { Reply } from '../gateway/handlers/handler.ts';
import type { ClockMove, ClockWay } from '../gateway/handlers/parts.ts';
import { type Refused, refuse } from '../kernel/result.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Command, CommandOf } from '../messages/commands.ts';
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
  /** The real time. */
  readonly wall: () => Timestamp;
  /** What the exchange clock shows. */
  readonly now: () => Timestamp;
  readonly seed: number;
  readonly submit: Submit;
  readonly feeds: Feeds;
  /**
   * Answers when history has room and a snapshot is close behind, or when waiting for that does not
   * help.
   */
  readonly followed: () => Promise<void>;
  readonly recorded: RecordedPaths;
  /** All commands that this submits happen at one time, so many real milliseconds ago. */
  readonly atOneMoment: <Value>(run: () => Value, agoMs?: number) => Value;
  /** Told once of a row of steps that failed. */
  readonly onFailure: (error: Error) => void;
}

export class MarketDriver {
  readonly #options: MarketDriverOptions;
  readonly #market: Market;
  /** What was asked of clock and market happens one after the other. */
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
  /** When recordings were followed last. */
  #followed: Timestamp | undefined;
  /** When prices were said last. */
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

  /** Called some times a second: takes a step when one is due. */
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
   * The real time until the next candle of a recording ends; undefined where none is followed on a
   * fast clock.
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
   * without this the candles between two of them would have no trades. What is late happens in its
   * candle all the same, unless something else has happened since.
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

  /** The pace of the clock while a recording is followed; undefined where the steps are enough. */
  #followRate(): number | undefined {
    const { marketOn, clock, recordedPaths } = this.#options.engine.state;
    const follows = marketOn && this.#moves.way === undefined && recordedPaths.size > 0;
    return follows && clock.frozenAt === undefined ? clock.fast?.rate : undefined;
  }

  /**
   * On a fast clock an index grows stale between two steps; whoever asks for something then finds
   * those of now (MKT-21).
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
      this.#market.sayPrices(now);
    } catch {
      // The next step meets the same trouble, and tells of it.
    }
  }

  /**
   * Prices of the operator bring the makers' quotes with them. A file that cannot be read holds no
   * price up (MKT-25).
   */
  withQuotes(command: Command): Command {
    if (command.type !== 'setPrices' || !this.#options.engine.state.marketOn) return command;
    try {
      return this.#market.withQuotes(command.prices, this.#now());
    } catch {
      return command;
    }
  }

  /** On, and playing a scene from the first step if one is given. */
  switchOn(scene?: CommandOf<'playScene'>): Promise<Reply<unknown>> {
    return (
      this.#refusedOnTheWay() ??
      this.#inLine(async () => {
        const { engine, submit } = this.#options;
        await ensureMarketAccounts(() => engine.state, submit);
        const begins = !engine.state.marketOn;
        if (begins) this.#market.takeUp();
        const switched = submit({ type: 'switchMarket', on: true });
        // Refused, as on a full disk.
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
   * Its orders go first: whoever finds it off, after a crash in between too, finds none of them.
   */
  switchOff(): Promise<Reply<undefined>> {
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

  /** A move that is on its way is not followed by a second one that nobody waits for (CLK-31). */
  moveClock(move: ClockMove): Promise<Reply<{ readonly now: Timestamp }>> {
    return this.#refusedOnTheWay() ?? this.#inLine(() => this.#moves.move(move));
  }

  clockWay(): ClockWay | undefined {
    return this.#moves.way;
  }

  /** Whoever moves the clock is there at once, with no step more on the way. */
  breakOff(): void {
    this.#closing = true;
    this.#close();
  }

  /** Breaks off a way that is being played, and waits for what is under way. */
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
   * An error in a step, such as an unreadable file, does not end the exchange: the next one tries
   * again.
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

/** When the market, or somebody else, last said a price. */
function lastKnown({ state }: Engine): Timestamp | undefined {
  const known = [...state.indexPrices.values()].map(({ updatedAt }) => updatedAt);
  return known.length === 0 ? undefined : (Math.max(...known) as Timestamp);
}
