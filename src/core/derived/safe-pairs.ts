/**
 * Pairs in debt that an index need not be reckoned with: between two indexes at which a pair is not
 * liquidated it is at none, since what it has to spare grows or falls evenly. It follows from the
 * state: it is forgotten as soon as the pair has or owes anything else.
 */

import { mustLiquidate, type PairSums, pairValues } from '../../formulas/isolated-risk.ts';
import type { Uid } from '../../kernel/ids.ts';
import type { Price, Rate } from '../../kernel/money.ts';
import type { PairName } from '../state/pair.ts';

interface Span {
  readonly low: Price;
  readonly high: Price;
}

/**
 * The index goes a hundredth up or down before a pair is reckoned anew: most moves are far smaller.
 */
const SPAN_PART = 100n;

export class SafePairs {
  readonly #spans = new Map<string, Map<Uid, Span>>();

  has({ uid, symbol }: PairName, index: Price): boolean {
    const span = this.#spans.get(symbol)?.get(uid);
    return span !== undefined && index >= span.low && index <= span.high;
  }

  /** Keeps a pair that is not liquidated around the index, if it is none so near. */
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

  /** Of a symbol whose terms have changed. */
  forgetAll(symbol: string): void {
    this.#spans.delete(symbol);
  }
}
