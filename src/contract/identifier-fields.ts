/**
 * Request fields that identify something: symbols, coins, chains, users, orders and places in a
 * list.
 */
import {
  CLIENT_OID,
  type ClientOid,
  type Id,
  idFromText,
  idPlaceFromText,
  LONG_CLIENT_OID,
  type Uid,
  uidFromText,
} from '../kernel/ids.ts';
import { scalar } from './fields.ts';
import type { Field } from './fields-reader.ts';

/**
 * Upper-cased, like all symbols and coins of requests. Only these characters can occur in a name.
 */
const NAME = /^[A-Za-z0-9_-]{1,32}$/;
const UPPER_NAME = /^[A-Z0-9_-]{1,32}$/;
const upperName = (input: string): string | undefined => {
  if (UPPER_NAME.test(input)) return input;
  return NAME.test(input) ? input.toUpperCase() : undefined;
};
export const symbol = (): Field<string, string> =>
  scalar({ type: 'string', examples: ['BTCUSDT'] }, upperName);
export const coin = (): Field<string, string> =>
  scalar({ type: 'string', examples: ['USDT'] }, upperName);
/**
 * A network, compared without case. It is upper-cased like a coin and allows the characters of
 * listings.
 */
const CHAIN = /^[A-Za-z0-9._-]{1,32}$/;
export const chain = (): Field<string, string> =>
  scalar({ type: 'string', examples: ['TRC20'] }, (input) =>
    CHAIN.test(input) ? input.toUpperCase() : undefined,
  );
/** For the only call whose specification distinguishes case. */
export const symbolAsGiven = (): Field<string, string> =>
  scalar({ type: 'string', examples: ['BTCUSDT'] }, (input) =>
    NAME.test(input) ? input : undefined,
  );

export const clientOid = (): Field<ClientOid, string> =>
  scalar({ type: 'string', pattern: CLIENT_OID.source }, (input) =>
    CLIENT_OID.test(input) ? (input as ClientOid) : undefined,
  );

/** The client order ID of a replacement order, and of any order in a query (ORD-99). */
export const longClientOid = (): Field<ClientOid, string> =>
  scalar({ type: 'string', pattern: LONG_CLIENT_OID.source }, (input) =>
    LONG_CLIENT_OID.test(input) ? (input as ClientOid) : undefined,
  );

const ID_GIVEN = /^[\w-]{1,64}$/;

export const uid = (): Field<Uid, string> =>
  scalar({ type: 'string', examples: ['1000000001'] }, uidFromText);
/**
 * A user in a public call. Clients of other exchanges name users by other texts; such a text
 * matches no user (API-10).
 */
const ANONYMOUS_UID = 0 as Uid;
export const namedUid = (): Field<Uid, string> =>
  scalar({ type: 'string', examples: ['1000000001'] }, (input) =>
    ID_GIVEN.test(input) ? (uidFromText(input) ?? ANONYMOUS_UID) : undefined,
  );

/** The id of an order or a row. A well-formed id that the exchange never issued matches nothing. */
export const ID_OF_NOTHING = 0 as Id;
export const id = (): Field<Id, string> =>
  scalar({ type: 'string', examples: ['1000000000000000042'] }, (input) =>
    ID_GIVEN.test(input) ? (idFromText(input) ?? ID_OF_NOTHING) : undefined,
  );

/**
 * The start of a page: a place in the order of ids. Other texts are refused, because an empty page
 * would mean that there are no more rows.
 */
export const pageCursor = (): Field<Id, string> =>
  scalar({ type: 'string', examples: ['1000000000000000042'] }, idPlaceFromText);

/** An id that an answer repeats as it was sent, whether it exists or not. */
export const idAsGiven = (): Field<string, string> =>
  scalar({ type: 'string', examples: ['1000000000000000042'] }, (input) =>
    ID_GIVEN.test(input) ? input : undefined,
  );
