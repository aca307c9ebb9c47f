/** What a user sets: margin mode by symbol, and the position mode of the whole account. Leverage has a file of its own. */
import { leverageAtFirst } from '../../formulas/margin.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { type Amount, decimalTextOf, money, moneyFromText, ONE_RATE } from '../../kernel/money.ts';
import type { Instrument } from '../../messages/listings.ts';
import { isFutures, type MarginMode, type PositionSide } from '../../messages/vocabulary.ts';
import { isCopying } from '../copy/copy-state.ts';
import { marketOf } from '../derived.ts';
import { instrumentKey } from '../instruments/instrument-key.ts';
import type { Account, State, SymbolSetting } from '../state.ts';
import { done, type Handler, reject, type Step } from '../step.ts';
import { hasOpenInterest } from './open-interest.ts';

/** Crossed, at the leverages a symbol may begin at: whoever has found one keeps it at hand, so each is made once. */
const SETTINGS_AT_FIRST = new Map<DecimalText, Readonly<SymbolSetting>>();

function settingAtFirst(instrument: Instrument): Readonly<SymbolSetting> {
  const leverage = leverageAtFirst(instrument);
  const known = SETTINGS_AT_FIRST.get(leverage);
  if (known !== undefined) return known;
  const setting: SymbolSetting = { marginMode: 'crossed', leverage };
  SETTINGS_AT_FIRST.set(leverage, setting);
  return setting;
}

type Listed = Pick<State, 'instruments'>;

/** Of a symbol that is listed. */
export const settingOf = ({ instruments }: Listed, account: Account, key: string): Readonly<SymbolSetting> =>
  account.symbolSettings.get(key) ?? settingAtFirst(instruments.get(key)!.instrument);

/** The one way to change a setting: whoever sits in the symbol hears of it. */
export function changeSetting({ derived }: Step, account: Account, key: string, setting: SymbolSetting): void {
  account.symbolSettings.set(key, setting);
  const symbolAccount = derived.accountContexts.get(account.profile.uid)?.symbolAccountIn(marketOf(derived, key));
  if (symbolAccount !== undefined) symbolAccount.setting = setting;
}

/** The one way to change the margin mode of a symbol. Only futures have one, and whoever asks has seen that nothing is open. */
export function switchMarginMode(step: Step, account: Account, key: string, marginMode: MarginMode): void {
  const setting = settingOf(step.state, account, key);
  const { category, symbol } = step.state.instruments.get(key)!.instrument;
  if (marginMode === setting.marginMode || !isFutures(category)) return;
  changeSetting(step, account, key, { ...setting, marginMode });
  step.emit({ type: 'marginModeChanged', uid: account.profile.uid, category, symbol, marginMode });
}

/** Only an isolated position in hedge mode has a leverage for each side. */
export const hasSides = (account: Account, marginMode: MarginMode): boolean =>
  account.positionMode === 'hedge' && marginMode === 'isolated';

/** The leverage that holds for a side in a margin mode. What was set for a side sleeps while the modes make no difference between sides. */
export function leverageIn(account: Account, setting: Readonly<SymbolSetting>, marginMode: MarginMode, side: PositionSide): DecimalText {
  if (!hasSides(account, marginMode)) return setting.leverage;
  return (side === 'long' ? setting.longLeverage : setting.shortLeverage) ?? setting.leverage;
}

export function leverageOf(listed: Listed, account: Account, key: string, side: PositionSide): DecimalText {
  const setting = settingOf(listed, account, key);
  return leverageIn(account, setting, setting.marginMode, side);
}

/** A whole number from 1 up to a maximum, in its shortest text; undefined for anything else. */
export function wholeLeverage(text: DecimalText, leverageMax: DecimalText): DecimalText | undefined {
  const value = moneyFromText<Amount>(text);
  if (value === undefined || value < ONE_RATE || value > money<Amount>(leverageMax)) return undefined;
  return value % ONE_RATE === 0n ? decimalTextOf(value) : undefined;
}

export const setMarginMode: Handler<'setMarginMode'> = (step, { uid, category, symbol, marginMode }) => {
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
  if (hasOpenInterest(state, uid) || isCopying(state.copy, uid)) return reject('positionModeInUse', 'positionMode');

  account.positionMode = positionMode;
  step.emit({ type: 'positionModeChanged', uid, positionMode });
  return done;
};
