/**
 * The wire codes and texts of a refusal. Each area has a file of rows, and `errors.ts` joins them.
 */
import type { RejectionReason } from '../messages/rejections.ts';
import type { Dialect } from './dialects.ts';

export interface ErrorRow {
  readonly code: string | (Readonly<Partial<Record<Dialect, string>>> & { readonly v2: string });
  /** 400 by default. */
  readonly status?: number;
  /**
   * `{field}` and `{detail}` are replaced by values. A part in brackets is omitted if its value is
   * absent.
   */
  readonly en: string;
  readonly zh: string;
}

export type ErrorRows = Readonly<Partial<Record<RejectionReason, ErrorRow>>>;
