/**
 * What a handler is: it translates a decoded request into a command or a query, and the outcome
 * into what the row promises. It decides nothing.
 */
import type { RequestOf, ResponseOf } from '../../contract/endpoint.ts';
import type { WireRejection } from '../../contract/wire-rejections.ts';
import type { Result } from '../../kernel/result.ts';
import type { Caller } from '../caller.ts';

export type Reply<Response> = Result<Response, WireRejection>;

/** Reads from live views answer at once; commands and history answer a promise. */
export type EndpointHandler<Row> = (
  request: RequestOf<Row>,
  caller: Caller,
) => Reply<ResponseOf<Row>> | Promise<Reply<ResponseOf<Row>>>;

/** A handler for each row of a table of endpoints: a row without one does not compile. */
export type HandlersOf<Table> = { readonly [Name in keyof Table]: EndpointHandler<Table[Name]> };
