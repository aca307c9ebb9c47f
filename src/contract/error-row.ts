/**
 * What the wire says of one way to be refused. Rows stand in files named after their area, and
 * `errors.ts` gathers them.
 */
import type { RejectionReason } from '../messages/rejections.ts';
import type { Dialect } from './dialects.ts';

export interface ErrorRow {
  readonly code: string | (Readonly<Partial<Record<Dialect, string>>> & { readonly v2: string });
  /** 400 unless said otherwise. */
  readonly status?: number;
  /**
   * `{field}` and `{detail}` are filled in; a part in brackets is left out when what it names is
   * not known.
   */
  readonly en: string;
  readonly zh: string;
}

export type ErrorRows = Readonly<Partial<Record<RejectionReason, ErrorRow>>>;
