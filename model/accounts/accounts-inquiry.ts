/** Queries accounts and positions and compares them with the rules, field by field. */
import { expect } from 'vitest';
import type { Random } from '../../src/kernel/random.ts';
import { Asking } from '../lists/asking.ts';
import type { Program } from '../lists/program.ts';
import type { RecordedRun } from '../lists/recorded-run.ts';
import { accountQuestions } from './accounts.ts';
import { reachedBy } from './accounts-reached.ts';
import { type Folio, Folios } from './folio.ts';
import { positionQuestions, type Question } from './positions.ts';
import { drawAct } from './positions-acts.ts';

const MOMENTS = 2;
/** Before each turn. */
const ACTS = 60;
const CATEGORIES = ['USDT-FUTURES', 'COIN-FUTURES', 'USDC-FUTURES'] as const;

/** Such an account has little to show. */
const isIdle = ({ positions, debts, orders }: Folio): boolean =>
  positions.size + debts.size + orders.size === 0;
const asItIs = (data: unknown): unknown => data;

export class AccountsInquiry extends Asking {
  readonly #folios: Folios;

  constructor(run: RecordedRun, program: Program, random: Random, counts: Map<string, number>) {
    super(run, program, random, counts);
    this.#folios = new Folios(run);
  }

  /** Now and a few steps later, or at the moment a price becomes stale and just before it. */
  async ask(turn: string): Promise<void> {
    for (let act = 0; act < ACTS; act++) {
      this.#folios.update();
      this.run.execute(drawAct(this.random, this.#folios));
    }
    for (let moment = 0; moment < MOMENTS; moment++) {
      this.#folios.update();
      for (const [uid, folio] of this.#folios.users)
        if (!isIdle(folio) || this.random.below(4) === 0) await this.#askAbout(uid, folio, turn);
      const stale = this.#folios.nextStale();
      if (stale === undefined || this.random.below(3) === 0) this.run.steps(5);
      else this.run.pass(stale - this.run.now - this.random.below(2));
    }
  }

  async #askAbout(uid: number, folio: Folio, turn: string): Promise<void> {
    const random = this.random;
    const positions = CATEGORIES.flatMap((category) =>
      positionQuestions(random, this.#folios, folio, category),
    );
    const questions: readonly Question[] = [
      ...accountQuestions(random, this.#folios, folio),
      ...positions,
    ];
    for (const { name, asked, right, seen = asItIs } of questions) {
      const answered = await this.program.ask(name, asked, uid);
      const input = {
        name,
        uid,
        asked,
        turn,
        now: this.run.now,
        sequence: this.run.engine.sequence,
      };
      const emitted = 'data' in answered ? { data: seen(answered.data) } : answered;
      expect({ ...input, emitted }).toEqual({ ...input, emitted: { data: right } });
      this.count(name);
    }
    for (const what of reachedBy(this.#folios, folio)) this.count(what);
  }
}
