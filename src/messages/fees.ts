/** Fee settings in commands. */
import { oneOf, record, text, type ValueOf } from '../kernel/codec.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import { LEVELS } from './vocabulary.ts';

/** Spot and margin share their fees. */
export const FEE_MARKETS = ['spot', 'futures'] as const;
export type FeeMarket = (typeof FEE_MARKETS)[number];

export const levelFeesCodec = record({
  level: oneOf(LEVELS),
  maker: text<DecimalText>(),
  taker: text<DecimalText>(),
});
export type LevelFees = ValueOf<typeof levelFeesCodec>;
