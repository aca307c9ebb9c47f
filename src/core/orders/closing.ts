/** How an order stands to what was said of it: most are as they were said, others close what there is. */
import type { Price } from '../../kernel/money.ts';

/**
 * Of an order that closes: the size that was said, a size already cut to what there is, or the whole position, whatever closes of it are open.
 * One that copies a leader's is as it was said, and goes less far from mark and from what he paid (CPY-68).
 */
export type Closing = 'asSaid' | Copied | 'cut' | 'whole';

interface Copied {
  readonly leaderPrice: Price;
}

/** Whether it is an order as anybody's, and not one that closes what there is. */
export const isAsked = (closing: Closing): boolean => closing === 'asSaid' || isCopied(closing);

export const isCopied = (closing: Closing): closing is Copied => typeof closing === 'object';
