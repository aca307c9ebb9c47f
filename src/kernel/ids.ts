/** Identifiers. All come from one counter in the core's state, so a larger id is always newer. */
import type { Brand } from './brand.ts';

export type Uid = Brand<number, 'Uid'>;
/** Id of an order, trigger, deposit, withdrawal, fill or ledger line. */
export type Id = Brand<number, 'Id'>;
export type ClientOid = Brand<string, 'ClientOid'>;
/** Names that clients may give their own requests. */
export const CLIENT_OID = /^[.A-Z:/a-z0-9_-]{1,32}$/;
/** Clients that rename orders automatically use UUIDs. */
export const LONG_CLIENT_OID = /^[.A-Z:/a-z0-9_-]{1,64}$/;
export type Sequence = Brand<number, 'Sequence'>;

/**
 * Ten digits, so that a uid does not look like a count and stays a safe integer for clients that
 * parse numbers.
 */
export const UID_FIRST = 1_000_000_001 as Uid;

/**
 * On the wire an id has nineteen digits, like the ids that existing clients know; inside it is a
 * small integer.
 */
const ID_TEXT_BASE = 1_000_000_000_000_000_000n;
const ID_TEXT = /^1\d{18}$/;

const ID_TEXT_DIGITS = 18;
export const idText = (id: Id): string => `1${String(id).padStart(ID_TEXT_DIGITS, '0')}`;

/** The default clientOid, for requests without one. */
export const clientOidOf = (id: Id): ClientOid => idText(id) as ClientOid;

/** The id in a wire text; undefined if the text is not an id of ours, and so matches nothing. */
export function idFromText(text: string): Id | undefined {
  if (!ID_TEXT.test(text)) return undefined;
  const id = BigInt(text) - ID_TEXT_BASE;
  return id <= BigInt(Number.MAX_SAFE_INTEGER) ? (Number(id) as Id) : undefined; // tidy-ok: a checked safe integer, not money
}

const PLACE_TEXT = /^\d{1,20}$/;
/** Position of any whole number among the ids: before all of them, between two, or after all. */
export function idPlaceFromText(text: string): Id | undefined {
  if (!PLACE_TEXT.test(text)) return undefined;
  const place = BigInt(text) - ID_TEXT_BASE;
  if (place < 0n) return 0 as Id;
  return (place < BigInt(Number.MAX_SAFE_INTEGER) ? Number(place) : Number.MAX_SAFE_INTEGER) as Id; // tidy-ok: a bounded safe integer, not money
}

const UID_TEXT = /^[1-9]\d{0,15}$/;
export function uidFromText(text: string): Uid | undefined {
  const uid = UID_TEXT.test(text) ? Number.parseInt(text, 10) : Number.NaN;
  return Number.isSafeInteger(uid) ? (uid as Uid) : undefined;
}
