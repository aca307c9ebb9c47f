/** The past of every book that has one: recorded, or drawn from a seed. */
import type { Past } from '../../messages/past.ts';
import { isRangeOf, type RecordedPast } from '../../messages/recordings.ts';
import { CATEGORIES, type Category } from '../../messages/vocabulary.ts';
import { bookKey } from '../symbol-keys.ts';
import type { Listeners, View } from '../view.ts';
import { DrawnPast } from './drawn-past.ts';
import type { BookPast, PastQueries } from './past-queries.ts';
import { RecordedBookPast, type RecordedSource } from './recorded-past.ts';

interface SavedPast {
  readonly past?: Past;
  readonly recorded: ReadonlyMap<string, RecordedPast>;
}

/** The books with a recording, listed or not. */
export const booksOfPast = (past: RecordedPast): readonly string[] =>
  CATEGORIES.filter((category) => isRangeOf(past, { category, symbol: past.symbol })).map(
    (category) => bookKey(category, past.symbol),
  );

export class PastView implements View<'past'>, PastQueries {
  readonly name = 'past';
  readonly #source: RecordedSource;
  #past: Past | undefined;
  #drawn = new Map<string, BookPast>();
  #recorded = new Map<string, RecordedPast>();
  #books = new Map<string, BookPast>();

  constructor(source: RecordedSource) {
    this.#source = source;
  }

  readonly on: Listeners<'past'> = {
    pastSet: ({ past }) => this.#set(past),
    recordingImported: ({ past }) => {
      if (past !== undefined) for (const key of booksOfPast(past)) this.#record(key, past);
    },
  };

  save(): SavedPast {
    return {
      ...(this.#past === undefined ? {} : { past: this.#past }),
      recorded: new Map(this.#recorded),
    };
  }

  restore(saved: unknown): void {
    const { past, recorded } = saved as SavedPast;
    this.#recorded = new Map(recorded);
    this.#set(past);
  }

  of(category: Category, symbol: string): BookPast | undefined {
    return this.#books.get(bookKey(category, symbol));
  }

  #set(past: Past | undefined): void {
    this.#past = past;
    this.#drawn = new Map(
      past?.books.map(({ category, symbol }, place) => [
        bookKey(category, symbol),
        new DrawnPast(past, place),
      ]),
    );
    this.#books = new Map(this.#drawn);
    for (const [key, recorded] of this.#recorded) this.#record(key, recorded);
  }

  #record(key: string, past: RecordedPast): void {
    this.#recorded.set(key, past);
    this.#books.set(key, new RecordedBookPast(past, this.#source, this.#drawn.get(key)));
  }
}
