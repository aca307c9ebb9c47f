/** Candles: the latest ones at first, then those that trades have changed, oldest first. */
import {
  type CandleLength,
  candleInterval,
  streamedLengths,
} from '../../contract/candle-fields.ts';
import { candlesOf, candleText, usdtVolumeText } from '../../gateway/handlers/market-figures.ts';
import type { Interval } from '../../kernel/intervals.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Candle, TradeRow } from '../../views/market-rows.ts';
import { candleOf, joined } from '../../views/trades.ts';
import type { ChannelSources, Producer, Push, SourceParts } from '../channel-source.ts';
import { type Market, openMarket } from './markets.ts';
import type { TradeTape } from './trade-tape.ts';

/** Candles of the first push. */
const CANDLES_FIRST = 500;
const NAME = /^candle/;

type RowOf<Row> = (candle: Candle) => Row;

/**
 * Computes the current candle from each trade as the view does. Reading it from the view would join
 * hours or minutes of weeks again on each tick.
 */
class CandleProducer<Row> implements Producer<readonly Row[]> {
  readonly #latest: (limit: number) => readonly Candle[];
  readonly #interval: Interval;
  readonly #rowOf: RowOf<Row>;
  #current: Candle | undefined;
  /** By their starts, oldest first. */
  readonly #changed = new Map<Timestamp, Candle>();
  readonly end: () => void;

  constructor(
    { views }: SourceParts,
    tape: TradeTape,
    { category, symbol }: Market,
    length: CandleLength,
    rowOf: RowOf<Row>,
  ) {
    const query = { length, startTime: undefined, endTime: undefined };
    this.#latest = (limit) => candlesOf(views, category, symbol, { ...query, limit });
    this.#interval = candleInterval(length);
    this.#rowOf = rowOf;
    this.#current = this.#latest(1)[0];
    this.end = tape.listen(category, symbol, {
      trade: (trade) => this.#take(trade),
      pastChanged: () => this.#readAgain(),
    });
  }

  snapshot(): Push<readonly Row[]> | undefined {
    const candles = this.#latest(CANDLES_FIRST);
    return candles.length === 0 ? undefined : { action: 'snapshot', data: this.#rows(candles) };
  }

  tick(): Push<readonly Row[]> | undefined {
    if (this.#changed.size === 0) return undefined;
    const data = this.#rows([...this.#changed.values()]);
    this.#changed.clear();
    return { action: 'update', data };
  }

  /** A new candle is pushed together with the one before it, which is final now. */
  #take(trade: TradeRow): void {
    const next = candleOf(trade, this.#interval);
    const current = this.#current;
    const isSame = current?.start === next.start;
    if (current !== undefined && !isSame) this.#changed.set(current.start, current);
    this.#current = current !== undefined && isSame ? joined(current, next) : next;
    this.#changed.set(next.start, this.#current);
  }

  #readAgain(): void {
    [this.#current] = this.#latest(1);
    this.#changed.clear();
    if (this.#current !== undefined) this.#changed.set(this.#current.start, this.#current);
  }

  #rows(candles: readonly Candle[]): Row[] {
    return candles.map((candle) => this.#rowOf(candle));
  }
}

function v3Row(candle: Candle) {
  const [start = '', open = '', high = '', low = '', close = '', volume = '', turnover = ''] =
    candleText(candle);
  return { start, open, high, low, close, volume, turnover };
}

export function candleSources(
  parts: SourceParts,
  tape: TradeTape,
): Pick<ChannelSources, 'v2Candle' | 'v3Kline'> {
  const { views } = parts;
  return {
    v2Candle: {
      open: ({ instType: category, instId: symbol }, name) => {
        const length = streamedLengths[name.replace(NAME, '')]!;
        const market = { category, symbol };
        return openMarket(
          views,
          market,
          (listed) => {
            const indexOf = () => views.prices.coinIndex(listed().instrument.quoteCoin);
            const rowOf = (candle: Candle) => [
              ...candleText(candle),
              usdtVolumeText(candle.quoteVolume, indexOf()),
            ];
            return new CandleProducer<readonly string[]>(parts, tape, market, length, rowOf);
          },
          name,
        );
      },
    },
    v3Kline: {
      open: ({ instType: category, symbol, interval }) => {
        const market = { category, symbol };
        return openMarket(
          views,
          market,
          () => new CandleProducer(parts, tape, market, interval, v3Row),
          interval,
        );
      },
    },
  };
}
