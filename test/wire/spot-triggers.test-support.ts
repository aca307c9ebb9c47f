/** What the tests of spot triggers share. */
import type { Row } from './trading-exchange.ts';

export interface Page {
  readonly nextFlag: boolean;
  readonly idLessThan: string;
  readonly orderList: readonly Row[];
}

export type Input = Readonly<Record<string, unknown>>;
