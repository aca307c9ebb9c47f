/**
 * A listing may come to allow less leverage than somebody has set, and at that no order of his
 * could open anything. What he has set is brought down to what is allowed as soon as nothing of his
 * is open in the symbol; positions and orders that are open keep theirs (ACC-25).
 */
import type { InstrumentSpec } from '../../derived/instrument-spec.ts';
import type { DecimalText } from '../../../kernel/decimal-text.ts';
import { rateFromText } from '../../derived/rates.ts';
import { decimalTextOf } from '../../../kernel/money.ts';
import type { Account, SymbolSetting } from '../../state/account.ts';
import { type Reaction, type Step, inParts } from '../../transaction/step.ts';
import { type Category, isFutures } from '../../../messages/vocabulary.ts';
import { hasOpenInterest } from '../../derived/open-interest.ts';
import { changeSetting } from '../../accounts/settings.ts';
import type { Uid } from '../../../kernel/ids.ts';
import { accountOf } from '../../derived/lookups.ts';

/** No more than the first tier allows. */
function lowered({ tiers }: InstrumentSpec, leverage: DecimalText): DecimalText {
  const [first] = tiers;
  return first === undefined || rateFromText(leverage) <= first.leverageMax
    ? leverage
    : decimalTextOf(first.leverageMax);
}

const isAllowed = (
  spec: InstrumentSpec,
  { leverage, longLeverage = leverage, shortLeverage = leverage }: Readonly<SymbolSetting>,
): boolean => [leverage, longLeverage, shortLeverage].every((each) => lowered(spec, each) === each);

function lowerIfFlat(step: Step, account: Account, spec: InstrumentSpec): void {
  const { category, symbol } = spec.instrument;
  const { uid } = account.profile;
  const setting = account.symbolSettings.get(spec.key);
  if (setting === undefined || !isFutures(category) || isAllowed(spec, setting)) return;
  if (hasOpenInterest(step.state, uid, spec.key)) return;
  const after: SymbolSetting = {
    marginMode: setting.marginMode,
    leverage: lowered(spec, setting.leverage),
  };
  step.emit({ type: 'leverageChanged', uid, category, symbol, leverage: after.leverage });
  // What is told without a side holds for both, so what was set for one of them is told after it.
  if (setting.longLeverage !== undefined) {
    after.longLeverage = lowered(spec, setting.longLeverage);
    step.emit({
      type: 'leverageChanged',
      uid,
      category,
      symbol,
      leverage: after.longLeverage,
      side: 'long',
    });
  }
  if (setting.shortLeverage !== undefined) {
    after.shortLeverage = lowered(spec, setting.shortLeverage);
    step.emit({
      type: 'leverageChanged',
      uid,
      category,
      symbol,
      leverage: after.shortLeverage,
      side: 'short',
    });
  }
  changeSetting(step, account, spec.key, after);
}

export const lowerWithListing: Reaction<'instrumentListed'> = (
  step,
  { instrument: { category, symbol } },
) => {
  const spec = step.derived.marketContexts.named(category, symbol)?.spec;
  if (spec === undefined || !spec.futures) return;
  inParts(step, step.state.accounts.values(), (account) => lowerIfFlat(step, account, spec));
};

/**
 * Comes with the end of every order: whoever has set no more than is allowed is known by one
 * comparison.
 */
function lowerFor(step: Step, uid: Uid, category: Category, symbol: string): void {
  const market = step.derived.marketContexts.named(category, symbol);
  if (market === undefined || !market.spec.futures) return;
  const { setting, crossedLeverage, context } = accountOf(step, uid).openSymbolAccount(
    step.state,
    market,
  );
  const [first] = market.spec.tiers;
  const hasSides = setting.longLeverage !== undefined || setting.shortLeverage !== undefined;
  if (hasSides || (first !== undefined && crossedLeverage > first.leverageMax))
    lowerIfFlat(step, context.account, market.spec);
}

export const lowerWithOrder: Reaction<'orderEnded'> = (step, { end: { uid, category, symbol } }) =>
  lowerFor(step, uid, category, symbol);

export const lowerWithPosition: Reaction<'positionClosed'> = (
  step,
  { position: { uid, category, symbol } },
) => lowerFor(step, uid, category, symbol);
