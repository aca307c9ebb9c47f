/**
 * A map ordered by key and, for equal keys, by id: for example, the nearest threshold to a price.
 * It is an AA tree: get, set and delete are logarithmic, and iteration costs only what it yields.
 */
export interface OrderedEntry<Key extends number | bigint, Value> {
  readonly key: Key;
  /** Distinguishes entries with the same key. */
  readonly id: number;
  readonly value: Value;
}

interface Node<Key extends number | bigint, Value> {
  entry: OrderedEntry<Key, Value>;
  level: number;
  left: Node<Key, Value> | undefined;
  right: Node<Key, Value> | undefined;
}

type Tree<Key extends number | bigint, Value> = Node<Key, Value> | undefined;
interface Place<Key extends number | bigint> {
  readonly key: Key;
  readonly id: number;
}

function compare<Key extends number | bigint>(one: Place<Key>, other: Place<Key>): number {
  if (one.key !== other.key) return one.key < other.key ? -1 : 1;
  return one.id - other.id;
}

/** A left child of the same level becomes the parent. */
function skew<Key extends number | bigint, Value>(node: Node<Key, Value>): Node<Key, Value> {
  const { left } = node;
  if (left === undefined || left.level !== node.level) return node;
  node.left = left.right;
  left.right = node;
  return left;
}

/** Of three nodes of one level in a row to the right, the middle one rises. */
function split<Key extends number | bigint, Value>(node: Node<Key, Value>): Node<Key, Value> {
  const { right } = node;
  if (right?.right === undefined || right.right.level !== node.level) return node;
  node.right = right.left;
  right.left = node;
  right.level += 1;
  return right;
}

function inserted<Key extends number | bigint, Value>(
  tree: Tree<Key, Value>,
  entry: OrderedEntry<Key, Value>,
): Node<Key, Value> {
  if (tree === undefined) return { entry, level: 1, left: undefined, right: undefined };
  const order = compare(entry, tree.entry);
  if (order === 0) {
    tree.entry = entry;
    return tree;
  }
  if (order < 0) tree.left = inserted(tree.left, entry);
  else tree.right = inserted(tree.right, entry);
  return split(skew(tree));
}

const levelOf = <Key extends number | bigint, Value>(tree: Tree<Key, Value>): number =>
  tree?.level ?? 0;

/** Lowers the level of a node after a removal below it, and rebalances its right side. */
function lowered<Key extends number | bigint, Value>(node: Node<Key, Value>): Node<Key, Value> {
  const level = Math.min(levelOf(node.left), levelOf(node.right)) + 1;
  if (level < node.level) {
    node.level = level;
    if (node.right !== undefined && level < node.right.level) node.right.level = level;
  }
  const top = skew(node);
  if (top.right !== undefined) {
    top.right = skew(top.right);
    if (top.right.right !== undefined) top.right.right = skew(top.right.right);
  }
  const balanced = split(top);
  if (balanced.right !== undefined) balanced.right = split(balanced.right);
  return balanced;
}

function leftmost<Key extends number | bigint, Value>(node: Node<Key, Value>): Node<Key, Value> {
  let found = node;
  while (found.left !== undefined) found = found.left;
  return found;
}

function rightmost<Key extends number | bigint, Value>(node: Node<Key, Value>): Node<Key, Value> {
  let found = node;
  while (found.right !== undefined) found = found.right;
  return found;
}

function removed<Key extends number | bigint, Value>(
  tree: Tree<Key, Value>,
  place: Place<Key>,
): Tree<Key, Value> {
  if (tree === undefined) return undefined;
  const order = compare(place, tree.entry);
  if (order < 0) tree.left = removed(tree.left, place);
  else if (order > 0) tree.right = removed(tree.right, place);
  else if (tree.left !== undefined) {
    tree.entry = rightmost(tree.left).entry;
    tree.left = removed(tree.left, tree.entry);
  } else if (tree.right !== undefined) {
    tree.entry = leftmost(tree.right).entry;
    tree.right = removed(tree.right, tree.entry);
  } else return undefined;
  return lowered(tree);
}

/**
 * If this share of the entries leaves at once, rebuilding is cheaper than removing them one by one.
 */
const REBUILD_SHARE = 8;

/**
 * Builds a tree from sorted entries. Halving gives each node the level that its entry count has in
 * every AA tree.
 */
function built<Key extends number | bigint, Value>(
  entries: readonly OrderedEntry<Key, Value>[],
  from: number,
  end: number,
): Tree<Key, Value> {
  if (from >= end) return undefined;
  const middle = from + ((end - from - 1) >> 1);
  return {
    entry: entries[middle]!,
    level: 31 - Math.clz32(end - from + 1),
    left: built(entries, from, middle),
    right: built(entries, middle + 1, end),
  };
}

export class OrderedMap<Key extends number | bigint, Value> {
  #root: Tree<Key, Value> = undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: Key, id: number): Value | undefined {
    return this.#find({ key, id })?.entry.value;
  }

  set(key: Key, id: number, value: Value): void {
    if (this.#find({ key, id }) === undefined) this.#size += 1;
    this.#root = inserted(this.#root, { key, id, value });
  }

  /** Returns whether the entry existed. */
  delete(key: Key, id: number): boolean {
    if (this.#find({ key, id }) === undefined) return false;
    this.#size -= 1;
    this.#root = removed(this.#root, { key, id });
    return true;
  }

  first(): OrderedEntry<Key, Value> | undefined {
    return this.#root === undefined ? undefined : leftmost(this.#root).entry;
  }

  last(): OrderedEntry<Key, Value> | undefined {
    return this.#root === undefined ? undefined : rightmost(this.#root).entry;
  }

  /** Ascending. Do not change the map meanwhile. */
  all(): Generator<OrderedEntry<Key, Value>> {
    return this.#walk(() => true, 'left', 'right');
  }

  /** Ascending, up to and including a key. Do not change the map meanwhile. */
  upTo(key: Key): Generator<OrderedEntry<Key, Value>> {
    return this.#walk((entry) => entry.key <= key, 'left', 'right');
  }

  /** Descending, down to and including a key. Do not change the map meanwhile. */
  downTo(key: Key): Generator<OrderedEntry<Key, Value>> {
    return this.#walk((entry) => entry.key >= key, 'right', 'left');
  }

  /** Removes all entries up to and including a key; returns them in order. */
  takeUpTo(key: Key): readonly OrderedEntry<Key, Value>[] {
    const first = this.first();
    if (first === undefined || first.key > key) return NOTHING;
    const taken = [...this.upTo(key)];
    if (taken.length * REBUILD_SHARE < this.#size)
      for (const entry of taken) this.delete(entry.key, entry.id);
    else this.#keepFrom(taken.length);
    return taken;
  }

  #keepFrom(count: number): void {
    const kept = [...this.all()].slice(count);
    this.#root = built(kept, 0, kept.length);
    this.#size = kept.length;
  }

  #find(place: Place<Key>): Tree<Key, Value> {
    let node = this.#root;
    while (node !== undefined) {
      const order = compare(place, node.entry);
      if (order === 0) return node;
      node = order < 0 ? node.left : node.right;
    }
    return undefined;
  }

  *#walk(
    goesOn: (entry: OrderedEntry<Key, Value>) => boolean,
    near: 'left' | 'right',
    far: 'left' | 'right',
  ): Generator<OrderedEntry<Key, Value>> {
    const open: Node<Key, Value>[] = [];
    let node = this.#root;
    while (node !== undefined || open.length > 0) {
      while (node !== undefined) {
        open.push(node);
        node = node[near];
      }
      const next = open.pop()!;
      if (!goesOn(next.entry)) return;
      yield next.entry;
      node = next[far];
    }
  }
}

const NOTHING: readonly never[] = [];
