/** Checks what followers may set, in the order in which the rules promise refusals. */

import { type Amount, money, moneyFromText, ONE_RATE, type Rate } from '../../kernel/money.ts';
import type { RowPlace } from '../../messages/command-fields.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { CopySetting } from '../../messages/copy-trading.ts';
import { wholeLeverage } from '../accounts/settings.ts';
import { instrumentKey } from '../derived/instrument-spec.ts';
import type { Following, Leader } from '../state/copy-state.ts';
import { reject, type Step } from '../transaction/step.ts';

type Refusal = ReturnType<typeof reject>;

const RATIO_MAX = money<Rate>('400');

const isRatio = (text: CopySetting['takeProfitRatio']): boolean => {
  if (text === undefined) return true;
  const ratio = moneyFromText<Rate>(text);
  return ratio !== undefined && ratio >= ONE_RATE && ratio <= RATIO_MAX && ratio % ONE_RATE === 0n;
};

/**
 * Leverage counts in advanced mode only, and only if the setting asks for one of its own (CPY-150).
 */
function leverageFault(
  setting: CopySetting,
  mode: Following['mode'],
  leverageMax: CopySetting['value'],
  at: RowPlace,
): Refusal | undefined {
  if (mode === 'basic' || setting.leverage !== 'own') return undefined;
  const { longLeverage, shortLeverage } = setting;
  if (longLeverage === undefined && shortLeverage === undefined)
    return reject('fieldMissing', `${at}.longLeverage`);
  const isWhole = (text: CopySetting['longLeverage']): boolean =>
    text === undefined || wholeLeverage(text, leverageMax) !== undefined;
  if (!isWhole(longLeverage))
    return reject('leverageOutOfRange', `${at}.longLeverage`, leverageMax);
  return isWhole(shortLeverage)
    ? undefined
    : reject('leverageOutOfRange', `${at}.shortLeverage`, leverageMax);
}

function settingFault(
  step: Step,
  leader: Leader,
  mode: Following['mode'],
  setting: CopySetting,
  at: RowPlace,
): Refusal | undefined {
  const { category, symbol, marginCoin, sizing, value } = setting;
  const spec = step.derived.spec.get(instrumentKey(category, symbol));
  if (spec === undefined) return reject('unknownSymbol', `${at}.symbol`, symbol);
  if (leader.symbols?.has(symbol) === false) return reject('symbolNotLed', `${at}.symbol`, symbol);
  if (marginCoin !== undefined && marginCoin !== spec.instrument.marginCoin)
    return reject('fieldInvalid', `${at}.marginCoin`, spec.instrument.marginCoin);
  const leverage = leverageFault(setting, mode, spec.instrument.leverageMax, at);
  if (leverage !== undefined) return leverage;
  if (sizing === 'size' && mode === 'basic')
    return reject('fieldInvalid', `${at}.sizing`, 'a fixed size needs advanced mode');
  const amount = moneyFromText<Amount>(value);
  if (amount === undefined) return reject('tooFine', `${at}.value`);
  if (amount === 0n) return reject('sizeNotPositive', `${at}.value`);
  if (!isRatio(setting.takeProfitRatio))
    return reject('takeProfitRatioOutOfRange', `${at}.takeProfitRatio`);
  if (!isRatio(setting.stopLossRatio))
    return reject('stopLossRatioOutOfRange', `${at}.stopLossRatio`);
  return undefined;
}

/** Settings that stay also apply in the requested mode, so it must allow them (CPY-09, CPY-64). */
function remainingFault(
  step: Step,
  known: Following,
  mode: Following['mode'],
  named: ReadonlySet<string>,
): Refusal | undefined {
  for (const [key, setting] of known.settings) {
    if (named.has(key)) continue;
    if (mode === 'basic' && setting.sizing === 'size')
      return reject('fieldInvalid', 'mode', 'a fixed size needs advanced mode');
    const { leverageMax } = step.derived.spec.get(key)!.instrument;
    if (
      known.mode !== mode &&
      leverageFault(setting, mode, leverageMax, 'settings[0]') !== undefined
    )
      return reject('fieldInvalid', 'mode', `${setting.symbol} needs an allowed leverage`);
  }
  return undefined;
}

/**
 * The first refusal of a request. A symbol that cannot be copied now comes last, after wrong input.
 */
export function settingsFault(
  step: Step,
  leader: Leader,
  { mode, settings }: CommandOf<'setCopySettings'>,
  known: Following | undefined,
): Refusal | undefined {
  const named = new Set<string>();
  for (const [at, setting] of settings.entries()) {
    const place = `settings[${at}]` as const;
    const key = instrumentKey(setting.category, setting.symbol);
    if (named.has(key)) return reject('fieldInvalid', `${place}.symbol`, 'given twice');
    named.add(key);
    const fault = settingFault(step, leader, mode, setting, place);
    if (fault !== undefined) return fault;
  }
  const kept = known === undefined ? undefined : remainingFault(step, known, mode, named);
  if (kept !== undefined) return kept;
  for (const key of named)
    if (step.state.instruments.get(key)?.status === 'off') return reject('copyNotNow', 'symbol');
  return undefined;
}
