/** The authenticated caller that a handler answers. */
import type { Language } from '../contract/dialects.ts';
import type { Uid } from '../kernel/ids.ts';
import type { Permission } from '../messages/vocabulary.ts';

export interface Caller {
  readonly uid: Uid;
  readonly permissions: ReadonlySet<Permission>;
  /** Addresses that may use the key; undefined for any. */
  readonly addresses?: ReadonlySet<string> | undefined;
  readonly ip: string;
  readonly language: Language;
}

/** The uid of callers on endpoints without a key. No user has it, so lookups find nothing. */
export const ANONYMOUS = 0 as Uid;
export const NO_PERMISSIONS: ReadonlySet<Permission> = new Set();
