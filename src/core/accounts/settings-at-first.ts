/**
 * A symbol that is listed anew may begin at another leverage. Whoever has something open there
 * stays at the one he has; for the others it changes.
 */
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Uid } from '../../kernel/ids.ts';
import type { Instrument } from '../../messages/listings.ts';
import { isFutures } from '../../messages/vocabulary.ts';
import { marketOf } from '../derived/derived.ts';
import { keyOf } from '../derived/instrument-key.ts';
import type { State } from '../state/state.ts';
import type { Reaction, Step } from '../transaction/step.ts';
import { inParts } from '../transaction/step.ts';
import { changeSetting } from './settings.ts';
import { settingOf } from '../derived/symbol-setting.ts';

/** The leverage that the positions and orders of a symbol stand at, by holder. */
function leveragesIn({ positions, orders }: State, key: string): Map<Uid, DecimalText> {
  const leverages = new Map<Uid, DecimalText>();
  for (const own of positions.values())
    for (const position of own.values())
      if (position.key === key) leverages.set(position.uid, position.leverage);
  for (const order of orders.values())
    if (order.key === key && order.leverage !== undefined) leverages.set(order.uid, order.leverage);
  return leverages;
}

/**
 * What holds for somebody who has set nothing is set for him, so that nothing open is margined anew
 * by a listing.
 */
function keepOpen(step: Step, instrument: Instrument, key: string): void {
  const { category, symbol } = instrument;
  const { state } = step;
  const open = [...leveragesIn(state, key)].sort(([one], [other]) => one - other);
  inParts(step, open, ([uid, leverage]) => {
    const account = state.accounts.get(uid)!;
    const setting = settingOf(state, account, key);
    if (setting.leverage === leverage || account.symbolSettings.has(key) || !isFutures(category))
      return;
    changeSetting(step, account, key, { ...setting, leverage });
    step.emit({ type: 'leverageChanged', uid, category, symbol, leverage });
  });
}

export const keepLeverages: Reaction<'instrumentListed'> = (step, { instrument }) => {
  if (!isFutures(instrument.category)) return;
  const { state, derived } = step;
  const key = keyOf(instrument);
  keepOpen(step, instrument, key);
  const market = marketOf(derived, key);
  for (const context of derived.accountContexts.values()) {
    const symbolAccount = context.symbolAccountIn(market);
    if (symbolAccount !== undefined) symbolAccount.setting = settingOf(state, context.account, key);
  }
};
