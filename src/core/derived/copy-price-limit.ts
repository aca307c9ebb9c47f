/** The worst price at which a copy may follow its leader. */
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
 * The limit of a copy behind its leader. Without it, an accomplice who knows that copies follow
 * could wait with a price at the edge of the band (CPY-68).
 */
const COPY_SLIPPAGE_MAX = money<Rate>('0.02');

/**
 * The limit of the leader's price from mark. Without it, a leader could trade a minimal size with
 * an accomplice at a bad price, and the followers thousands of times as much.
 */
const LEADER_DISTANCE_MAX = money<Rate>('0.1');

/**
 * Two percent beyond the worse of mark and the leader's price, which counts up to 10 % from mark.
 */
export function worstCopyPrice(side: Side, mark: Price, leaderPrice: Price): Price {
  const reach = rateOfPrice(mark, LEADER_DISTANCE_MAX, 'down');
  if (side === 'buy') {
    const from = greatest(mark, least(leaderPrice, plus(mark, reach)));
    return plus(from, rateOfPrice(from, COPY_SLIPPAGE_MAX, 'down'));
  }
  const from = least(mark, greatest(leaderPrice, minus(mark, reach)));
  return minus(from, rateOfPrice(from, COPY_SLIPPAGE_MAX, 'down'));
}
