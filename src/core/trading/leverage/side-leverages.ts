/** Sets the leverage of both sides of a symbol at once: both change, or neither does. */
import type { PositionSide } from '../../../messages/vocabulary.ts';
import { type Handler, done, reject } from '../../transaction/step.ts';
import { applyLeverageChange, changeOf, findPlace, highestAllowed, isMargined, moreHeld, setLeverage, withLeverage } from './leverage.ts';
import { changeSetting, wholeLeverage } from '../../accounts/settings.ts';
import { hasSides } from '../../derived/symbol-setting.ts';
import type { DecimalText } from '../../../kernel/decimal-text.ts';
import { rateFromText } from '../../derived/rates.ts';
import { moneyText, plus } from '../../../kernel/money.ts';
import { canSpend } from '../../margin/can-leave.ts';

const FIELDS: Readonly<Record<PositionSide, string>> = {
  long: 'longLeverage',
  short: 'shortLeverage',
};

export const setSideLeverages: Handler<'setSideLeverages'> = (step, command) => {
  const { uid, category, symbol, longLeverage, shortLeverage } = command;
  const found = findPlace(step, command);
  if (!found.ok) return found;
  const { account, spec, setting } = found.value;
  const { leverageMax, marginCoin } = spec.instrument;
  const [long, short] = [
    wholeLeverage(longLeverage, leverageMax),
    wholeLeverage(shortLeverage, leverageMax),
  ];
  if (long === undefined) return reject('leverageOutOfRange', FIELDS.long, leverageMax);
  if (short === undefined) return reject('leverageOutOfRange', FIELDS.short, leverageMax);
  if (long === short)
    return setLeverage(step, { type: 'setLeverage', uid, category, symbol, leverage: long });
  if (!hasSides(account, setting.marginMode)) return reject('fieldInvalid', FIELDS.short, short);
  const requests: readonly { readonly side: PositionSide; readonly leverage: DecimalText }[] = [
    { side: 'long', leverage: long },
    { side: 'short', leverage: short },
  ];
  const changes = requests.map((request) => ({
    ...request,
    change: changeOf(step, found.value, rateFromText(request.leverage), request.side),
  }));
  for (const { side, change } of changes) {
    const highest = highestAllowed(step, change);
    if (change.leverage > highest)
      return reject('leverageOutOfRange', FIELDS[side], moneyText(highest));
  }
  const uncovered = changes.find(({ change }) => !isMargined(change));
  if (uncovered !== undefined) return reject('leverageNeedsMargin', FIELDS[uncovered.side]);
  const more = changes.map(({ change }) => moreHeld(change)).reduce(plus);
  if (more > 0n && !canSpend(step, uid, marginCoin, more))
    return reject('leverageNeedsMargin', FIELDS.short);

  changeSetting(
    step,
    account,
    spec.key,
    withLeverage(withLeverage(setting, long, 'long'), short, 'short'),
  );
  step.derived.headroom.forget(uid);
  // The side that frees margin goes first: the other one may need it.
  const freeingFirst = changes.toSorted((left, right) =>
    moreHeld(left.change) < moreHeld(right.change) ? -1 : 1,
  );
  for (const { side, leverage, change } of freeingFirst) {
    step.emit({ type: 'leverageChanged', uid, category, symbol, leverage, side });
    applyLeverageChange(step, change, leverage);
  }
  return done;
};
