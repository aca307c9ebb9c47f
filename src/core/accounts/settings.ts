/**
 * Changes the margin mode of a symbol and the position mode of an account. Leverage has its own
 * files.
 */

import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, decimalTextOf, money, moneyFromText, ONE_RATE } from '../../kernel/money.ts';
import type { Instrument } from '../../messages/listings.ts';
import { isFutures, type MarginMode } from '../../messages/vocabulary.ts';
import { settingOf } from '../derived/account-context.ts';
import { marketOf } from '../derived/derived.ts';
import { instrumentKey, keyOf } from '../derived/instrument-spec.ts';
import { hasOpenInterest } from '../derived/open-interest.ts';
import type { Account, SymbolSetting } from '../state/account.ts';
import { isCopying } from '../state/copy-state.ts';
import type { State } from '../state/state.ts';
import {
  done,
  type Handler,
  inParts,
  type Reaction,
  reject,
  type Step,
} from '../transaction/step.ts';

/** The only way to change a setting, because it also updates the cached symbol account. */
export function changeSetting(
  { derived }: Step,
  account: Account,
  key: string,
  setting: SymbolSetting,
): void {
  account.symbolSettings.set(key, setting);
  const symbolAccount = derived.accountContexts
    .get(account.profile.uid)
    ?.symbolAccountIn(marketOf(derived, key));
  if (symbolAccount !== undefined) symbolAccount.setting = setting;
}

/**
 * The only way to change the margin mode of a symbol. The caller has checked that there is no open
 * interest. Only futures have a margin mode.
 */
export function switchMarginMode(
  step: Step,
  account: Account,
  key: string,
  marginMode: MarginMode,
): void {
  const setting = settingOf(step.state, account, key);
  const { category, symbol } = step.state.instruments.get(key)!.instrument;
  if (marginMode === setting.marginMode || !isFutures(category)) return;
  changeSetting(step, account, key, { ...setting, marginMode });
  step.emit({ type: 'marginModeChanged', uid: account.profile.uid, category, symbol, marginMode });
}

/** A whole number from 1 to the maximum, in its shortest text; undefined for any other text. */
export function wholeLeverage(
  text: DecimalText,
  leverageMax: DecimalText,
): DecimalText | undefined {
  const value = moneyFromText<Amount>(text);
  if (value === undefined || value < ONE_RATE || value > money<Amount>(leverageMax))
    return undefined;
  return value % ONE_RATE === 0n ? decimalTextOf(value) : undefined;
}

export const setMarginMode: Handler<'setMarginMode'> = (
  step,
  { uid, category, symbol, marginMode },
) => {
  const { state } = step;
  const key = instrumentKey(category, symbol);
  const account = state.accounts.get(uid);
  if (account === undefined) return reject('unknownUser', 'uid', `${uid}`);
  if (!state.instruments.has(key)) return reject('unknownSymbol', 'symbol', symbol);
  if (settingOf(state, account, key).marginMode === marginMode) return done;
  if (hasOpenInterest(state, uid, key)) return reject('marginModeInUse', 'marginMode');

  switchMarginMode(step, account, key, marginMode);
  return done;
};

export const setPositionMode: Handler<'setPositionMode'> = (step, { uid, positionMode }) => {
  const { state } = step;
  const account = state.accounts.get(uid);
  if (account === undefined) return reject('unknownUser', 'uid', `${uid}`);
  if (account.positionMode === positionMode) return done;
  if (hasOpenInterest(state, uid) || isCopying(state.copy, uid))
    return reject('positionModeInUse', 'positionMode');

  account.positionMode = positionMode;
  step.emit({ type: 'positionModeChanged', uid, positionMode });
  return done;
};

/** The leverage of the positions and orders in a symbol, by user. */
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
 * Stores the default leverage as the setting of each account with open interest. So a changed
 * listing does not change the margin of open positions and orders.
 */
function keepLeverageOfOpenInterest(step: Step, instrument: Instrument, key: string): void {
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
  keepLeverageOfOpenInterest(step, instrument, key);
  const market = marketOf(derived, key);
  for (const context of derived.accountContexts.values()) {
    const symbolAccount = context.symbolAccountIn(market);
    if (symbolAccount !== undefined) symbolAccount.setting = settingOf(state, context.account, key);
  }
};
