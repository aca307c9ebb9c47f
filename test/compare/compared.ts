/**
 * The interface of a compared version. Versions are bundled separately, so they exchange only plain
 * values.
 */

/** A command as the journal writes it: its bytes have the numbers of commands and no names. */
export interface StreamRow {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** The result of a command. Refusals are replaced by their wire form. */
export interface Happened {
  readonly at: number;
  readonly outcome: unknown;
  readonly events: readonly unknown[];
}

/** A call as a client makes it; `uid` is the caller, and 0 for a call without a key. */
export interface Question {
  readonly method: string;
  /** As the contract writes it, with `:name` segments. */
  readonly path: string;
  readonly uid: number;
  /** The fields of the query, or the body. */
  readonly content: unknown;
}

export interface ComparedProgram {
  /** The next command of a seeded crowd that reads this program's state. */
  draw(): StreamRow;
  readJournal(folder: string): Promise<readonly StreamRow[]>;
  execute(row: StreamRow): Happened;
  /** All money, debts, positions and open orders, as the state holds them. */
  holdings(): unknown;
  /** Every list endpoint, for every account. */
  questions(): readonly Question[];
  /** Every call that changes something, for some accounts. */
  requests(): readonly Question[];
  /** Status, code and data of the answer as JSON, and its commands as bytes. */
  answer(question: Question): Promise<string>;
}

/** The exports of a version's bundle. */
export interface ComparedModule {
  createProgram(seed: number): ComparedProgram;
}
