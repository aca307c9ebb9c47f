/** What the tests of listings share: an engine with coins, and a command's outcome as a text. */
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { DEFAULT_COINS } from '../../listings/default-coins.ts';
import type { Command } from '../../messages/commands.ts';
import { createEngine, type Engine } from '../engine.ts';

export const decimal = (text: string): DecimalText => text as DecimalText;

export function engineWithCoins(): Engine {
  const engine = createEngine();
  for (const coin of DEFAULT_COINS) engine.execute({ type: 'listCoin', coin }, 1 as Timestamp);
  return engine;
}

/** `accepted`, or the reason and field of the refusal. */
export function answer(engine: Engine, command: Command): string {
  const { outcome } = engine.execute(command, 1 as Timestamp);
  return outcome.ok ? 'accepted' : `${outcome.refusal.reason} ${outcome.refusal.field}`;
}
