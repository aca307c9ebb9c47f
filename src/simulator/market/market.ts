/**
 * The simulated market, one step at a time. It keeps almost no state: prices, orders and scenes are
 * in the exchange, and random numbers follow from seed and time. The same seed and the same calls
 * therefore give the same market, and a stopped market continues from the present book. All its
 * actions are ordinary commands of ordinary users.
 */
import { instrumentKey } from '../../core/derived/instrument-spec.ts';
import type { State } from '../../core/state/state.ts';
import { countQuotes, QUOTES_PER_COMMAND_MAX } from '../../core/world/quoted-prices.ts';
import { saltOf } from '../../kernel/chance.ts';
import { given } from '../../kernel/given.ts';
import type { Uid } from '../../kernel/ids.ts';
import { SECOND, type Timestamp } from '../../kernel/time.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { MakerQuotes } from '../../messages/order-commands.ts';
import { CATEGORIES } from '../../messages/vocabulary.ts';
import { type BookChange, ownOrders, placedByCategory, quotesFor, quotesOf } from './makers.ts';
import {
  MARKET_USERS,
  type MarketUids,
  makerOf,
  marketUids,
  missingMeans,
  type Submit,
  takerOf,
} from './market-accounts.ts';
import { dollarsOf, type MarketBook, marketBooks } from './market-books.ts';
import type { BookNow, Followed, Moment, TradedSizes } from './market-step.ts';
import { createPricePath, type PricePath } from './price-path.ts';
import {
  type Beliefs,
  type Feeds,
  fairPrice,
  givenIndexes,
  type IndexInputs,
  indexAt,
  indexesNow,
  lastIndexes,
  type PriceRequest,
  splitHolds,
  tradedSizes,
} from './prices.ts';
import {
  depthFor,
  endOf,
  type RecordedPaths,
  type RecordedRide,
  rangeOf,
  ridesOf,
} from './recorded-path.ts';
import { moodAt } from './scenes.ts';
import { takerOrders } from './takers.ts';

/** Interval of steps while the clock runs. */
export const STEP_MS = SECOND;
/**
 * A maker with longer steps quotes a wider spread; this is the factor. It has few values, because
 * each has its own prices.
 */
const patienceOf = (passedMs: number): number =>
  passedMs < 5 * SECOND ? 1 : passedMs < 30 * SECOND ? 2 : 4;
/**
 * Pause after a refused order or deposit, for example of a maker without money: each retry adds to
 * the journal.
 */
const REST_MS = 30 * SECOND;

export interface MarketOptions {
  readonly seed: number;
  readonly state: () => State;
  readonly submit: Submit;
  readonly feeds: Feeds;
  readonly recorded: RecordedPaths;
}

type PriceCommand = CommandOf<'setPrices'> | CommandOf<'setPricesWithQuotes'>;

export class Market {
  readonly #options: MarketOptions;
  readonly #path: PricePath;
  /** Interval of steps: quotes between two steps keep the spread of the last one. */
  #spacingMs = STEP_MS;
  /** Interval at which recordings are followed. */
  #followSpacingMs = STEP_MS;
  #resting = 0;
  #refused = 0;

  constructor(options: MarketOptions) {
    this.#options = options;
    this.#path = createPricePath(options.seed);
  }

  /**
   * Prices, then makers, then takers. Commands are executed when they are submitted; the promise
   * resolves when all of them are durable.
   */
  step(
    at: Timestamp,
    passedMs: number,
    { ms, spacingMs }: Followed = { ms: passedMs, spacingMs: passedMs },
  ): Promise<void> {
    this.#spacingMs = passedMs;
    this.#followSpacingMs = spacingMs;
    const moment = { at, passedMs, followedMs: ms };
    return this.#together((submit, uids) => this.#play(submit, uids, moment));
  }

  /** Follows recordings between two steps: on a fast clock steps are further apart than candles. */
  follow(at: Timestamp, { ms, spacingMs }: Followed): Promise<void> {
    this.#followSpacingMs = spacingMs;
    return this.#together((submit, uids) => {
      const moment = { at, passedMs: ms, followedMs: ms };
      for (const ride of this.#ridesTo(moment)) this.#visitPoints(submit, uids, ride, moment, true);
    });
  }

  async #together(play: (submit: Submit, uids: MarketUids) => void): Promise<void> {
    const sent: Promise<unknown>[] = [];
    const submit: Submit = (command) => {
      const outcome = this.#options.submit(command);
      sent.push(outcome);
      return outcome;
    };
    const uids = marketUids(this.#options.state());
    if (uids !== undefined) play(submit, uids);
    await Promise.all(sent);
  }

  #ridesTo({ at, followedMs }: Moment): RecordedRide[] {
    return ridesOf(this.#options.state(), this.#options.recorded, at, followedMs);
  }

  /** Submits the current indexes between two steps. */
  submitPrices(at: Timestamp): void {
    const prices = indexesNow(this.#beliefs(at));
    if (prices.length > 0) void this.#options.submit(this.withQuotes(prices, at));
  }

  /** The command that sets prices together with the makers' quotes (MKT-23). */
  withQuotes(prices: readonly PriceRequest[], at: Timestamp): PriceCommand {
    const plain = { type: 'setPrices', prices } as const;
    const state = this.#options.state();
    const uids = marketUids(state);
    const input = givenIndexes(state, prices);
    if (uids === undefined || input.size === 0 || at < this.#resting) return plain;
    const books = this.#booksNow(at, input).filter(
      ({ book }) => input.has(book.baseCoin) || input.has(book.quoteCoin),
    );
    const quotes: MakerQuotes[] = [];
    for (const name of MARKET_USERS) {
      const made = books.filter(({ book }) => makerOf(book) === name);
      const room = QUOTES_PER_COMMAND_MAX - countQuotes(quotes);
      const changed = quotesOf(uids[name], this.#changesOf(uids[name], made), room);
      if (changed !== undefined) quotes.push(changed);
    }
    return quotes.length === 0 ? plain : { type: 'setPricesWithQuotes', prices, quotes };
  }

  /**
   * Before the market is switched on: submits the last prices again, so that they are fresh and the
   * path continues from them (MKT-151).
   */
  takeUp(): void {
    const { submit, state } = this.#options;
    const prices = lastIndexes(state());
    if (prices.length > 0) void submit({ type: 'setPrices', prices });
  }

  /** Cancels the market's orders in every book and ends its scenes; prices stay. */
  async leave(): Promise<void> {
    const { submit, state } = this.#options;
    const uids = marketUids(state());
    const sent: Promise<unknown>[] = [...state().scenes.keys()].map((id) =>
      submit({ type: 'endScene', id }),
    );
    for (const coin of [...state().recordedPaths.keys()])
      sent.push(submit({ type: 'endRecordedPath', coin }));
    for (const uid of Object.values(uids ?? {}))
      for (const category of CATEGORIES)
        if (state().accounts.get(uid)!.openOrders.length > 0)
          sent.push(submit({ type: 'cancelAllOrders', uid, category }));
    await Promise.all(sent);
  }

  #play(submit: Submit, uids: MarketUids, moment: Moment): void {
    const { at } = moment;
    const rides = this.#ridesTo(moment);
    for (const ride of rides) this.#visitPoints(submit, uids, ride, moment, false);
    const prices = indexesNow(this.#beliefs(at));
    if (prices.length > 0) void submit(this.withQuotes(prices, at));
    const traded = new Map([
      ...tradedSizes(this.#beliefs(at), moment.passedMs),
      ...this.#lastSizes(rides),
    ]);
    for (const { coin, range } of rides)
      if (endOf(range) <= at) void submit({ type: 'endRecordedPath', coin });
    for (const { id, endsAt } of [...this.#options.state().scenes.values()])
      if (endsAt <= at) void submit({ type: 'endScene', id });
    this.#holdScenes(submit, at);
    this.#bringMeans(submit, uids, at);
    const books = this.#booksNow(at);
    // Makers come first, so that takers trade against current quotes.
    for (const name of MARKET_USERS) {
      const made = books.filter(({ book }) => makerOf(book) === name);
      const taken = books.filter(({ book }) => takerOf(book) === name);
      // Most quotes came with the prices. The rest are books that were opened, halted or traded
      // since.
      if (made.length > 0 && at >= this.#resting) this.#quote(submit, uids[name], made, at);
      if (taken.length > 0) this.#take(submit, uids[name], taken, moment, traded);
    }
  }

  /**
   * Moves the price through the recording's turning points. A step trades the volume of the last
   * point together with all other books.
   */
  #visitPoints(
    submit: Submit,
    uids: MarketUids,
    { coin, points }: RecordedRide,
    { at, passedMs, followedMs }: Moment,
    tradesLast: boolean,
  ): void {
    const state = this.#options.state();
    for (const [turn, { price, size }] of points.entries()) {
      const prices = indexAt(state, coin, price);
      void submit(this.withQuotes(prices, at));
      if (turn === points.length - 1 && !tradesLast) return;
      const input = givenIndexes(state, prices);
      const books = this.#booksNow(at, input).filter(
        ({ book, isRecorded }) => isRecorded && book.baseCoin === coin,
      );
      const traded = new Map(books.map(({ book }) => [book.key, size]));
      // Each point needs random numbers of its own.
      const moment = { at: (at - points.length + turn) as Timestamp, passedMs, followedMs };
      for (const name of MARKET_USERS) {
        const taken = books.filter(({ book }) => takerOf(book) === name);
        if (taken.length > 0) this.#take(submit, uids[name], taken, moment, traded);
      }
    }
  }

  #lastSizes(rides: readonly RecordedRide[]): Map<string, number> {
    const state = this.#options.state();
    const traded = new Map<string, number>();
    for (const book of marketBooks(state)) {
      const range = rangeOf(state, book);
      const ride = rides.find((each) => each.range === range);
      if (ride !== undefined) traded.set(book.key, ride.points.at(-1)!.size);
    }
    return traded;
  }

  /**
   * Coins and futures may have been listed, or got their first price, since the market was switched
   * on.
   */
  #bringMeans(submit: Submit, uids: MarketUids, at: Timestamp): void {
    const missing = (): ReturnType<typeof missingMeans> =>
      missingMeans(this.#options.state(), uids);
    if (at < this.#refused) return;
    for (const command of missing()) void submit(command);
    if (missing().length > 0) this.#refused = at + REST_MS;
  }

  #take(
    submit: Submit,
    uid: Uid,
    books: readonly BookNow[],
    { at, passedMs }: Moment,
    traded: TradedSizes,
  ): void {
    const { seed } = this.#options;
    const state = this.#options.state();
    const orders = books.map((now) => {
      const salt = saltOf(seed, `take ${now.book.key}`);
      return {
        book: now.book,
        places: takerOrders(now.book, {
          ...now,
          ...given({ tradedSize: traded.get(now.book.key) }),
          state,
          uid,
          at,
          passedMs,
          salt,
        }),
      };
    });
    this.#place(submit, uid, orders);
  }

  #beliefs(at: Timestamp, input?: IndexInputs): Beliefs {
    const { state, feeds, recorded } = this.#options;
    return { state: state(), path: this.#path, feeds, recorded, at, ...given({ input }) };
  }

  /** Books that trade and have a price. */
  #booksNow(at: Timestamp, input?: IndexInputs): BookNow[] {
    const state = this.#options.state();
    const beliefs = this.#beliefs(at, input);
    return marketBooks(state).flatMap((book) => {
      const fair = fairPrice(beliefs, book);
      const quoteDollars = input?.get(book.quoteCoin) ?? dollarsOf(state, book.quoteCoin);
      if (
        fair === undefined ||
        quoteDollars === undefined ||
        state.instruments.get(book.key)?.status !== 'normal'
      )
        return [];
      const scenes = [...state.scenes.values()].filter(
        ({ category, symbol }) =>
          instrumentKey(category === 'MARGIN' ? 'SPOT' : category, symbol) === book.key,
      );
      const recorded = this.#recordedDepth(book, fair * quoteDollars);
      return [
        {
          book,
          fair,
          quoteDollars,
          mood: moodAt(scenes, at),
          deeper: recorded ?? 1,
          isRecorded: recorded !== undefined,
        },
      ];
    });
  }

  /** Undefined for a book that follows no recording. */
  #recordedDepth(book: MarketBook, dollars: number): number | undefined {
    const range = rangeOf(this.#options.state(), book);
    if (range === undefined) return undefined;
    return depthFor(
      this.#options.recorded(range.hash).sizePerMs() * this.#followSpacingMs * dollars,
    );
  }

  /** A maker's changes in each of its books. */
  #changesOf(uid: Uid, books: readonly BookNow[]): BookChange[] {
    if (books.length === 0) return [];
    const { seed } = this.#options;
    const state = this.#options.state();
    const own = ownOrders(state, uid);
    return books.map(({ book, fair, mood, quoteDollars, deeper, isRecorded }) => {
      const making = state.makings.get(book.key);
      const depth = Number.parseFloat(making?.depth ?? '1') * deeper;
      const spread =
        Number.parseFloat(making?.spread ?? '1') * (isRecorded ? 1 : patienceOf(this.#spacingMs));
      const opinion = {
        fair,
        mood,
        depth,
        spread,
        quoteDollars,
        salt: saltOf(seed, `make ${book.key}`),
      };
      return { book, ...quotesFor(book, opinion, own) };
    });
  }

  #quote(submit: Submit, uid: Uid, books: readonly BookNow[], at: Timestamp): void {
    const state = this.#options.state();
    const changes = this.#changesOf(uid, books);
    const cancels = changes.flatMap((change) => change.cancels.map((orderId) => ({ orderId })));
    if (cancels.length > 0) void submit({ type: 'cancelOrders', uid, orders: cancels });
    const before = state.accounts.get(uid)!.openOrders.length;
    const asked = this.#place(submit, uid, changes);
    // Some orders may have been filled at once. If none was accepted, money or the order limit is
    // exhausted.
    if (asked > 1 && state.accounts.get(uid)!.openOrders.length === before)
      this.#resting = at + REST_MS;
  }

  /** One command per category. Returns the number of orders. */
  #place(submit: Submit, uid: Uid, asked: readonly Omit<BookChange, 'cancels'>[]): number {
    for (const [category, orders] of placedByCategory(asked))
      void submit({ type: 'placeOrders', uid, category, orders });
    return asked.reduce((sum, { places }) => sum + places.length, 0);
  }

  /**
   * Submits the halts and held marks of scenes. The exchange releases both when the last such scene
   * ends.
   */
  #holdScenes(submit: Submit, at: Timestamp): void {
    const state = this.#options.state();
    for (const scene of [...state.scenes.values()])
      if (!scene.held && moodAt([scene], at).halted)
        void submit({ type: 'holdScene', id: scene.id });
    for (const hold of splitHolds(state, at)) void submit(hold);
  }
}
