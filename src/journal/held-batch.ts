/** Commands executed together that wait to become durable together. */
import { type Result, refuse } from '../kernel/result.ts';
import { type Rejection, rejection } from '../messages/rejections.ts';
import type { Journal } from './journal.ts';
import type { Executed } from './machine.ts';
import type { BatchWriter } from './record.ts';

export type Answer = (outcome: Result<unknown, Rejection>) => void;
const ANSWERED: Answer = () => {};

export const OUTCOME_UNKNOWN = refuse(rejection('outcomeUnknown'));

export class HeldBatch {
  readonly writer: BatchWriter;
  executed: Executed[] = [];
  answers: Answer[] = [];
  submittedAt: number[] = [];
  /** Number of commands, oldest first, already answered that their outcome is unknown. */
  overdue = 0;

  constructor(writer: BatchWriter) {
    this.writer = writer;
  }

  begin(journal: Journal): void {
    journal.begin(this.writer);
    this.executed = [];
    this.answers = [];
    this.submittedAt = [];
    this.overdue = 0;
  }

  /** Answers the commands submitted at or before `since` that their outcome is unknown. */
  giveUp(since: number): void {
    while (this.overdue < this.answers.length && this.submittedAt[this.overdue]! <= since) {
      this.answers[this.overdue]!(OUTCOME_UNKNOWN);
      this.answers[this.overdue] = ANSWERED;
      this.overdue++;
    }
  }
}
