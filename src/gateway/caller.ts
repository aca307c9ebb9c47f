/** Who a handler answers to, once the gateway has made sure. */
import type { Language } from '../contract/dialects.ts';
import type { Uid } from '../kernel/ids.ts';
import type { Permission } from '../messages/vocabulary.ts';

export interface Caller {
  readonly uid: Uid;
  readonly permissions: ReadonlySet<Permission>;
  /** Where the key may be used from; undefined for anywhere. */
  readonly addresses?: ReadonlySet<string> | undefined;
  readonly ip: string;
  readonly language: Language;
}

/** The uid of a caller on endpoints that ask for no key: nobody's, so nothing is found under it. */
export const ANONYMOUS = 0 as Uid;
export const NO_PERMISSIONS: ReadonlySet<Permission> = new Set();
