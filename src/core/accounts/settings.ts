/**
 * What a user sets: margin mode by symbol, and the position mode of the whole account. Leverage has
 * a file of its own.
 */

import type { DecimalText } from '../../kernel/decimal-text.ts';
import { type Amount, decimalTextOf, money, moneyFromText, ONE_RATE } from '../../kernel/money.ts';
import { isFutures, type MarginMode } from '../../messages/vocabulary.ts';
import { marketOf } from '../derived/derived.ts';
import { instrumentKey } from '../derived/instrument-key.ts';
import type { Account, SymbolSetting } from '../state/account.ts';
import { isCopying } from '../state/copy-state.ts';
import { done, type Handler, reject, type Step } from '../transaction/step.ts';
import { hasOpenInterest } from '../derived/open-interest.ts';
import { settingOf } from '../derived/symbol-setting.ts';

/** The one way to change a setting: whoever sits in the symbol hears of it. */
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
 * The one way to change the margin mode of a symbol. Only futures have one, and whoever asks has
 * seen that nothing is open.
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

/** A whole number from 1 up to a maximum, in its shortest text; undefined for anything else. */
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
