/**
 * Batches whose items are answered separately: an unreadable item is refused in place, the rest are
 * submitted.
 */

import type { WireRejection } from '../../contract/wire-rejections.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { Reply } from './handler.ts';

type Results<Value> = readonly Result<Value, WireRejection>[];

/**
 * Submits the readable items together, in request order, unless there are none.
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
