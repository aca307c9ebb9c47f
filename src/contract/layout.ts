/**
 * The names of an object in their order. Objects of one kind of request have the same names, above
 * all those of a list. The names are therefore decoded and looked up once for all of them.
 */

/** More than any request has. Objects with more names have no layout. */
const NAMES_MAX = 48;
/**
 * Clients have a few layouts each. A client that sends ever new names only makes the exchange drop
 * all layouts now and then.
 */
const LAYOUTS_MAX = 2_000;
/**
 * Names that a body writes without escapes. Names of digits are excluded: many of them have the
 * same hash in the language, which makes maps slow.
 */
const PLAIN_NAME = /^[A-Za-z_]\w{0,31}$/;
export const NOWHERE = -1;
/** No layout has this number. */
export const NO_LAYOUT = 0;
/**
 * Its result has memory of its own, unlike a slice of a buffer. A few stored bytes therefore keep
 * no body and no secret in memory.
 */
const encoder = new TextEncoder();
let lastNumber = NO_LAYOUT;

export class Layout {
  /** Unique forever. A number can be remembered without keeping the layout in memory. */
  readonly number = ++lastNumber;
  readonly #before: Layout | undefined;
  /** The last of its names. */
  readonly #name: string;
  readonly #size: number;
  /** The last of its names in a body, with its quotes. */
  readonly quoted: Uint8Array;
  /** The layout that followed last. */
  likely: Layout | undefined;
  readonly #nexts = new Map<string, Layout>();
  #places: ReadonlyMap<string, number> | undefined;

  constructor(before?: Layout, name = '') {
    this.#before = before;
    this.#name = name;
    this.#size = before === undefined ? 0 : before.#size + 1;
    this.quoted = encoder.encode(`"${name}"`);
  }

  /**
   * The layout with one more name. It is undefined if the name is already there or no layout may
   * have it.
   */
  with(name: string): Layout | undefined {
    const next = this.#nexts.get(name) ?? this.#begin(name);
    if (next !== undefined) this.likely = next;
    return next;
  }

  #begin(name: string): Layout | undefined {
    if (this.#size === NAMES_MAX || !PLAIN_NAME.test(name) || this.#has(name)) return undefined;
    const next = new Layout(this, name);
    this.#nexts.set(name, next);
    count();
    return next;
  }

  #has(name: string): boolean {
    return this.#before !== undefined && (this.#name === name || this.#before.#has(name));
  }

  names(): readonly string[] {
    return this.#addNames([]);
  }

  #addNames(names: string[]): readonly string[] {
    if (this.#before === undefined) return names;
    this.#before.#addNames(names);
    names.push(this.#name);
    return names;
  }

  placeOf(name: string): number {
    this.#places ??= new Map(this.names().map((each, place) => [each, place]));
    return this.#places.get(name) ?? NOWHERE;
  }
}

let empty = new Layout();
let made = 0;

function count(): void {
  made += 1;
  if (made < LAYOUTS_MAX) return;
  empty = new Layout();
  made = 0;
}

/** The start of every layout. */
export const emptyLayout = (): Layout => empty;
