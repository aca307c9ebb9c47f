/**
 * The version of a file: the layout of its bytes, and the behaviour of the engine that executed its
 * commands.
 */

/** Raised when the byte layout of segments or snapshots changes. */
export const FORMAT_VERSION = 1;

/**
 * Raised when the same command would have another effect. Such a release starts from a snapshot,
 * not from older commands.
 */
export const ENGINE_VERSION = 2;

/**
 * The oldest behaviour this program supports. It refuses older segments, because it would execute
 * their commands differently.
 */
export const ENGINE_VERSION_OLDEST = 2;
