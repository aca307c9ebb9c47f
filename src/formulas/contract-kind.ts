/**
 * The two contract types: linear futures settle profit in the quote coin, inverse ones in the base
 * coin.
 */
import type { FuturesCategory, PositionSide } from '../messages/vocabulary.ts';

export type ContractKind = 'linear' | 'inverse';

export const contractKindOf = (category: FuturesCategory): ContractKind =>
  category === 'COIN-FUTURES' ? 'inverse' : 'linear';

/** The factor d in the rules: a long gains when the price rises, a short when it falls. */
export const directionOf = (side: PositionSide): bigint => (side === 'long' ? 1n : -1n);
