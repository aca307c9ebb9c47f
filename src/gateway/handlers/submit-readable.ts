/**
 * Lists whose items answer each for itself: one that could not be read in its place, the others by
 * what the exchange says.
 */

import type { WireRejection } from '../../contract/wire-rejections.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { Reply } from './handler.ts';

type Results<Value> = readonly Result<Value, WireRejection>[];

/**
 * What can be read goes to the exchange together, in the order it was said; where nothing can,
 * nothing does.
 */
export async function submitReadable<Item, Value>(
  items: readonly Reply<Item>[],
  submit: (readable: readonly Item[]) => Promise<Reply<Results<Value>>>,
): Promise<Reply<Results<Value>>> {
  const readable: Item[] = [];
  for (const item of items) if (item.ok) readable.push(item.value);
  const outcome: Reply<Results<Value>> = readable.length === 0 ? ok([]) : await submit(readable);
  if (!outcome.ok) return outcome;
  let next = 0;
  return ok(items.map((item) => (item.ok ? outcome.value[next++]! : item)));
}
