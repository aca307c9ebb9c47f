/**
 * What the comparison asks of a version of the program. Versions are bundled apart, so both sides
 * speak in plain values alone.
 */

/** A command as the journal writes it: bytes know the numbers of commands and no names. */
export interface StreamRow {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** What a command did. Refusals are replaced by what the wire says about them. */
export interface Happened {
  readonly at: number;
  readonly outcome: unknown;
  readonly events: readonly unknown[];
}

/** A call as a client makes it; `uid` is the caller, and 0 for a call that asks for no key. */
export interface Question {
  readonly method: string;
  /** As the contract writes it, with `:name` segments. */
  readonly path: string;
  readonly uid: number;
  /** The fields of the query, or the body. */
  readonly content: unknown;
}

export interface ComparedProgram {
  /** The next command of a seeded crowd that sees this program's state. */
  draw(): StreamRow;
  readJournal(folder: string): Promise<readonly StreamRow[]>;
  execute(row: StreamRow): Happened;
  /** All money, debts, positions and open orders, as the state holds them. */
  holdings(): unknown;
  /** Every list endpoint, for every account. */
  questions(): readonly Question[];
  /** Every call that changes something, for some accounts. */
  requests(): readonly Question[];
  /** Status, code and data of the answer as JSON, and the commands that it took as bytes. */
  answer(question: Question): Promise<string>;
}

/** What the bundle of a version exports. */
export interface ComparedModule {
  createProgram(seed: number): ComparedProgram;
}
