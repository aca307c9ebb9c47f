/**
 * Identifiers. All of them come from one counter in the core's state, so a larger id is always a
 * newer thing.
 */
import type { Brand } from './brand.ts';

export type Uid = Brand<number, 'Uid'>;
/** Orders, triggers, deposits, withdrawals, fills, ledger lines: whatever the exchange numbers. */
export type Id = Brand<number, 'Id'>;
export type ClientOid = Brand<string, 'ClientOid'>;
/** What a client may call something of its own. */
export const CLIENT_OID = /^[.A-Z:/a-z0-9_-]{1,32}$/;
/** A client that names an order anew by itself names it with a UUID. */
export const LONG_CLIENT_OID = /^[.A-Z:/a-z0-9_-]{1,64}$/;
export type Sequence = Brand<number, 'Sequence'>;

/**
 * Ten digits, so that a uid is never mistaken for a count and stays a safe integer for clients that
 * read it as a number.
 */
export const UID_FIRST = 1_000_000_001 as Uid;

/**
 * On the wire an id has nineteen digits, like the ids existing clients know; inside it is a small
 * integer.
 */
const ID_TEXT_BASE = 1_000_000_000_000_000_000n;
const ID_TEXT = /^1\d{18}$/;

const ID_TEXT_DIGITS = 18;
export const idText = (id: Id): string => `1${String(id).padStart(ID_TEXT_DIGITS, '0')}`;

/** What the exchange calls something that its owner gave no name. */
export const clientOidOf = (id: Id): ClientOid => idText(id) as ClientOid;

/**
 * The id behind a wire text; undefined for a text that is no id of ours, which then simply names
 * nothing.
 */
export function idFromText(text: string): Id | undefined {
  if (!ID_TEXT.test(text)) return undefined;
  const id = BigInt(text) - ID_TEXT_BASE;
  return id <= BigInt(Number.MAX_SAFE_INTEGER) ? (Number(id) as Id) : undefined; // tidy-ok: a checked safe integer, not money
}

const PLACE_TEXT = /^\d{1,20}$/;
/**
 * Where a whole number stands among the ids, whether it is one of them or not: before all of them,
 * between two, or after all.
 */
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
