/**
 * What wrote a file: the layout of its bytes, and the behaviour of the engine whose commands it
 * holds.
 */

/** Raised when the bytes of segments or snapshots change their layout. */
export const FORMAT_VERSION = 1;

/**
 * Raised when the same command would do something else than before: such a release starts from a
 * snapshot, not from older commands.
 */
export const ENGINE_VERSION = 2;

/**
 * The oldest behaviour this program still has: commands of older segments are refused, since it
 * would execute them differently.
 */
export const ENGINE_VERSION_OLDEST = 2;
