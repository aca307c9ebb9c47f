/** The past of every book that has one, as the exchange was given it. */
import type { Past } from '../../messages/past.ts';
import type { Category } from '../../messages/vocabulary.ts';
import { bookKey } from '../symbol-keys.ts';
import type { Listeners, View } from '../view.ts';
import { DrawnPast } from './drawn-past.ts';
import type { BookPast, PastQueries } from './past-queries.ts';

export class PastView implements View, PastQueries {
  readonly name = 'past';
  #past: Past | undefined;
  #books = new Map<string, BookPast>();

  readonly on: Listeners = { pastSet: ({ past }) => this.#set(past) };

  save(): unknown {
    return { past: this.#past };
  }

  restore(saved: unknown): void {
    this.#set((saved as { readonly past?: Past }).past);
  }

  of(category: Category, symbol: string): BookPast | undefined {
    return this.#books.get(bookKey(category, symbol));
  }

  #set(past: Past | undefined): void {
    this.#past = past;
    this.#books = new Map(past?.books.map(({ category, symbol }, place) => [bookKey(category, symbol), new DrawnPast(past, place)]));
  }
}
