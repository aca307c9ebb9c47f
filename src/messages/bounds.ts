/**
 * Limits that both the engine and the API check or show, defined once so that they agree. Limits
 * used by the engine alone are defined beside what they limit.
 */

/**
 * Over all futures of an account, and over all its spot and margin pairs. Orders queued for a
 * halted symbol count.
 */
export const OPEN_FUTURES_ORDERS_MAX = 400;
export const OPEN_SPOT_ORDERS_MAX = 400;

/**
 * Per account and symbol, including take-profit and stop-loss; one closing position can cancel this
 * many.
 */
export const TRIGGERS_PER_SYMBOL_MAX = 500;

/** Followers per leader: ten times what one order must be mirrored to within a second or two. */
export const FOLLOWERS_PER_LEADER_MAX = 100_000;
/** Open tracked orders per account: closing all of them must fit one command. */
export const TRACKED_ORDERS_PER_ACCOUNT_MAX = 1_000;

/** Addresses that one key may be called from. */
export const ADDRESSES_PER_KEY_MAX = 30;
/** The longest address that mail systems accept. */
export const EMAIL_LENGTH_MAX = 254;

/** More chains than any coin uses. */
export const CHAINS_PER_COIN_MAX = 32;
/** More tiers than any exchange publishes. */
export const TIERS_MAX = 64;

/** More than a day of exchange time per second: faster time is of no use to a viewer. */
export const CLOCK_RATE_MAX = 100_000;
/** Enough for the timeline of a full setup, plus scenes added by hand while it runs. */
export const SCENES_MAX = 1_000;

/** A replay needs every imported recording, so each stays as long as the journal. */
export const RECORDINGS_MAX = 64;

/** Countdown limits: long enough for an unstable network, short enough to protect. */
export const COUNTDOWN_MS_MIN = 5_000;
export const COUNTDOWN_MS_MAX = 60_000;

/**
 * The most units (10^-10) of a coin that a deposit may leave in one account, and so the largest
 * loan in any rule.
 */
export const HELD_UNITS_MAX = 2n ** 63n - 1n;
