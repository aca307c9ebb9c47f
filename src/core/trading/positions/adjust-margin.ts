/** Adds margin to an isolated position, or removes what the position does not need. */

import { spareAbove } from '../../../formulas/maintenance.ts';
import {
  type Amount,
  greatest,
  least,
  minus,
  moneyFromText,
  moneyText,
  negate,
  plus,
  ZERO_AMOUNT,
} from '../../../kernel/money.ts';
import { isIsolated } from '../../../messages/vocabulary.ts';
import type { InstrumentSpec } from '../../derived/instrument-spec.ts';
import { instrumentKey, rateFromText } from '../../derived/instrument-spec.ts';
import {
  maintenanceOf,
  netPositionOf,
  positionOf,
  unrealisedProfit,
} from '../../derived/position.ts';
import { post } from '../../ledger/ledger.ts';
import { canLeave } from '../../margin/free-margin.ts';
import { isMarkFrozen } from '../../prices/market-prices.ts';
import type { Position } from '../../state/position.ts';
import { done, type Handler, reject, type Step } from '../../transaction/step.ts';
import { initialOf } from '../leverage/leverage.ts';
import { emitPosition } from './fill-position.ts';

export const adjustMargin: Handler<'adjustMargin'> = (
  step,
  { uid, category, symbol, side, amount: text, direction },
) => {
  const { state, derived } = step;
  const key = instrumentKey(category, symbol);
  const account = state.accounts.get(uid);
  if (account === undefined) return reject('unknownUser', 'uid', `${uid}`);
  const spec = derived.spec.get(key);
  if (spec === undefined) return reject('unknownSymbol', 'symbol', symbol);
  if (account.positionMode === 'hedge' && side === undefined)
    return reject('fieldMissing', 'positionSide');
  const position =
    side === undefined ? netPositionOf(state, uid, key) : positionOf(state, uid, key, side);
  if (position === undefined) return reject('noPosition', 'positionSide');
  if (!isIsolated(position.marginMode)) return reject('notIsolated', 'symbol');
  const amount = moneyFromText<Amount>(text);
  if (amount === undefined) return reject('tooFine', 'amount');
  if (amount === 0n) return reject('sizeNotPositive', 'amount');
  const { marginCoin: coin } = spec.instrument;
  if (direction === 'add' && !canLeave(step, uid, coin, amount))
    return reject('insufficientBalance', 'amount');
  const removable = direction === 'remove' ? removableMargin(step, position, spec) : amount;
  if (removable < amount) return reject('marginNotSpared', 'amount', moneyText(removable));

  const moved = direction === 'add' ? amount : negate(amount);
  post(step, direction === 'add' ? 'addMargin' : 'removeMargin', [
    { uid, coin, account: 'available', amount: negate(moved) },
    { uid, coin, account: 'margin', amount: moved },
  ]);
  position.margin = plus(position.margin, moved);
  position.updatedAt = step.at;
  emitPosition(step, position, spec);
  return done;
};

/**
 * What exceeds both the initial margin at entry, with any unrealised loss covered, and the
 * maintenance at mark. Nothing while the mark is frozen.
 */
function removableMargin({ state, at }: Step, position: Position, spec: InstrumentSpec): Amount {
  if (isMarkFrozen(state, spec.instrument, at)) return ZERO_AMOUNT;
  const profit = unrealisedProfit(state, position, spec);
  const initial = initialOf(spec, position.entry, rateFromText(position.leverage));
  const aboveInitial = minus(position.margin, profit < 0n ? minus(initial, profit) : initial);
  const aboveMaintenance = spareAbove(
    plus(position.margin, profit),
    maintenanceOf(state, position, spec),
  );
  return greatest(least(aboveInitial, aboveMaintenance), ZERO_AMOUNT);
}
