/** A binary min-heap in a plain array. The array is the state, so a snapshot can store it. */
export type Before<Item> = (left: Item, right: Item) => boolean;

export function heapPush<Item>(items: Item[], item: Item, before: Before<Item>): void {
  let at = items.length;
  items.push(item);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!before(item, items[parent]!)) break;
    items[at] = items[parent]!;
    at = parent;
  }
  items[at] = item;
}

export function heapPop<Item>(items: Item[], before: Before<Item>): Item | undefined {
  const first = items[0];
  const last = items.pop();
  if (last === undefined || items.length === 0) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= items.length) break;
    if (child + 1 < items.length && before(items[child + 1]!, items[child]!)) child++;
    if (!before(items[child]!, last)) break;
    items[at] = items[child]!;
    at = child;
  }
  items[at] = last;
  return first;
}
