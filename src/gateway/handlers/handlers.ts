/** The tables of handlers: one for each endpoint of a plane, or this does not compile. */
import type { operatorEndpoints, publicEndpoints } from '../../contract/endpoints.ts';
import { accountHandlers } from './account.ts';
import { futuresSettingsHandlers } from './futures-settings.ts';
import type { HandlersOf } from './handler.ts';
import { marketHandlers } from './market.ts';
import { notOfferedHandlers } from './not-offered.ts';
import { operatorPeopleHandlers } from './operator.ts';
import { operatorMarketHandlers } from './operator-market.ts';
import type { HandlerParts } from './parts.ts';

export type PublicHandlers = HandlersOf<typeof publicEndpoints>;
export type OperatorHandlers = HandlersOf<typeof operatorEndpoints>;

export const publicHandlers = (parts: HandlerParts): PublicHandlers => ({
  ...notOfferedHandlers,
  ...accountHandlers(parts),
  ...futuresSettingsHandlers(parts),
  ...marketHandlers(parts),
});

export const operatorHandlers = (parts: HandlerParts): OperatorHandlers => ({
  ...operatorPeopleHandlers(parts),
  ...operatorMarketHandlers(parts),
});
