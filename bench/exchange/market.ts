/** A market for measurements: the default listings, prices, and users with money. */

import { createEngine, type Engine } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { UID_FIRST, type Uid } from '../../src/kernel/ids.ts';
import type { Result } from '../../src/kernel/result.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import { DEFAULT_COINS } from '../../src/listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS, DEMO_INDEX_PRICES } from '../../src/listings/default-instruments.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { Rejection } from '../../src/messages/rejections.ts';

/**
 * 1 January 2025, 00:00 UTC. The clock is frozen unless a measurement advances it, so that no timer
 * interferes.
 */
export const MARKET_START = 1_735_689_600_000 as Timestamp;

/** More than any user of a measurement can lose or lock. */
const PLENTY = '10000000';

export const uidAt = (place: number): Uid => (UID_FIRST + place) as Uid;

const indexPrices = (): Command => ({
  type: 'setPrices',
  prices: Object.entries(DEMO_INDEX_PRICES).map(([coin, index]) => ({
    category: 'USDT-FUTURES',
    symbol: `${coin}USDT`,
    index: index as DecimalText,
    releaseMark: false,
    force: false,
  })),
});

/** The commands that make the market; users have the uids of `uidAt`. */
export function* openingCommands(users: number, deposit = PLENTY): Generator<Command> {
  for (const coin of DEFAULT_COINS) yield { type: 'listCoin', coin };
  for (const instrument of DEFAULT_INSTRUMENTS) yield { type: 'listInstrument', instrument };
  yield indexPrices();
  for (let place = 0; place < users; place++) {
    yield { type: 'createUser', level: 'VIP0', positionMode: 'oneWay' };
    for (const coin of ['USDT', 'USDC'])
      yield { type: 'deposit', uid: uidAt(place), coin, size: deposit as DecimalText };
  }
}

type Outcome = Result<unknown, Rejection>;

const refusedIn = (outcome: Outcome): Rejection | undefined => {
  if (!outcome.ok) return outcome.refusal;
  const items: readonly unknown[] = Array.isArray(outcome.value) ? outcome.value : [];
  return (items as readonly Outcome[]).flatMap((item) => (item.ok ? [] : [item.refusal]))[0];
};

/**
 * Throws if a command or one of its orders was refused, because a measurement of refusals is
 * worthless.
 */
export function expectAccepted({ type }: Command, outcome: Outcome): void {
  const refused = refusedIn(outcome);
  if (refused !== undefined)
    throw new Error(
      `${type} was refused with ${refused.reason} ${refused.field ?? ''} ${refused.detail ?? ''}`,
    );
}

export function openMarket(users: number): Engine {
  const engine = createEngine();
  for (const command of openingCommands(users))
    expectAccepted(command, engine.execute(command, MARKET_START).outcome);
  return engine;
}
