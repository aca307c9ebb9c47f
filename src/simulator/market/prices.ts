/**
 * Computes the prices of the simulated market: the last index it submitted, continued by the path,
 * by scenes and by files.
 */
import { instrumentKey } from '../../core/derived/instrument-spec.ts';
import type { State } from '../../core/state/state.ts';
import { isDollar } from '../../formulas/index-price.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { decimalTextOf } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { Scene } from '../../messages/scenes.ts';
import { bookOfInstrument, dollarsOf, type MarketBook, plainNumber } from './market-books.ts';
import {
  type FeedRow,
  feedPriceAfter,
  feedSizeBetween,
  hasSizes,
  INDEX_MAX,
  INDEX_MIN,
} from './price-feed.ts';
import type { PricePath } from './price-path.ts';
import { leadingPrice, type RecordedPaths } from './recorded-path.ts';
import { isPlaying, moodAt, sceneRatio } from './scenes.ts';

/** The rows of a file that a scene follows; undefined if it is missing. */
export type Feeds = (file: string) => readonly FeedRow[] | undefined;

export interface Beliefs {
  readonly state: State;
  readonly path: PricePath;
  readonly feeds: Feeds;
  readonly recorded: RecordedPaths;
  readonly at: Timestamp;
  /** Indexes that are about to be set, by coin: they replace the path's. */
  readonly input?: IndexInputs;
}

/** Dollars by coin. */
export type IndexInputs = ReadonlyMap<string, number>;

/** The scenes that affect a coin's price: those of every symbol whose base coin it is. */
function scenesOfCoin(state: State, coin: string): readonly Scene[] {
  if (state.scenes.size === 0) return [];
  return [...state.scenes.values()].filter(
    ({ category, symbol }) =>
      state.instruments.get(`${category}:${symbol}`)?.instrument.baseCoin === coin,
  );
}

/** A coin's current value in dollars; undefined before its first price. */
function dollarsNow(
  { state, path, feeds, recorded, at, input }: Beliefs,
  coin: string,
): number | undefined {
  const givenNow = input?.get(coin);
  if (givenNow !== undefined) return givenNow;
  const index = dollarsOf(state, coin);
  if (index === undefined || isDollar(coin)) return index;
  const { updatedAt } = state.indexPrices.get(coin)!;
  const scenes = scenesOfCoin(state, coin);
  const leading = leadingPrice(state, recorded, coin, at);
  if (leading !== undefined && leading.endsAt > at) return leading.price;
  let latest = { price: index, since: updatedAt };
  // After the end of a recording, its last price still counts: the path continues from there.
  if (leading !== undefined && leading.endsAt > latest.since)
    latest = { price: leading.price, since: leading.endsAt };
  for (const scene of scenes) {
    const rows = scene.file === undefined || scene.startsAt > at ? undefined : feeds(scene.file);
    if (rows === undefined) continue;
    if (isPlaying(scene, at)) return feedPriceAfter(rows, at - scene.startsAt);
    // After the end of a file, its last price still counts: the path continues from there.
    if (scene.endsAt > latest.since)
      latest = { price: feedPriceAfter(rows, scene.endsAt - scene.startsAt), since: scene.endsAt };
  }
  let price = latest.price * path.ratio(coin, latest.since, at, moodAt(scenes, at).liveliness);
  for (const scene of scenes) price *= sceneRatio(scene, latest.since, at);
  return price;
}

/**
 * Sizes traded in symbols since the last step according to files, by book; a book without such a
 * file is absent. A row at this exact time counts for the next step, unless the file ends with it.
 */
export function tradedSizes(
  { state, feeds, at }: Beliefs,
  passedMs: number,
): ReadonlyMap<string, number> {
  const traded = new Map<string, number>();
  for (const { category, symbol, file, startsAt, endsAt } of state.scenes.values()) {
    const rows = file === undefined || startsAt > at ? undefined : feeds(file);
    if (rows === undefined || !hasSizes(rows)) continue;
    const key = instrumentKey(category === 'MARGIN' ? 'SPOT' : category, symbol);
    const until = at < endsAt ? at - startsAt : endsAt - startsAt + 1;
    traded.set(
      key,
      (traded.get(key) ?? 0) + feedSizeBetween(rows, at - passedMs - startsAt, until),
    );
  }
  return traded;
}

/** The target price of a symbol's book, in its quote coin. */
export function fairPrice(beliefs: Beliefs, book: MarketBook): number | undefined {
  const [base, quote] = [dollarsNow(beliefs, book.baseCoin), dollarsNow(beliefs, book.quoteCoin)];
  if (base === undefined || quote === undefined) return undefined;
  return (base / quote) * (book.futures ? 1 + beliefs.path.basis(book.key, beliefs.at) : 1);
}

const DIGITS = 8;
/**
 * Eight significant digits, and at most the decimals of money. A price beyond the accepted range
 * stays at its limit (MKT-20).
 */
function indexText(worth: number): DecimalText {
  const price = Math.min(INDEX_MAX, Math.max(INDEX_MIN, worth));
  const decimals = Math.max(0, Math.min(10, DIGITS - Math.ceil(Math.log10(price))));
  return price.toFixed(decimals) as DecimalText;
}

export type PriceRequest = CommandOf<'setPrices'>['prices'][number];

/**
 * The indexes that a list of prices would set. A price that the exchange refuses gets no quotes.
 */
export function givenIndexes(state: State, prices: readonly PriceRequest[]): IndexInputs {
  const input = new Map<string, number>();
  for (const { category, symbol, index } of prices) {
    const listed = state.instruments.get(instrumentKey(category, symbol))?.instrument;
    if (index === undefined || listed === undefined) continue;
    if (isDollar(listed.baseCoin) || !isDollar(listed.quoteCoin)) continue;
    const price = Number.parseFloat(index);
    if (price >= INDEX_MIN && price <= INDEX_MAX) input.set(listed.baseCoin, price);
  }
  return input;
}

/** One symbol per coin, through which the coin's index is set. */
function indexBooks(state: State): ReadonlyMap<string, MarketBook> {
  const found = new Map<string, MarketBook>();
  for (const { instrument } of state.instruments.values()) {
    const { baseCoin, quoteCoin } = instrument;
    if (isDollar(quoteCoin) && !isDollar(baseCoin) && !found.has(baseCoin))
      found.set(baseCoin, bookOfInstrument(instrument));
  }
  return found;
}

/** The last index of every coin. */
export function lastIndexes(state: State): PriceRequest[] {
  return [...indexBooks(state)].flatMap(([coin, { category, symbol }]) => {
    const known = state.indexPrices.get(coin);
    return known === undefined
      ? []
      : [{ category, symbol, index: decimalTextOf(known.price), releaseMark: false, force: false }];
  });
}

/** The path's index of every coin now, except coins whose scene freezes the feed. */
export function indexesNow(beliefs: Beliefs): PriceRequest[] {
  const { state, at } = beliefs;
  const prices: PriceRequest[] = [];
  for (const [coin, { category, symbol }] of indexBooks(state)) {
    const known = state.indexPrices.get(coin);
    if (
      known === undefined ||
      known.updatedAt >= at ||
      moodAt(scenesOfCoin(state, coin), at).silent
    )
      continue;
    prices.push({
      category,
      symbol,
      index: indexText(dollarsNow(beliefs, coin)!),
      releaseMark: false,
      force: true,
    });
  }
  return prices;
}

/** The index of a coin at a point of a recording. */
export function indexAt(state: State, coin: string, price: number): PriceRequest[] {
  const book = indexBooks(state).get(coin);
  if (book === undefined) return [];
  const { category, symbol } = book;
  return [{ category, symbol, index: indexText(price), releaseMark: false, force: true }];
}

/**
 * Marks that scenes hold away from the index. If a symbol has several such scenes, the latest
 * counts.
 */
export function splitHolds(state: State, at: Timestamp): CommandOf<'holdScene'>[] {
  const holds = new Map<string, CommandOf<'holdScene'>>();
  for (const scene of state.scenes.values()) {
    if (scene.name !== 'markIndexSplit' || !isPlaying(scene, at)) continue;
    const key = instrumentKey(scene.category, scene.symbol);
    const known = state.indexPrices.get(state.instruments.get(key)!.instrument.baseCoin);
    // The operator has set another mark since.
    const isOverruled = scene.held && !state.symbolPrices.get(key)?.pinnedByScene;
    if (known === undefined || isOverruled) continue;
    holds.set(key, {
      type: 'holdScene',
      id: scene.id,
      mark: indexText(plainNumber(known.price) * (1 + moodAt([scene], at).split)),
    });
  }
  return [...holds.values()];
}
