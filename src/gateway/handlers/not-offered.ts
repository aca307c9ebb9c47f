/**
 * Endpoints that are in the contract while the capability behind them is not built. They are authenticated, limited and decoded like any other,
 * and then refused. Building one means moving its name out of this list; the compiler then asks for its handler.
 */
import type { PublicName } from '../../contract/endpoints.ts';
import { refuse } from '../../kernel/result.ts';
import { rejection } from '../../messages/rejections.ts';
import type { Reply } from './handler.ts';

/** Everything in the contract is built. */
export const NOT_OFFERED = [] as const satisfies readonly PublicName[];

export type NotOfferedName = (typeof NOT_OFFERED)[number];

export const notOffered = (): Reply<never> => refuse(rejection('notOffered'));

export const notOfferedHandlers = Object.fromEntries(NOT_OFFERED.map((name) => [name, notOffered])) as Readonly<
  Record<NotOfferedName, typeof notOffered>
>;
