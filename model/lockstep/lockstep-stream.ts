/** What a stream provides for optional steps: both exchanges and their comparison. */
import type { Executed } from '../../src/core/engine.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import type { Random } from '../../src/kernel/random.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { NaiveExchange } from '../exchange/naive-exchange.ts';
import type { NaiveDraft } from '../exchange/naive-placing.ts';
import type { NaiveInstrument, NaiveUser } from '../exchange/naive-state.ts';
import type { Draws } from './lockstep-draws.ts';
import type { TriggerSteps } from './lockstep-triggers.ts';

export interface Item {
  readonly instrument: NaiveInstrument;
  readonly draft: NaiveDraft;
}

/** Category of an order; orders of spot symbols may be on margin too. */
export type DrawnCategory = NaiveInstrument['category'] | 'MARGIN';

export interface Stream {
  readonly random: Random;
  readonly naive: NaiveExchange;
  /** Traded symbols. */
  readonly instruments: readonly NaiveInstrument[];
  readonly draws: Draws;
  readonly uidOf: (user: NaiveUser) => Uid;
  readonly run: (command: Command) => Executed;
  readonly compare: (executed: Executed) => void;
  readonly submit: (user: NaiveUser, category: DrawnCategory, items: readonly Item[]) => void;
  /** Only in runs with triggers. */
  readonly triggers: TriggerSteps | undefined;
}
