/**
 * The names of an object in the order they were said. Objects of one kind of request have the same,
 * those of a list above all: their names are made into texts and looked up once for all of them.
 */

/** More than any request has; objects with more have no layout. */
const NAMES_MAX = 48;
/**
 * Clients have a few each. Whoever sends ever others makes us forget all of them now and then, and
 * nothing worse.
 */
const LAYOUTS_MAX = 2_000;
/**
 * Names that stand in a body letter by letter. Those of digits are left out: the language has the
 * same hash for many of them, and is slow then.
 */
const PLAIN_NAME = /^[A-Za-z_]\w{0,31}$/;
export const NOWHERE = -1;
/** No layout has it. */
export const NO_LAYOUT = 0;
/**
 * Unlike a buffer, what it makes stands in memory of its own: a few bytes that are kept keep no
 * body and no secret beside them.
 */
const encoder = new TextEncoder();
let lastNumber = NO_LAYOUT;

export class Layout {
  /** Its own for ever, so that it can be remembered without being kept. */
  readonly number = ++lastNumber;
  readonly #before: Layout | undefined;
  /** The last of its names. */
  readonly #name: string;
  readonly #size: number;
  /** The last of its names as it stands in a body, with its quotes. */
  readonly quoted: Uint8Array;
  /** What it went on with last. */
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
   * With one name more; undefined where there is none, since it has that name already or no layout
   * may have it.
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

/** What every object begins with. */
export const emptyLayout = (): Layout => empty;
