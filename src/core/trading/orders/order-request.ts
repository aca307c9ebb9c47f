/** What is asked for when an order is placed, and how it is meant. */
import type { AccountContext } from '../../derived/account-context.ts';
import type { Category } from '../../../messages/vocabulary.ts';
import type { OrderDraft } from '../../../messages/orders.ts';
import type { Price } from '../../../kernel/money.ts';

export interface OrderRequest {
  readonly context: AccountContext;
  readonly category: Category;
  readonly draft: OrderDraft;
  readonly sizePolicy: SizePolicy;
}

/**
 * Most orders are as they were said. Of one that closes, the size may be cut already to what there
 * is, or the whole position be meant, whatever closes of it are open. One that copies a leader's is
 * as it was said, and goes less far from mark and from what he paid (CPY-68, CPY-156).
 */
export type SizePolicy = 'asRequested' | Copied | 'cut' | 'whole';

interface Copied {
  readonly leaderPrice: Price;
}

/** Whether it is an order as anybody's, and not one that closes what there is. */
export const isAsked = (sizePolicy: SizePolicy): boolean =>
  sizePolicy === 'asRequested' || isCopied(sizePolicy);

export const isCopied = (sizePolicy: SizePolicy): sizePolicy is Copied =>
  typeof sizePolicy === 'object';
