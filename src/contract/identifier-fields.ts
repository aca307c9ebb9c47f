/** Request fields that name something: symbols, coins, chains, users, orders and places in a list. */
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
 * Upper-cased, as all symbols and coins are on the way in. Only ASCII letters and digits can name
 * one.
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
 * A network, compared without case: upper-cased like a coin, and as free in its form as listings
 * are.
 */
const CHAIN = /^[A-Za-z0-9._-]{1,32}$/;
export const chain = (): Field<string, string> =>
  scalar({ type: 'string', examples: ['TRC20'] }, (input) =>
    CHAIN.test(input) ? input.toUpperCase() : undefined,
  );
/** For the one place where the spec says that case matters. */
export const symbolAsGiven = (): Field<string, string> =>
  scalar({ type: 'string', examples: ['BTCUSDT'] }, (input) =>
    NAME.test(input) ? input : undefined,
  );

export const clientOid = (): Field<ClientOid, string> =>
  scalar({ type: 'string', pattern: CLIENT_OID.source }, (input) =>
    CLIENT_OID.test(input) ? (input as ClientOid) : undefined,
  );

/**
 * The name of an order that took another's place, and so of any order that is asked for (ORD-99).
 */
export const longClientOid = (): Field<ClientOid, string> =>
  scalar({ type: 'string', pattern: LONG_CLIENT_OID.source }, (input) =>
    LONG_CLIENT_OID.test(input) ? (input as ClientOid) : undefined,
  );

const ID_GIVEN = /^[\w-]{1,64}$/;

export const uid = (): Field<Uid, string> =>
  scalar({ type: 'string', examples: ['1000000001'] }, uidFromText);
/**
 * Somebody whom a public call names: other exchanges' clients know users by other texts, and whom
 * none of ours has is nobody (API-10).
 */
const ANONYMOUS_UID = 0 as Uid;
export const namedUid = (): Field<Uid, string> =>
  scalar({ type: 'string', examples: ['1000000001'] }, (input) =>
    ID_GIVEN.test(input) ? (uidFromText(input) ?? ANONYMOUS_UID) : undefined,
  );

/**
 * An id is decoded to what it names; a well-formed id that never was one of ours names nothing and
 * is found nowhere.
 */
export const ID_OF_NOTHING = 0 as Id;
export const id = (): Field<Id, string> =>
  scalar({ type: 'string', examples: ['1000000000000000042'] }, (input) =>
    ID_GIVEN.test(input) ? (idFromText(input) ?? ID_OF_NOTHING) : undefined,
  );

/**
 * Where a page begins: a place among the ids, which any whole number has. Other texts have none,
 * and an empty page would say that all is read.
 */
export const pageCursor = (): Field<Id, string> =>
  scalar({ type: 'string', examples: ['1000000000000000042'] }, idPlaceFromText);

/** An id that an answer repeats as it was said, whether it names something or not. */
export const idAsGiven = (): Field<string, string> =>
  scalar({ type: 'string', examples: ['1000000000000000042'] }, (input) =>
    ID_GIVEN.test(input) ? input : undefined,
  );
