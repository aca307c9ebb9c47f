/** Copies in a position that is taken over: what the fund gains by it, or pays, is part of what they have brought their holder (CPY-54). */
import { type Amount, divide, minus } from '../../kernel/money.ts';
import type { Lots } from '../book/order-book.ts';
import { type Position, positionKey } from '../positions/position.ts';
import type { Step } from '../step.ts';
import type { Copy } from './copy-state.ts';

/** A copy with the lots that it has in the position. */
export interface CopiedPart {
  readonly copy: Copy;
  readonly lots: Lots;
}

export function copiesIn({ state, derived }: Step, { uid, key, side }: Position): readonly CopiedPart[] {
  const parts: CopiedPart[] = [];
  for (const id of derived.tracked.at(uid, positionKey(key, side))) {
    const copy = state.copy.tracked.get(id);
    if (copy?.kind === 'copy') parts.push({ copy, lots: copy.lots });
  }
  return parts;
}

/** Each bears its part by size. It is settled with its leader later, so that no share is paid on what the fund has got. */
export function bearTakeOver(parts: readonly CopiedPart[], positionLots: Lots, gained: Amount): void {
  for (const { copy, lots } of parts)
    copy.profit = minus(copy.profit, divide(gained * BigInt(lots), BigInt(positionLots), 'down') as Amount);
}
