/**
 * A world that cannot be created: its file is invalid, or the exchange refuses a part of it. The
 * message names the place in one line.
 */
export class BadWorld extends Error {
  override readonly name = 'BadWorld';
}
