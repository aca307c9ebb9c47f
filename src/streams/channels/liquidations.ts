/** Liquidations: of each second the largest one of each symbol and side. */
import { averagePrice, textOr } from '../../gateway/handlers/order-texts.ts';
import { type Amount, moneyText, plus, type Size } from '../../kernel/money.ts';
import { ok } from '../../kernel/result.ts';
import { type Clock, SECOND, type Timestamp } from '../../kernel/time.ts';
import type { EventBatch } from '../../messages/events.ts';
import type { FillRow } from '../../messages/orders.ts';
import type { ExecutionKind, FuturesCategory } from '../../messages/vocabulary.ts';
import type { ChannelSources, Producer, Push, SourceParts } from '../channel-source.ts';

/** Why a position was closed, if that was a liquidation of it or of a part of it. */
const LIQUIDATIONS: ReadonlySet<ExecutionKind> = new Set(['liquidation', 'reduce']);

interface Liquidation {
  readonly symbol: string;
  /** Clients know a liquidated long position by `buy`. */
  readonly side: 'buy' | 'sell';
  readonly filledSize: Size;
  readonly filledValue: Amount;
  readonly at: Timestamp;
}

const rowOf = ({ symbol, side, at, ...filled }: Liquidation) => ({
  symbol,
  side,
  price: textOr(averagePrice(filled), '0'),
  amount: moneyText(filled.filledValue),
  ts: String(at),
});

const joined = (known: Liquidation | undefined, fill: FillRow, at: Timestamp): Liquidation => ({
  symbol: fill.symbol,
  side: fill.side === 'sell' ? 'buy' : 'sell',
  filledSize: known === undefined ? fill.size : plus(known.filledSize, fill.size),
  filledValue: known === undefined ? fill.value : plus(known.filledValue, fill.value),
  at,
});

/** The liquidations of a batch in a category, one for each position. */
function liquidationsIn({ at, events }: EventBatch, category: string): Iterable<Liquidation> {
  const byPosition = new Map<string, Liquidation>();
  for (const event of events) {
    if (event.type !== 'fillSettled') continue;
    const { fill } = event;
    if (fill.category !== category || !LIQUIDATIONS.has(fill.executionKind)) continue;
    const key = `${fill.uid} ${fill.symbol} ${fill.side}`;
    byPosition.set(key, joined(byPosition.get(key), fill, at));
  }
  return byPosition.values();
}

type Row = ReturnType<typeof rowOf>;

class LiquidationProducer implements Producer<readonly Row[]> {
  readonly #clock: Clock;
  readonly #largest = new Map<string, Liquidation>();
  #pushedAt = Number.NEGATIVE_INFINITY;
  readonly end: () => void;

  constructor(clock: Clock, end: () => void) {
    this.#clock = clock;
    this.end = end;
  }

  take(liquidation: Liquidation): void {
    const key = `${liquidation.symbol} ${liquidation.side}`;
    const known = this.#largest.get(key);
    if (known === undefined || known.filledValue < liquidation.filledValue)
      this.#largest.set(key, liquidation);
  }

  tick(): Push<readonly Row[]> | undefined {
    const now = this.#clock.monotonic();
    if (this.#largest.size === 0 || now - this.#pushedAt < SECOND) return undefined;
    this.#pushedAt = now;
    const data = [...this.#largest.values()].map(rowOf);
    this.#largest.clear();
    return { action: 'update', data };
  }
}

export function liquidationSources({ clock }: SourceParts): Pick<ChannelSources, 'v3Liquidation'> {
  const producers = new Map<FuturesCategory, LiquidationProducer>();
  return {
    v3Liquidation: {
      open: ({ instType: category }) =>
        ok({
          key: category,
          begin: () => {
            const producer = new LiquidationProducer(clock, () => producers.delete(category));
            producers.set(category, producer);
            return producer;
          },
        }),
      onBatch: (batch) => {
        for (const [category, producer] of producers)
          for (const liquidation of liquidationsIn(batch, category)) producer.take(liquidation);
      },
    },
  };
}
