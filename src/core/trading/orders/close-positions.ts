/**
 * Closes whole positions at market: of a category, a symbol or one side. Open closing orders make
 * room.
 */

import { decimalTextOf } from '../../../kernel/money.ts';
import type { OrderDraft } from '../../../messages/orders.ts';
import { findAccountContext, specOf } from '../../derived/derived.ts';
import { instrumentKey, sizeOf } from '../../derived/instrument-spec.ts';
import { accept, type Handler, reject } from '../../transaction/step.ts';
import { settleOwnCopies } from '../charges/settle-charges.ts';
import { placeOnce } from './place-orders.ts';

export const closePositions: Handler<'closePositions'> = (
  step,
  { uid, category, symbol, side },
) => {
  const context = findAccountContext(step, uid);
  if (context === undefined) return reject('unknownUser', 'uid', `${uid}`);
  if (symbol !== undefined && !step.derived.spec.has(instrumentKey(category, symbol)))
    return reject('unknownSymbol', 'symbol', symbol);
  const positions = [...(step.state.positions.get(uid)?.values() ?? [])].filter((position) => {
    const { instrument } = specOf(step.derived, position.key);
    return (
      instrument.category === category &&
      (symbol === undefined || instrument.symbol === symbol) &&
      (side === undefined || position.side === side)
    );
  });
  if (positions.length === 0) return reject('nothingToClose');

  return accept(
    positions.map((position) => {
      // The profit of the close before is shared before this one can lose it (CPY-160).
      settleOwnCopies(step, uid);
      const spec = specOf(step.derived, position.key);
      const draft: OrderDraft = {
        symbol: spec.instrument.symbol,
        side: position.side === 'long' ? 'sell' : 'buy',
        orderType: 'market',
        size: decimalTextOf(sizeOf(spec, position.lots)),
        timeInForce: 'gtc',
        positionSide: position.side,
        reduceOnly: true,
      };
      const order = placeOnce(step, { context, category, draft, sizePolicy: 'wholePosition' });
      step.endPart();
      return { ...order, symbol: draft.symbol };
    }),
  );
};
