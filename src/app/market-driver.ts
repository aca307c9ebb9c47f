/**
 * Lets the simulated market live on the exchange clock: a step a second while it runs, none while it stands, and steps on the way when somebody
 * moves it. A long way has wider steps, so that a week costs as little as a person will wait for.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { CLOCK_MOVE_MAX } from '../core/clock/clock.ts';
import type { Engine } from '../core/engine.ts';
import { CATCH_UP_MS_MAX } from '../formulas/exchange-clock.ts';
import { nextFunding } from '../formulas/funding.ts';
import type { Reply } from '../gateway/handlers/handler.ts';
import type { ClockMove } from '../gateway/handlers/parts.ts';
import { ok } from '../kernel/result.ts';
import { DAY, HOUR, MINUTE, SECOND, startOfSettlementDay, TIME_MAX, type Timestamp } from '../kernel/time.ts';
import type { Command, CommandOf } from '../messages/commands.ts';
import { Market, STEP_MS } from '../simulator/market/market.ts';
import { ensureMarketAccounts, type Submit } from '../simulator/market/market-accounts.ts';
import type { Feeds } from '../simulator/market/prices.ts';

export interface MarketDriverOptions {
  readonly engine: Engine;
  /** The real time. */
  readonly wall: () => Timestamp;
  /** What the exchange clock shows. */
  readonly now: () => Timestamp;
  readonly seed: number;
  readonly submit: Submit;
  readonly feeds: Feeds;
  /** Commands that are executed and not yet durable. */
  readonly queued: () => number;
  /** Kept when history has room again, or when waiting for that does not help. */
  readonly room: () => Promise<void>;
  /** Told once of a row of steps that failed. */
  readonly onFailure: (error: Error) => void;
}

/** Beyond it a moved clock waits until its steps are durable, and lets others have their turn. */
const QUEUED_MAX = 200;
/** After it a step that was refused is tried once more. */
const REFUSED_PAUSE_MS = SECOND / 10;
/** However far the clock is moved: a week in steps of five minutes. */
const STEPS_PER_MOVE_MAX = 2_016;

/** How far apart the steps are on a way of this length. */
export function spacingOf(spanMs: number): number {
  if (spanMs <= MINUTE) return STEP_MS;
  if (spanMs <= HOUR) return 10 * SECOND;
  return Math.max(MINUTE, Math.ceil(spanMs / STEPS_PER_MOVE_MAX / SECOND) * SECOND);
}

type Span = { readonly from: Timestamp; readonly to: Timestamp };

export class MarketDriver {
  readonly #options: MarketDriverOptions;
  readonly #market: Market;
  /** What was asked of clock and market happens one after the other. */
  #line: Promise<unknown> = Promise.resolve();
  #stepping = false;
  #moving = false;
  #closing = false;
  #close: () => void = () => {};
  readonly #closed = new Promise<void>((resolve) => {
    this.#close = resolve;
  });
  #failing = false;
  #last: Timestamp | undefined;
  /** When prices were said last. */
  #said = 0;

  constructor(options: MarketDriverOptions) {
    this.#options = options;
    this.#market = new Market({ ...options, state: () => options.engine.state });
  }

  /** Called some times a second: takes a step when one is due. */
  look(): void {
    const { engine } = this.#options;
    if (this.#stepping || this.#moving || !engine.state.marketOn) return;
    const now = this.#now();
    this.#last ??= lastHeard(engine) ?? now;
    if (now - this.#last < STEP_MS) return;
    this.#stepping = true;
    void this.#step(now).finally(() => {
      this.#stepping = false;
    });
  }

  /** On a fast clock an index grows stale between two steps; whoever asks for something then finds those of now (MKT-21). */
  keepHeard(): void {
    const { engine } = this.#options;
    const { marketOn, clock } = engine.state;
    if (!marketOn || this.#moving || clock.fast === undefined || clock.frozenAt !== undefined) return;
    const now = this.#now();
    if (now - this.#said < STEP_MS) return;
    this.#said = now;
    try {
      this.#market.sayPrices(now);
    } catch {
      // The next step meets the same trouble, and tells of it.
    }
  }

  /** Prices of the operator bring the makers' quotes with them. A file that cannot be read holds no price up (MKT-25). */
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
    return this.#inLine(async () => {
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
    });
  }

  /** Its orders go first: whoever finds it off, after a crash in between too, finds none of them. */
  switchOff(): Promise<Reply<undefined>> {
    return this.#inLine(async () => {
      const left = this.#market.leave();
      const switched = this.#options.submit({ type: 'switchMarket', on: false });
      await left;
      return switched;
    });
  }

  moveClock(move: ClockMove): Promise<Reply<{ readonly now: Timestamp }>> {
    return this.#inLine(async () => {
      const { engine, wall, submit } = this.#options;
      const { to: goal, ...rest } = move;
      const to = this.#momentOf(goal);
      const asked = { ...rest, ...(to === undefined ? {} : { to }) };
      const span = this.#spanOf(asked);
      if (span === undefined) return submit({ type: 'moveClock', wall: wall(), ...asked });
      const { marketOn } = engine.state;
      if (marketOn) await this.#playAlong(span);
      const stopped = await this.#passMonths(span.to);
      if (stopped !== undefined) return stopped;
      // A clock that runs may have passed the goal by itself meanwhile.
      const reached = submit({ type: 'moveClock', wall: wall(), to: Math.max(span.to, this.#now()) as Timestamp });
      if (marketOn) {
        this.#last = (this.#now() - STEP_MS) as Timestamp;
        await this.#step(this.#now());
      }
      const outcome = await reached;
      if (!outcome.ok) return outcome;
      // Whoever is told that the clock is there goes on at once, and must not be refused for what the way has left to store (VIEW-13).
      await this.#room();
      return ok({ now: outcome.value.now });
    });
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

  /** History with room, or the end: a disk that is full must not hold that up. */
  async #room(): Promise<void> {
    await Promise.race([this.#options.room(), this.#closed]);
  }

  #now(): Timestamp {
    return this.#options.now();
  }

  #inLine<Value>(run: () => Promise<Value>): Promise<Value> {
    const next = this.#line.then(run, run);
    this.#line = next.catch(() => undefined);
    return next;
  }

  /** Whatever keeps the market from a step, a file that cannot be read for one, is no reason for the exchange to end: the next step tries again. */
  async #step(at: Timestamp): Promise<void> {
    const passedMs = at - (this.#last ?? at);
    this.#last = at;
    this.#said = at;
    try {
      await this.#market.step(at, passedMs);
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) this.#options.onFailure(error as Error);
      this.#failing = true;
    }
  }

  #momentOf(goal: ClockMove['to']): Timestamp | undefined {
    const { engine } = this.#options;
    const now = this.#now();
    if (goal === 'nextDay') return (startOfSettlementDay(now) + DAY) as Timestamp;
    if (goal !== 'nextFunding') return goal;
    const hours = [...engine.state.instruments.values()].map(({ instrument }) => instrument.fundingHours).filter((each) => each > 0);
    // An exchange without futures has the hours that futures have as a rule.
    return Math.min(...(hours.length === 0 ? [8] : hours).map((each) => nextFunding(now, each))) as Timestamp;
  }

  /** The way of a move forward that will be accepted; undefined of any other. */
  #spanOf(move: Omit<ClockMove, 'to'> & { readonly to?: Timestamp }): Span | undefined {
    if (Object.values(move).filter((value) => value !== undefined).length !== 1) return undefined;
    const from = this.#now();
    const to = (move.to ?? from + (move.advanceMs ?? 0)) as Timestamp;
    return to > from && to - from <= CLOCK_MOVE_MAX && to <= TIME_MAX ? { from, to } : undefined;
  }

  async #playAlong({ from, to }: Span): Promise<void> {
    const { queued } = this.#options;
    const spacing = spacingOf(to - from);
    this.#moving = true;
    try {
      for (let at = (from - (from % spacing) + spacing) as Timestamp; at < to && !this.#closing; at = (at + spacing) as Timestamp) {
        if (!this.#goTo(at) && !(await this.#goToLater(at))) return;
        const stepped = this.#step(this.#now());
        if (queued() < QUEUED_MAX) continue;
        await stepped;
        await this.#room();
      }
    } finally {
      this.#moving = false;
    }
  }

  /** Until no more is left of the way than may pass with one command (CLK-26), each move kept before the next. Answers what was refused. */
  async #passMonths(to: Timestamp): Promise<Reply<{ readonly now: Timestamp }> | undefined> {
    const { wall, submit } = this.#options;
    while (to - this.#now() > CATCH_UP_MS_MAX) {
      const moved = await submit({ type: 'moveClock', wall: wall(), to: (this.#now() + CATCH_UP_MS_MAX) as Timestamp });
      if (!moved.ok) return moved;
      await this.#room();
    }
    return undefined;
  }

  /** Whether the clock is there now: a move that was refused has left it where it was. */
  #goTo(at: Timestamp): boolean {
    const { wall, submit } = this.#options;
    if (at > this.#now()) void submit({ type: 'moveClock', wall: wall(), to: at });
    return this.#now() >= at;
  }

  /** History may have been full, or the journal behind; whoever is refused again, as on a full disk, goes no further. */
  async #goToLater(at: Timestamp): Promise<boolean> {
    await this.#room();
    await pause(REFUSED_PAUSE_MS);
    return this.#goTo(at);
  }
}

/** When the market, or somebody else, last said a price. */
function lastHeard({ state }: Engine): Timestamp | undefined {
  const heard = [...state.indexPrices.values()].map(({ heardAt }) => heardAt);
  return heard.length === 0 ? undefined : (Math.max(...heard) as Timestamp);
}
