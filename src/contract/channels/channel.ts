/** One row of the contract: everything about a channel of the streams. */
import type { Permission } from '../../messages/vocabulary.ts';
import type { RequestShape } from '../endpoint.ts';
import type { Shape, ShapeValue } from '../shapes.ts';
import type { StreamVersion } from './stream-paths.ts';

export interface Channel<Arg = unknown, Data = unknown> {
  readonly version: StreamVersion;
  /** Its names on the wire: more than one if they differ only in a length or a depth. */
  readonly names: readonly string[];
  readonly summary: string;
  /** The permission of the REST call that shows the same rows; it may depend on the category. */
  readonly access: Permission | 'anybody' | ((arg: Arg) => Permission);
  /**
   * `state`: each push has the whole state, so a later push replaces an earlier one. `change`: each
   * push has what changed since the one before. `event`: each push has new rows.
   */
  readonly kind: 'state' | 'change' | 'event';
  /** A subscription begins with a push of what there is. */
  readonly snapshot: boolean;
  /** The argument without the name of the channel. */
  readonly arg: RequestShape<Arg>;
  /** The field `data` of a push. */
  readonly data: Shape<Data>;
  readonly rules: readonly string[];
}

/** Keeps the row's own types. */
export const channel = <Arg, Data>(row: Channel<Arg, Data>): Channel<Arg, Data> => row;

export type ArgOf<Row> = Row extends Channel<infer Arg, infer _> ? Arg : never;
export type DataOf<Row> = Row extends { readonly data: infer Kind } ? ShapeValue<Kind> : never;

/** The field of an argument that names the channel. */
export const CHANNEL_FIELDS: Readonly<Record<StreamVersion, string>> = {
  v2: 'channel',
  v3: 'topic',
};
