/**
 * Order books: whole at first, then each level that changes; or the best levels of each side,
 * whenever one of them changes.
 */
import { crc32 } from 'node:zlib';
import { levelsOf } from '../../gateway/handlers/market-figures.ts';
import { moneyText, type Price, type Size } from '../../kernel/money.ts';
import { SIDES, type Side } from '../../messages/vocabulary.ts';
import type { DepthWatch } from '../../views/orders.ts';
import type { ChannelSources, Producer, Push, SourceParts } from '../channel-source.ts';
import { type Market, openMarket } from './markets.ts';

/** Levels of each side that a checksum covers. */
const CHECKSUM_LEVELS = 25;
const ALL = Number.POSITIVE_INFINITY;
const NAME = /^books/;

type Level = readonly string[];

interface Levels {
  readonly asks: readonly Level[];
  readonly bids: readonly Level[];
}

/** What a push shows, before it takes the form of a version. */
interface Shown extends Levels {
  /** The levels that a client then has at the top. */
  readonly top: Levels;
  readonly seq: number;
  /** Zero if the push does not depend on an earlier one. */
  readonly before: number;
  readonly ts: string;
}

type RowOf<Row> = (shown: Shown) => Row;

/** A price and a size always have the same digits, so these are the texts that were pushed last. */
function checksumOf({ bids, asks }: Levels): number {
  const texts: string[] = [];
  for (let at = 0; at < CHECKSUM_LEVELS; at++)
    for (const level of [bids[at], asks[at]])
      if (level !== undefined) texts.push(`${level[0]}:${level[1]}`);
  return crc32(texts.join(':')) | 0;
}

const levelsIn = ({ views }: SourceParts, { category, symbol }: Market, count: number): Levels => ({
  asks: levelsOf(views, category, symbol, 'sell', count),
  bids: levelsOf(views, category, symbol, 'buy', count),
});

/** A whole book, then its changes. */
class WholeBookProducer<Row> implements Producer<readonly Row[]> {
  readonly #parts: SourceParts;
  readonly #market: Market;
  readonly #rowOf: RowOf<Row>;
  readonly #watch: DepthWatch;
  /** The sizes that clients have. */
  readonly #pushed: Readonly<Record<Side, Map<Price, Size>>> = { buy: new Map(), sell: new Map() };
  /** The number of a push is that of the last command, so it goes on after a restart. */
  #seq: number;

  constructor(parts: SourceParts, market: Market, rowOf: RowOf<Row>) {
    const { orders, sequence } = parts.views;
    const { category, symbol } = market;
    this.#parts = parts;
    this.#market = market;
    this.#rowOf = rowOf;
    this.#seq = sequence();
    this.#watch = orders.watchDepth(category, symbol);
    for (const side of SIDES)
      for (const { price, size } of orders.depth(category, symbol, side, ALL))
        this.#pushed[side].set(price, size);
  }

  snapshot(): Push<readonly Row[]> {
    return this.#push('snapshot', levelsIn(this.#parts, this.#market, ALL), 0);
  }

  tick(): Push<readonly Row[]> | undefined {
    if (!this.#watch.hasChanges) return undefined;
    const changes = { asks: this.#changes('sell'), bids: this.#changes('buy').reverse() };
    if (changes.asks.length + changes.bids.length === 0) return undefined;
    const before = this.#seq;
    this.#seq = this.#parts.views.sequence();
    return this.#push('update', changes, before);
  }

  end(): void {
    this.#watch.end();
  }

  #push(action: Push['action'], levels: Levels, before: number): Push<readonly Row[]> {
    const row = this.#rowOf({
      ...levels,
      top: levelsIn(this.#parts, this.#market, CHECKSUM_LEVELS),
      seq: this.#seq,
      before,
      ts: String(this.#parts.exchangeNow()),
    });
    return { action, data: [row] };
  }

  /** Levels that differ from those that clients have, lowest price first. */
  #changes(side: Side): Level[] {
    const pushed = this.#pushed[side];
    const changed = this.#watch
      .take(side)
      .filter(({ price, size }) => (pushed.get(price) ?? 0n) !== size)
      .sort((one, other) => (one.price < other.price ? -1 : 1));
    for (const { price, size } of changed)
      if (size === 0n) pushed.delete(price);
      else pushed.set(price, size);
    return changed.map(({ price, size }) => [moneyText(price), moneyText(size)]);
  }
}

/** The best levels of each side. */
class TopBookProducer<Row> implements Producer<readonly Row[]> {
  readonly #parts: SourceParts;
  readonly #rowOf: RowOf<Row>;
  readonly #watch: DepthWatch;
  readonly #levels: () => Levels;
  #pushed: string;
  #seq: number;

  constructor(parts: SourceParts, market: Market, count: number, rowOf: RowOf<Row>) {
    this.#parts = parts;
    this.#rowOf = rowOf;
    this.#watch = parts.views.orders.watchDepth(market.category, market.symbol);
    this.#levels = () => levelsIn(parts, market, count);
    this.#pushed = JSON.stringify(this.#levels());
    this.#seq = parts.views.sequence();
  }

  snapshot(): Push<readonly Row[]> {
    return this.#push(this.#levels());
  }

  tick(): Push<readonly Row[]> | undefined {
    if (!this.#watch.hasChanges) return undefined;
    for (const side of SIDES) this.#watch.take(side);
    const levels = this.#levels();
    const text = JSON.stringify(levels);
    if (text === this.#pushed) return undefined;
    this.#pushed = text;
    this.#seq = this.#parts.views.sequence();
    return this.#push(levels);
  }

  end(): void {
    this.#watch.end();
  }

  #push(levels: Levels): Push<readonly Row[]> {
    const ts = String(this.#parts.exchangeNow());
    const row = this.#rowOf({ ...levels, top: levels, seq: this.#seq, before: 0, ts });
    return { action: 'snapshot', data: [row] };
  }
}

const v2TopRow = ({ asks, bids, top, seq, ts }: Shown) => ({
  asks,
  bids,
  checksum: checksumOf(top),
  seq,
  ts,
});
const v2Row = (shown: Shown) => ({ ...v2TopRow(shown), pseq: shown.before });
/** Clients compare a checksum of v3 with a book of other texts, so there is none (STR-46). */
const v3Row = ({ asks: a, bids: b, seq, before: pseq, ts }: Shown) => ({ a, b, seq, pseq, ts });

export function bookSources(
  parts: SourceParts,
): Pick<ChannelSources, 'v2Books' | 'v2TopBooks' | 'v3Books' | 'v3TopBooks'> {
  const whole = <Row>(market: Market, rowOf: RowOf<Row>) =>
    openMarket(parts.views, market, () => new WholeBookProducer(parts, market, rowOf));
  const top = <Row>(market: Market, name: string, rowOf: RowOf<Row>) => {
    const count = Number.parseInt(name.replace(NAME, ''), 10);
    const begin = () => new TopBookProducer(parts, market, count, rowOf);
    return openMarket(parts.views, market, begin, name);
  };
  return {
    v2Books: {
      open: ({ instType: category, instId: symbol }) => whole({ category, symbol }, v2Row),
    },
    v2TopBooks: {
      open: ({ instType: category, instId: symbol }, name) =>
        top({ category, symbol }, name, v2TopRow),
    },
    v3Books: {
      open: ({ instType: category, symbol }) => whole({ category, symbol }, v3Row),
    },
    v3TopBooks: {
      open: ({ instType: category, symbol }, name) => top({ category, symbol }, name, v3Row),
    },
  };
}
