/**
 * A world that cannot be made: its file is none, or the exchange refuses what it asks for. Says
 * where, in one line for a person.
 */
export class BadWorld extends Error {
  override readonly name = 'BadWorld';
}
