/** How far followers go because their leader does. */
import { type Amount, greatest, least, minus, money, type Price, plus, type Rate, rateOf } from '../../kernel/money.ts';
import type { Side } from '../../messages/vocabulary.ts';

/**
 * Copies go where the leader went before them, and whoever knows that, the leader's own friends first, could wait behind him with any price of
 * the band (CPY-68).
 */
const COPY_SLIP = money<Rate>('0.02');

/** The worst price for a follower: so much beyond mark, or beyond what his leader himself had where that is worse. */
export function worstCopied(side: Side, mark: Price, leaderPrice: Price): Price {
  const from = side === 'buy' ? greatest(mark, leaderPrice) : least(mark, leaderPrice);
  const slip = rateOf(from as bigint as Amount, COPY_SLIP, 'down') as bigint as Price;
  return side === 'buy' ? plus(from, slip) : minus(from, slip);
}
