/** Runs two versions of the program on one stream of commands and stops at the first difference. */
import type { ComparedModule, ComparedProgram, Happened, Question, StreamRow } from './compared.ts';
import { answerDifference, difference } from './difference.ts';
import { Place, type Vocabularies, vocabularyOf } from './renames.ts';

export interface Version {
  readonly module: ComparedModule;
  /** The text of its bundle. */
  readonly text: string;
}

/** What was compared so far. */
export interface Counts {
  commands: number;
  events: number;
  answers: number;
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').slice(0, 80);

/** A program that breaks an invariant has that as its outcome. */
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
  readonly counts: Counts = { commands: 0, events: 0, answers: 0 };
  readonly #old: Version;
  readonly #renewed: Version;
  readonly #places: Place;

  constructor(old: Version, renewed: Version, said: ReadonlyMap<string, string> = new Map()) {
    this.#old = old;
    this.#renewed = renewed;
    const words: Vocabularies = {
      old: vocabularyOf(old.text),
      renewed: vocabularyOf(renewed.text),
      said,
    };
    this.#places = new Place(words);
  }

  /** The names that have changed. */
  renames(): readonly string[] {
    return [...this.#places.renames()];
  }

  /** A seeded crowd, drawn by the old version. Answers are compared after each `askEvery` commands and at the end. */
  async ofCrowd(seed: number, commands: number, askEvery: number): Promise<string | undefined> {
    const { old, renewed } = this.#start(seed);
    for (let sequence = 1; sequence <= commands; sequence++) {
      const asks = sequence % askEvery === 0 || sequence === commands;
      const found = await this.#step(old, renewed, old.draw(), sequence, asks);
      if (found !== undefined) return `seed ${seed}, ${found}`;
    }
    return undefined;
  }

  async ofJournal(folder: string, askEvery: number): Promise<string | undefined> {
    const { old, renewed } = this.#start(0);
    const rows = await old.readJournal(folder);
    for (const [at, row] of rows.entries()) {
      const asks = (at + 1) % askEvery === 0 || at === rows.length - 1;
      const found = await this.#step(old, renewed, row, at + 1, asks);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #start(seed: number): { readonly old: ComparedProgram; readonly renewed: ComparedProgram } {
    return {
      old: this.#old.module.createProgram(seed),
      renewed: this.#renewed.module.createProgram(seed),
    };
  }

  async #step(
    old: ComparedProgram,
    renewed: ComparedProgram,
    row: StreamRow,
    sequence: number,
    asks: boolean,
  ): Promise<string | undefined> {
    const oldHappened = happenedIn(old, row);
    const found = this.#differenceOf(oldHappened, happenedIn(renewed, row));
    if (found !== undefined)
      return `sequence ${sequence}${found} (command ${hexOf(row.bytes)} at ${row.at})`;
    if (isBroken(oldHappened)) return `sequence ${sequence}: both versions break an invariant`;
    this.counts.commands++;
    this.counts.events += oldHappened.events.length;
    if (!asks) return undefined;
    const asked = difference(this.#places.below('holdings'), old.holdings(), renewed.holdings());
    if (asked !== undefined) return `sequence ${sequence}, holdings${asked}`;
    const answered = await this.#differenceOfAnswers(old, renewed);
    return answered === undefined ? undefined : `sequence ${sequence}, ${answered}`;
  }

  #differenceOf(old: Happened, renewed: Happened): string | undefined {
    if (old.at !== renewed.at) return `: executed at ${old.at}, and at ${renewed.at}`;
    const outcome = difference(this.#places.below('outcome'), old.outcome, renewed.outcome);
    if (outcome !== undefined) return `, outcome${outcome}`;
    const events = difference(this.#places.below('event'), old.events, renewed.events);
    return events === undefined ? undefined : `, event${events}`;
  }

  async #differenceOfAnswers(
    old: ComparedProgram,
    renewed: ComparedProgram,
  ): Promise<string | undefined> {
    for (const question of old.questions()) {
      this.counts.answers++;
      const [answer, other] = [await old.answer(question), await renewed.answer(question)];
      if (answer === other) continue;
      const found = answerDifference(JSON.parse(answer), JSON.parse(other));
      if (found !== undefined) return `${callText(question)}${found}`;
    }
    return undefined;
  }
}

const callText = ({ method, path, uid, fields }: Question): string =>
  `${method} ${path} of ${uid} with ${JSON.stringify(fields)}`;
