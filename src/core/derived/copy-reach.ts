/** How far followers go because their leader does. */
import {
  greatest,
  least,
  minus,
  money,
  type Price,
  plus,
  type Rate,
  rateOfPrice,
} from '../../kernel/money.ts';
import type { Side } from '../../messages/vocabulary.ts';

/**
 * Copies go where the leader went before them, and whoever knows that, the leader's own friends
 * first, could wait behind him with any price of the band (CPY-68).
 */
const COPY_SLIP = money<Rate>('0.02');

/**
 * A leader may trade the least there is with a friend at any price, and his followers thousands of
 * times as much: they go with him so far from mark.
 */
const COPY_REACH = money<Rate>('0.1');

/**
 * The worst price for a follower: so much beyond mark, or beyond what his leader himself had where
 * that is worse.
 */
export function worstCopied(side: Side, mark: Price, leaderPrice: Price): Price {
  const reach = rateOfPrice(mark, COPY_REACH, 'down');
  if (side === 'buy') {
    const from = greatest(mark, least(leaderPrice, plus(mark, reach)));
    return plus(from, rateOfPrice(from, COPY_SLIP, 'down'));
  }
  const from = least(mark, greatest(leaderPrice, minus(mark, reach)));
  return minus(from, rateOfPrice(from, COPY_SLIP, 'down'));
}
