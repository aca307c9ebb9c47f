/** A question about where somebody stands, and what the rules say must be answered. */
import type { Asked, EndpointName } from '../lists/program.ts';

export interface Question {
  readonly name: EndpointName;
  readonly uid: number;
  readonly asked: Asked;
  /** The answer, or those fields of it that follow from what was told. */
  readonly right: unknown;
  /** What it has reached, to be counted. */
  readonly reached: readonly string[];
}

/** A refusal, by its code. */
export class Refused {
  readonly code: string;
  constructor(code: string) {
    this.code = code;
  }
}
