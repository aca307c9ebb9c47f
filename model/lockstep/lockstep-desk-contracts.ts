/** Crossed positions of an account, for the naive desk. */
import type { Position } from '../../src/core/state/position.ts';
import type { Tier } from '../../src/messages/listings.ts';
import type { CrossedPosition } from '../exchange/naive-leaving.ts';
import { units } from '../exchange/whole-units.ts';
import type { DeskLockstep } from './lockstep-desk.ts';

export const naiveTiers = (tiers: readonly Tier[]): CrossedPosition['tiers'] =>
  tiers.map((tier) => ({
    from: units(tier.fromValue),
    to: units(tier.toValue),
    rate: units(tier.maintenanceRate),
  }));

export function crossedPositionOf(
  { engine, desk, tiers, pinned, isMarketOn }: DeskLockstep,
  position: Position,
): CrossedPosition {
  const { key, side, entry, leverage } = position;
  const [category, symbol] = key.split(':') as [string, string];
  const inverse = category === 'COIN-FUTURES';
  return {
    coin: inverse ? 'BTC' : 'USDT',
    inverse,
    long: side === 'long',
    size: entry.size,
    cost: entry.cost,
    leverage: units(leverage),
    mark: engine.state.symbolPrices.get(key)!.mark!,
    isFrozen: isMarketOn && !pinned.has(symbol) && desk.stale().includes('BTC'),
    tiers: tiers[symbol]!,
  };
}
