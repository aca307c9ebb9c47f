/** A question about an account, and the answer that the rules require. */
import type { Asked, EndpointName } from '../lists/program.ts';

export interface Question {
  readonly name: EndpointName;
  readonly uid: number;
  readonly asked: Asked;
  /** The answer, or those fields of it that follow from the events. */
  readonly right: unknown;
  /** Names for the counters. */
  readonly reached: readonly string[];
}

/** A refusal, by its code. */
export class Refused {
  readonly code: string;
  constructor(code: string) {
    this.code = code;
  }
}
