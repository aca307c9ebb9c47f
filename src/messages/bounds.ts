/**
 * How much of something there may be, where the engine keeps to it and a call says or checks it
 * too. Said once: no call lets in what the engine refuses, and none tells another number than the
 * one that counts. Bounds that nobody but the engine knows of stand with what they bound.
 */

/**
 * Over all futures of an account, and over all its spot and margin pairs. Orders that wait for
 * their symbol count.
 */
export const OPEN_FUTURES_ORDERS_MAX = 400;
export const OPEN_SPOT_ORDERS_MAX = 400;

/**
 * Of one account in one symbol, take-profit and stop-loss included; also what one position that
 * closes takes with it.
 */
export const TRIGGERS_PER_SYMBOL_MAX = 500;

/** Followers of one leader: ten times what one order must be mirrored to within a second or two. */
export const FOLLOWERS_PER_LEADER_MAX = 100_000;
/** Open tracked orders of one account: closing all of them at once must fit one command. */
export const TRACKED_ORDERS_PER_ACCOUNT_MAX = 1_000;

/** As many addresses as one key may be called from. */
export const ADDRESSES_PER_KEY_MAX = 30;
/** The longest address that mail systems carry. */
export const EMAIL_LENGTH_MAX = 254;

/** More chains than any coin moves on. */
export const CHAINS_PER_COIN_MAX = 32;
/** More tiers than any exchange publishes. */
export const TIERS_MAX = 64;

/** More than a day of the exchange in a second of the wall: beyond it nobody sees anything. */
export const CLOCK_RATE_MAX = 100_000;
/** A timeline of a whole world, and a person who asks for more while it plays. */
export const SCENES_MAX = 1_000;

/**
 * A replay needs every recording that was ever imported, so each stays for as long as the journal
 * does.
 */
export const RECORDINGS_MAX = 64;

/** Of a countdown: long enough for a network that stutters, and short enough to mean something. */
export const COUNTDOWN_MS_MIN = 5_000;
export const COUNTDOWN_MS_MAX = 60_000;

/**
 * The most units (10^-10) of a coin that a deposit may leave in one account, and so the largest
 * loan anything speaks of.
 */
export const HELD_UNITS_MAX = 2n ** 63n - 1n;
