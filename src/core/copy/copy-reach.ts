/** How far followers go because their leader does. */
import { type Amount, greatest, least, minus, money, type Price, plus, type Rate, rateOf } from '../../kernel/money.ts';
import type { Side } from '../../messages/vocabulary.ts';

/**
 * Copies go where the leader went before them, and whoever knows that, the leader's own friends first, could wait behind him with any price of
 * the band (CPY-68).
 */
const COPY_SLIP = money<Rate>('0.02');

/** A leader may trade the least there is with a friend at any price, and his followers thousands of times as much: they go with him so far from mark. */
const COPY_REACH = money<Rate>('0.1');

const shareOf = (price: Price, rate: Rate): Price => rateOf(price as bigint as Amount, rate, 'down') as bigint as Price;

/** The worst price for a follower: so much beyond mark, or beyond what his leader himself had where that is worse. */
export function worstCopied(side: Side, mark: Price, leaderPrice: Price): Price {
  const reach = shareOf(mark, COPY_REACH);
  if (side === 'buy') {
    const from = greatest(mark, least(leaderPrice, plus(mark, reach)));
    return plus(from, shareOf(from, COPY_SLIP));
  }
  const from = least(mark, greatest(leaderPrice, minus(mark, reach)));
  return minus(from, shareOf(from, COPY_SLIP));
}
