/** Runs two versions of the program on one stream of commands and stops at the first difference. */
import type { ComparedModule, ComparedProgram, Happened, Question, StreamRow } from './compared.ts';
import { answerDifference, difference } from './difference.ts';
import { Place, type Vocabularies, vocabularyOf } from './renames.ts';

export interface Version {
  readonly module: ComparedModule;
  /** The text of its bundle. */
  readonly text: string;
}

/** Numbers of compared items so far. */
export interface Counts {
  commands: number;
  events: number;
  answers: number;
  /** The types of those events. */
  readonly kinds: Set<unknown>;
}

interface Typed {
  readonly type?: unknown;
}

interface Pair {
  readonly old: ComparedProgram;
  readonly renewed: ComparedProgram;
}

function* drawn(program: ComparedProgram, commands: number): Generator<StreamRow> {
  for (let count = 0; count < commands; count++) yield program.draw();
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').slice(0, 80);

/** If a program breaks an invariant, that is its outcome. */
function happenedIn(program: ComparedProgram, row: StreamRow): Happened {
  try {
    return program.execute(row);
  } catch (error) {
    return {
      at: row.at,
      outcome: { broken: error instanceof Error ? error.name : 'it threw' },
      events: [],
    };
  }
}

const isBroken = ({ outcome }: Happened): boolean =>
  typeof outcome === 'object' && outcome !== null && 'broken' in outcome;

export class Comparison {
  readonly counts: Counts = { commands: 0, events: 0, answers: 0, kinds: new Set() };
  readonly #old: Version;
  readonly #renewed: Version;
  readonly #input: ReadonlyMap<string, string>;
  readonly #places: Place;

  constructor(old: Version, renewed: Version, input: ReadonlyMap<string, string> = new Map()) {
    this.#old = old;
    this.#renewed = renewed;
    this.#input = input;
    const words: Vocabularies = {
      old: vocabularyOf(old.text),
      renewed: vocabularyOf(renewed.text),
      input,
    };
    this.#places = new Place(words);
  }

  /** A word in an answer may only change if the caller accepts it. */
  readonly #acceptedWord = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? (this.#input.get(value) ?? value) : value;

  /** The names that have changed. */
  renames(): readonly string[] {
    return [...this.#places.renames()];
  }

  /** A seeded crowd, drawn by the old version. */
  async ofCrowd(seed: number, commands: number): Promise<string | undefined> {
    const pair = this.#start(seed);
    const found = await this.#ofStream(pair, drawn(pair.old, commands));
    return found === undefined ? undefined : `seed ${seed}, ${found}`;
  }

  async ofJournal(folder: string): Promise<string | undefined> {
    const pair = this.#start(0);
    return this.#ofStream(pair, await pair.old.readJournal(folder));
  }

  #start(seed: number): Pair {
    return {
      old: this.#old.module.createProgram(seed),
      renewed: this.#renewed.module.createProgram(seed),
    };
  }

  /**
   * Compares the stream, the resulting state, every call that changes something, and the state
   * after them.
   */
  async #ofStream(pair: Pair, rows: Iterable<StreamRow>): Promise<string | undefined> {
    let sequence = 0;
    for (const row of rows) {
      const found = this.#differenceAt(pair, row);
      if (found !== undefined) return `sequence ${++sequence}${found}`;
      sequence++;
    }
    const found =
      this.#differenceOfHoldings(pair) ??
      (await this.#differenceOfAnswers(pair, pair.old.questions())) ??
      (await this.#differenceOfAnswers(pair, pair.old.requests())) ??
      this.#differenceOfHoldings(pair) ??
      (await this.#differenceOfAnswers(pair, pair.old.questions()));
    return found === undefined ? undefined : `after sequence ${sequence}, ${found}`;
  }

  #differenceAt({ old, renewed }: Pair, row: StreamRow): string | undefined {
    const happened = happenedIn(old, row);
    const found = this.#differenceOf(happened, happenedIn(renewed, row));
    if (found !== undefined) return `${found} (command ${hexOf(row.bytes)} at ${row.at})`;
    if (isBroken(happened)) return ': both versions break an invariant';
    this.counts.commands++;
    this.counts.events += happened.events.length;
    for (const event of happened.events) this.counts.kinds.add((event as Typed).type);
    return undefined;
  }

  #differenceOf(old: Happened, renewed: Happened): string | undefined {
    if (old.at !== renewed.at) return `: executed at ${old.at}, and at ${renewed.at}`;
    const outcome = difference(this.#places.below('outcome'), old.outcome, renewed.outcome);
    if (outcome !== undefined) return `, outcome${outcome}`;
    const events = difference(this.#places.below('event'), old.events, renewed.events);
    return events === undefined ? undefined : `, event${events}`;
  }

  #differenceOfHoldings({ old, renewed }: Pair): string | undefined {
    const held = this.#places.below('holdings');
    const found = difference(held, old.holdings(), renewed.holdings());
    return found === undefined ? undefined : `holdings${found}`;
  }

  async #differenceOfAnswers(
    { old, renewed }: Pair,
    questions: readonly Question[],
  ): Promise<string | undefined> {
    for (const question of questions) {
      this.counts.answers++;
      const [answer, other] = [await old.answer(question), await renewed.answer(question)];
      if (answer === other) continue;
      const expected: unknown = JSON.parse(answer, this.#acceptedWord);
      const found = answerDifference(expected, JSON.parse(other));
      if (found !== undefined) return `${callText(question)}${found}`;
    }
    return undefined;
  }
}

const callText = ({ method, path, uid, content }: Question): string =>
  `${method} ${path} of ${uid} with ${JSON.stringify(content)}`;
