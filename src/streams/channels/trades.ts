/** Trades: the latest ones at first, then each once, newest first in a push. */
import { tradesOf, tradeText } from '../../gateway/handlers/market-figures.ts';
import type { TradeRow } from '../../views/market-rows.ts';
import type { ChannelSources, Producer, Publish, Push, SourceParts } from '../channel-source.ts';
import { type Market, openMarket } from './markets.ts';
import type { TradeTape } from './trade-tape.ts';

/** Trades of the first push. */
const TRADES_FIRST = 50;
/** With more, a push does not wait for the tick. */
const TRADES_WAITING_MAX = 500;

const v2Row = (trade: TradeRow) => {
  const { ts, price, size, tradeId } = tradeText(trade);
  return { ts, price, size, side: trade.takerSide, tradeId };
};

const v3Row = (trade: TradeRow) => {
  const { ts, price, size, tradeId } = tradeText(trade);
  return {
    i: tradeId,
    p: price,
    // Clients differ in the name that they read.
    P: price,
    v: size,
    S: trade.takerSide,
    T: ts,
    L: tradeId,
    isRPI: 'no' as const,
  };
};

class TradeProducer<Row> implements Producer<readonly Row[]> {
  readonly #latest: () => readonly TradeRow[];
  readonly #rowOf: (trade: TradeRow) => Row;
  readonly #publish: Publish<readonly Row[]>;
  /** Oldest first. */
  #waiting: TradeRow[] = [];
  readonly end: () => void;

  constructor(
    { views }: SourceParts,
    tape: TradeTape,
    { category, symbol }: Market,
    rowOf: (trade: TradeRow) => Row,
    publish: Publish<readonly Row[]>,
  ) {
    this.#latest = () => tradesOf(views, category, symbol, { limit: TRADES_FIRST });
    this.#rowOf = rowOf;
    this.#publish = publish;
    this.end = tape.listen(category, symbol, { trade: (trade) => this.#take(trade) });
  }

  snapshot(): Push<readonly Row[]> | undefined {
    const trades = this.#latest();
    return trades.length === 0
      ? undefined
      : { action: 'snapshot', data: trades.map((trade) => this.#rowOf(trade)) };
  }

  tick(): Push<readonly Row[]> | undefined {
    if (this.#waiting.length === 0) return undefined;
    const data = this.#waiting.reverse().map((trade) => this.#rowOf(trade));
    this.#waiting = [];
    return { action: 'update', data };
  }

  #take(trade: TradeRow): void {
    this.#waiting.push(trade);
    if (this.#waiting.length >= TRADES_WAITING_MAX) this.#publish(this.tick()!);
  }
}

export const tradeSources = (
  parts: SourceParts,
  tape: TradeTape,
): Pick<ChannelSources, 'v2Trade' | 'v3PublicTrade'> => ({
  v2Trade: {
    open: ({ instType: category, instId: symbol }) =>
      openMarket(
        parts.views,
        { category, symbol },
        (_, publish) => new TradeProducer(parts, tape, { category, symbol }, v2Row, publish),
      ),
    // The tape serves candles and v3 too, and gets each batch once.
    onBatch: tape.onBatch,
  },
  v3PublicTrade: {
    open: ({ instType: category, symbol }) =>
      openMarket(
        parts.views,
        { category, symbol },
        (_, publish) => new TradeProducer(parts, tape, { category, symbol }, v3Row, publish),
      ),
  },
});
