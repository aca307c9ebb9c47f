/** Queries the program and compares its answers with the rules, field by field. */
import { expect } from 'vitest';
import { Asking } from './asking.ts';
import { drawQuestion, namesOf, plainQuestion } from './drawn-questions.ts';
import { type Known, knownOf } from './known.ts';
import { comparable, type Expected, expectedOf, type List, rowsOf } from './list.ts';
import type { Answered, Asked } from './program.ts';
import type { Row } from './row.ts';
import { drawSingleReads } from './single-reads.ts';
import { Walk } from './walk.ts';

interface Question {
  readonly list: List;
  readonly uid: number;
  readonly asked: Asked;
}

/** Number of questions per list that use one field only. */
const PLAIN_QUESTIONS = 4;
/** Number of attempts to find a user with rows. */
const TRIES = 24;
/** Fewer rows are not worth a walk through pages. */
const WALKED_LEAST = 3;
const WALK_ROUNDS = 5;

export class Inquiry extends Asking {
  readonly #turns = new Map<string, number>();

  get #known(): Known {
    return knownOf(this.run);
  }

  /** Mostly a user with at least this number of rows. */
  #asker(list: List, enough = 1): { readonly uid: number; readonly rows: readonly Row[] } {
    for (let tries = 1; ; tries++) {
      const uid = this.random.pick(this.run.everyone);
      const rows = rowsOf(list, this.#known, uid, {});
      if (rows.length >= enough || tries === TRIES) return { uid, rows };
    }
  }

  /** Undefined if nothing can be asked: a market without trades may be unlisted. */
  #draw(list: List): Question | undefined {
    const { uid, rows } = this.#asker(list);
    if (rows.length === 0 && list.ofAll === true) return undefined;
    return { list, uid, asked: drawQuestion(this.random, list, rows, this.run.now) };
  }

  /** Uses each field in turn, so that none is left to chance. */
  #plain(list: List): readonly Question[] {
    const { uid, rows } = this.#asker(list);
    if (rows.length === 0) return [];
    const names = namesOf(list);
    const turn = this.#turns.get(list.name) ?? 0;
    this.#turns.set(list.name, turn + PLAIN_QUESTIONS);
    return Array.from({ length: PLAIN_QUESTIONS }, (_, at) => {
      const asked = plainQuestion(this.random, list, rows, names[(turn + at) % names.length]!);
      return { list, uid, asked };
    });
  }

  #expected({ list, uid, asked }: Question): Expected {
    return expectedOf(list, this.#known, uid, asked, this.run.now);
  }

  #ask({ list, uid, asked }: Question): Promise<Answered> {
    return this.program.ask(list.name, asked, uid);
  }

  #hold(
    { list, uid, asked }: Question,
    answered: Answered,
    { answered: right, page }: Expected,
  ): void {
    const input = {
      list: list.name,
      uid,
      asked,
      now: this.run.now,
      sequence: this.run.engine.sequence,
    };
    expect({ ...input, emitted: comparable(list, answered, page) }).toEqual({
      ...input,
      emitted: right,
    });
  }

  /** Sends several questions at once; none of them changes state. */
  async questions(list: List, count: number): Promise<void> {
    const drawn = Array.from({ length: count }, () => this.#draw(list));
    const questions = [...this.#plain(list), ...drawn].filter((question) => question !== undefined);
    const answers = await Promise.all(questions.map((question) => this.#ask(question)));
    for (const [at, question] of questions.entries()) {
      const expected = this.#expected(question);
      this.#hold(question, answers[at]!, expected);
      this.#countQuestion(question, expected);
    }
  }

  #countQuestion({ list, asked }: Question, { answered, page }: Expected): void {
    if ('code' in answered) return this.count(`refused with ${answered.code}`);
    if (page.length === 0) return this.count(`${list.name} empty`);
    this.count(`${list.name} rows`, page.length);
    for (const name of Object.keys(asked)) this.count(`${list.name} by ${name}`);
    const times = new Set(page.map(({ time }) => String(time)));
    if (asked.startTime !== undefined && times.has(asked.startTime))
      this.count('row exactly at the start');
    if (asked.endTime !== undefined && times.has(asked.endTime))
      this.count('row exactly at the end');
    if (times.size < page.length) this.count('rows with equal times');
    const { window, names = [] } = list;
    if (window?.days === undefined || asked.startTime !== undefined || asked.endTime !== undefined)
      return;
    const isOld = ({ time }: Row): boolean => time < this.run.now - window.days! * 86_400_000;
    if (page.some(isOld))
      this.count(
        names.some((name) => asked[name] !== undefined)
          ? 'old row queried by name'
          : 'old row still open',
      );
  }

  /** Reads one order or trigger, and the positions of a user. */
  async singleReads(): Promise<void> {
    const reads = drawSingleReads(this.random, this.#known);
    const answers = await Promise.all(
      reads.map(({ name, asked, uid }) => this.program.ask(name, asked, uid)),
    );
    for (const [at, { name, uid, asked, right }] of reads.entries()) {
      const answered = answers[at]!;
      const emitted = 'data' in answered ? answered.data : undefined;
      const known = Array.isArray(right)
        ? ((emitted as { list?: unknown }).list ?? emitted)
        : emitted;
      expect({ name, uid, asked, emitted: kept(known, right) }).toEqual({
        name,
        uid,
        asked,
        emitted: right,
      });
      this.count(
        `${name} ${right === undefined ? 'refused' : Array.isArray(right) && right.length === 0 ? 'empty' : 'shown'}`,
      );
    }
  }

  /**
   * Reads every list page by page while the exchange runs: no existing row is missed or repeated.
   */
  async walk(lists: readonly List[]): Promise<void> {
    const walks = lists.flatMap((list) => this.#beginWalk(list) ?? []);
    for (let round = 0; round < WALK_ROUNDS; round++) {
      for (const walk of walks) {
        if (walk.isOver) continue;
        const question = {
          list: walk.list,
          uid: walk.uid,
          asked: walk.next(1 + this.random.below(4)),
        };
        const expected = this.#expected(question);
        this.#hold(question, await this.#ask(question), expected);
        walk.meet(expected.page);
      }
      this.run.steps(2);
      if (round === 2) await this.program.store();
    }
    for (const walk of walks) {
      walk.expectWhole(new Set(rowsOf(walk.list, this.#known, walk.uid, {}).map(({ id }) => id)));
      this.count(`${walk.list.name} walked`, walk.length);
    }
  }

  #beginWalk(list: List): Walk | undefined {
    const { uid, rows } = this.#asker(list, WALKED_LEAST);
    const way = list.newer !== undefined && this.random.below(2) === 0 ? list.newer : list.older;
    if (way === undefined || rows.length < WALKED_LEAST) return undefined;
    const row = this.random.pick(rows);
    const input = (list.needed ?? []).map((name) => [name, [row.is[name] ?? ''].flat()[0]!]);
    const times = (list.window?.needs ?? []).map((name) => [
      name,
      String(this.run.now + (name === 'startTime' ? -80 : 5) * 86_400_000),
    ]);
    const asked = Object.fromEntries([...input, ...times]) as Asked;
    const [sizeName, , most] = list.size;
    const there = this.#expected({ list, uid, asked: { ...asked, [sizeName]: String(most) } }).page;
    return new Walk(list, uid, asked, way, there);
  }

  /** An answer during updates shows the state before or after them, never a mixture. */
  async race(lists: readonly List[]): Promise<void> {
    const questions = lists.flatMap((list) => this.#draw(list) ?? []);
    const before = questions.map((question) => this.#expected(question));
    const asking = questions.map((question) => this.#ask(question));
    this.run.steps(3);
    const storing = this.program.store();
    const answers = await Promise.all(asking);
    await storing;
    for (const [at, question] of questions.entries()) {
      const { page, answered: right } = before[at]!;
      const isBefore = isSame(comparable(question.list, answers[at]!, page), right);
      if (!isBefore) this.#hold(question, answers[at]!, this.#expected(question));
      this.count(isBefore ? 'raced, as before' : 'raced, as after');
    }
  }
}

/** Keeps the fields of an object that the other one has. */
function kept(emitted: unknown, right: unknown): unknown {
  if (Array.isArray(emitted) && Array.isArray(right))
    return emitted.map((each, at) => kept(each, right[at]));
  if (
    typeof emitted !== 'object' ||
    emitted === null ||
    typeof right !== 'object' ||
    right === null
  )
    return emitted;
  return Object.fromEntries(Object.entries(emitted).filter(([name]) => name in right));
}

/** Sorts the fields of every object. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, each]) => [name, sorted(each)]));
}
const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
