/** How lists are wrapped, paged and bounded in time. */
import type { List, Window } from './list.ts';
import { type Row, wireId } from './row.ts';

type Wrapped = Pick<List, 'answer' | 'listed'>;
export type Objects = readonly Readonly<Record<string, unknown>>[];

export const shownOf = (page: readonly Row[]) => page.map(({ shown }) => shown);
export const plain: Wrapped = { answer: shownOf, listed: (data) => data as Objects };
export const idOr = (row: Row | undefined): string => (row === undefined ? '' : wireId(row.id));

/** A list with the id of the next page. */
export const ending = (name: string, end: string): Wrapped => ({
  answer: (page, _asked, last) => ({ [name]: shownOf(page), [end]: idOr(last) }),
  listed: (data) => (data as Record<string, Objects>)[name]!,
});
/** A list with the largest and the smallest id of the page; `none` for both if it is empty. */
export const ranged = (name: string, none = ''): Wrapped => ({
  answer: (page) => {
    const [maxId, minId] = [page[0], page.at(-1)].map((row) =>
      row === undefined ? none : idOr(row),
    );
    return { [name]: shownOf(page), maxId, minId };
  },
  listed: (data) => (data as Record<string, Objects>)[name]!,
});

export const older = { older: 'idLessThan' } as const;
export const cursor = { older: 'cursor' } as const;
export const span = (days: number, more: Partial<Window> = {}): { readonly window: Window } => ({
  window: { days, ...more },
});
export const names = ['orderId', 'clientOid'] as const;

export const v3 = { size: ['limit', 100, 100], ...cursor } as const;
export const v2 = { size: ['limit', 100, 100], ...older } as const;
export const pairPage = { size: ['limit', 100, 500], ...older } as const;
export const desk = { ofAll: true, size: ['limit', 100, 1_000], ...older, ...plain } as const;
