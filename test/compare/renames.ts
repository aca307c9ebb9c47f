/**
 * Tracks which name of one version became which of the other. A rename must be one-to-one in its
 * place, and one of the two names must be unknown to the other version. A word that both know is a
 * different answer.
 */

/** A place with more words has user text and not a vocabulary, so its words are never renamed. */
const WORDS_MAX = 200;
const WORD = /^[a-z]+(?:[A-Z][a-z]*)*$/;

/** The names in the text of each version. */
export interface Vocabularies {
  readonly old: ReadonlySet<string>;
  readonly renewed: ReadonlySet<string>;
  /** Renames declared by the caller. */
  readonly input: ReadonlyMap<string, string>;
}

export const vocabularyOf = (text: string): ReadonlySet<string> =>
  new Set(text.match(/[A-Za-z_$][\w$]*/g) ?? []);

class Pairs {
  readonly #newByOld = new Map<string, string>();
  readonly #oldByNew = new Map<string, string>();

  get size(): number {
    return this.#newByOld.size;
  }

  of(old: string): string | undefined {
    return this.#newByOld.get(old);
  }

  /** False if one of the two already has another partner. */
  join(old: string, renewed: string): boolean {
    const known = this.#newByOld.get(old);
    if (known !== undefined) return known === renewed;
    if (this.#oldByNew.has(renewed)) return false;
    this.#newByOld.set(old, renewed);
    this.#oldByNew.set(renewed, old);
    return true;
  }

  *renamed(): Generator<readonly [string, string]> {
    for (const [old, renewed] of this.#newByOld) if (old !== renewed) yield [old, renewed];
  }
}

/**
 * A place in the output: an event's field, an item of a list. It records the names of its fields
 * and its words.
 */
export class Place {
  readonly #words = new Pairs();
  readonly #names = new Pairs();
  readonly #below = new Map<string, Place>();
  readonly #vocabularies: Vocabularies;

  constructor(vocabularies: Vocabularies) {
    this.#vocabularies = vocabularies;
  }

  below(name: string): Place {
    const known = this.#below.get(name);
    if (known !== undefined) return known;
    const made = new Place(this.#vocabularies);
    this.#below.set(name, made);
    return made;
  }

  newNameOf(old: string): string {
    return this.#names.of(old) ?? this.#vocabularies.input.get(old) ?? old;
  }

  isSameName(old: string, renewed: string): boolean {
    return this.#names.join(old, renewed);
  }

  isSameWord(old: string, renewed: string): boolean {
    if (old === renewed) return this.#words.size >= WORDS_MAX || this.#words.join(old, renewed);
    if (this.#words.size >= WORDS_MAX || !WORD.test(old) || !WORD.test(renewed)) return false;
    const { old: oldWords, renewed: newWords, input } = this.#vocabularies;
    const isRename = input.get(old) === renewed || !oldWords.has(renewed) || !newWords.has(old);
    return isRename && this.#words.join(old, renewed);
  }

  /** Every rename found here and below, as `place: old → new`. */
  *renames(place = ''): Generator<string> {
    for (const [old, renewed] of this.#names.renamed()) yield `${place}.${old} → ${renewed}`;
    for (const [old, renewed] of this.#words.renamed()) yield `${place}: '${old}' → '${renewed}'`;
    for (const [name, below] of this.#below)
      yield* below.renames(place === '' ? name : `${place}.${name}`);
  }
}
