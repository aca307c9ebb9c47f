/** Margin mode and leverage of an account in one symbol. */
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Account, SymbolSetting } from '../state/account.ts';
import type { Instrument } from '../../messages/listings.ts';
import { leverageAtFirst } from '../../formulas/margin.ts';
import type { State } from '../state/state.ts';
import type { MarginMode, PositionSide } from '../../messages/vocabulary.ts';

/**
 * Crossed, at the leverages a symbol may begin at: whoever has found one keeps it at hand, so each
 * is made once.
 */
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
export const settingOf = (
  { instruments }: Listed,
  account: Account,
  key: string,
): Readonly<SymbolSetting> =>
  account.symbolSettings.get(key) ?? settingAtFirst(instruments.get(key)!.instrument);

/** Only an isolated position in hedge mode has a leverage for each side. */
export const hasSides = (account: Account, marginMode: MarginMode): boolean =>
  account.positionMode === 'hedge' && marginMode === 'isolated';

/**
 * The leverage that holds for a side in a margin mode. What was set for a side sleeps while the
 * modes make no difference between sides.
 */
export function leverageIn(
  account: Account,
  setting: Readonly<SymbolSetting>,
  marginMode: MarginMode,
  side: PositionSide,
): DecimalText {
  if (!hasSides(account, marginMode)) return setting.leverage;
  return (side === 'long' ? setting.longLeverage : setting.shortLeverage) ?? setting.leverage;
}

export function leverageOf(
  listed: Listed,
  account: Account,
  key: string,
  side: PositionSide,
): DecimalText {
  const setting = settingOf(listed, account, key);
  return leverageIn(account, setting, setting.marginMode, side);
}
