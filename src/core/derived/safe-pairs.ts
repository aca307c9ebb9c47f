/**
 * Index ranges in which a pair in debt is safe. The margin of a pair is linear in the index, so a
 * pair that is safe at both ends is safe between them. A range ends when the pair's money or debt
 * changes.
 */

import { mustLiquidate, type PairSums, pairValues } from '../../formulas/isolated-risk.ts';
import type { Uid } from '../../kernel/ids.ts';
import type { Price, Rate } from '../../kernel/money.ts';
import type { PairName } from '../state/pair.ts';

interface Span {
  readonly low: Price;
  readonly high: Price;
}

/** A range reaches 1 % below and above the index; most moves are far smaller. */
const SPAN_PART = 100n;

export class SafePairs {
  readonly #spans = new Map<string, Map<Uid, Span>>();

  has({ uid, symbol }: PairName, index: Price): boolean {
    const span = this.#spans.get(symbol)?.get(uid);
    return span !== undefined && index >= span.low && index <= span.high;
  }

  /** Adds the range around the index if the pair is safe at both ends. */
  add({ uid, symbol }: PairName, sums: PairSums, index: Price, leverage: Rate): void {
    const [low, high] = [index - index / SPAN_PART, index + index / SPAN_PART] as [Price, Price];
    if (
      mustLiquidate(pairValues(sums, low), leverage) ||
      mustLiquidate(pairValues(sums, high), leverage)
    )
      return;
    const spans = this.#spans.get(symbol) ?? new Map<Uid, Span>();
    this.#spans.set(symbol, spans.set(uid, { low, high }));
  }

  forget(uid: Uid, symbol: string): void {
    this.#spans.get(symbol)?.delete(uid);
  }

  /** For a symbol whose listing has changed. */
  forgetAll(symbol: string): void {
    this.#spans.delete(symbol);
  }
}
