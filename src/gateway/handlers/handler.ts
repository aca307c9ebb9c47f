/**
 * The type of a handler: it translates a decoded request to a command or query, and the outcome to
 * the row's response. It decides nothing.
 */
import type { RequestOf, ResponseOf } from '../../contract/endpoint.ts';
import type { WireRejection } from '../../contract/wire-rejections.ts';
import type { Result } from '../../kernel/result.ts';
import type { Caller } from '../caller.ts';

export type Reply<Response> = Result<Response, WireRejection>;

/**
 * Reads from live views return values; commands and history return promises. `upload` is the body
 * of a row that takes bytes, and empty elsewhere.
 */
export type EndpointHandler<Row> = (
  request: RequestOf<Row>,
  caller: Caller,
  upload: AsyncIterable<Uint8Array>,
) => Reply<ResponseOf<Row>> | Promise<Reply<ResponseOf<Row>>>;

/** A handler for each endpoint row; a missing one does not compile. */
export type HandlersOf<Table> = { readonly [Name in keyof Table]: EndpointHandler<Table[Name]> };
