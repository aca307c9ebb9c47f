/**
 * What a stream lends to those who draw what not every stream has: both exchanges, and how they are
 * held against each other.
 */
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

/** The category of an order: those of spot trade on margin too. */
export type DrawnCategory = NaiveInstrument['category'] | 'MARGIN';

export interface Stream {
  readonly random: Random;
  readonly naive: NaiveExchange;
  /** What accounts trade in. */
  readonly instruments: readonly NaiveInstrument[];
  readonly draws: Draws;
  readonly uidOf: (user: NaiveUser) => Uid;
  readonly run: (command: Command) => Executed;
  readonly compare: (executed: Executed) => void;
  readonly submit: (user: NaiveUser, category: DrawnCategory, items: readonly Item[]) => void;
  /** Where orders wait for prices too. */
  readonly triggers: TriggerSteps | undefined;
}
