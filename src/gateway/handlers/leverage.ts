/**
 * Leverage of a futures symbol as both generations of the API say it: one for both sides, or one
 * for each.
 */

import { type WireRejection, wireRejection } from '../../contract/wire-rejections.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Uid } from '../../kernel/ids.ts';
import { moneyFromText } from '../../kernel/money.ts';
import { type Refused, refuse } from '../../kernel/result.ts';
import type { FuturesCategory, MarginMode, PositionSide } from '../../messages/vocabulary.ts';
import type { ViewQueries } from '../../views/views.ts';
import type { CallSubmit } from './call-submit.ts';
import type { Reply } from './handler.ts';

export interface LeverageMarket {
  readonly uid: Uid;
  readonly category: FuturesCategory;
  readonly symbol: string;
}

export interface LeverageRequest {
  readonly leverage: DecimalText | undefined;
  readonly longLeverage: DecimalText | undefined;
  readonly shortLeverage: DecimalText | undefined;
  /** Which side `leverage` is for. */
  readonly side: PositionSide | undefined;
  /** Which margin mode all of it is for. */
  readonly marginMode?: MarginMode | undefined;
}

/**
 * Refuses a margin coin that is not the symbol's: whoever says it means another market. An unknown
 * symbol is left to the engine.
 */
export function refuseOtherCoin(
  { listings }: ViewQueries,
  { category, symbol }: Omit<LeverageMarket, 'uid'>,
  field: string,
  coin: string | undefined,
): Refused<WireRejection> | undefined {
  const marginCoin = listings.instrument(category, symbol)?.instrument.marginCoin;
  const fits = coin === undefined || marginCoin === undefined || coin === marginCoin;
  return fits ? undefined : refuse(wireRejection('fieldInvalid', field, coin));
}

/**
 * What an isolated position of each side stands at, or would: in one-way mode what was set for a
 * side sleeps (ACC-157).
 */
export function isolatedLeverages(
  { accounts }: ViewQueries,
  { uid, category, symbol }: LeverageMarket,
) {
  const {
    leverage,
    longLeverage = leverage,
    shortLeverage = leverage,
  } = accounts.symbolSetting(uid, category, symbol);
  return accounts.positionMode(uid) === 'hedge'
    ? { long: longLeverage, short: shortLeverage }
    : { long: leverage, short: leverage };
}

/** However they are written: `3` and `3.0` are the same. */
const isSame = (one: DecimalText, other: DecimalText): boolean =>
  moneyFromText(one) === moneyFromText(other);

/** The field of a side that says something else than the leverage of both sides. */
function contradiction({
  leverage,
  longLeverage,
  shortLeverage,
}: LeverageRequest): 'longLeverage' | 'shortLeverage' | undefined {
  if (leverage === undefined) return undefined;
  if (longLeverage !== undefined && !isSame(longLeverage, leverage)) return 'longLeverage';
  return shortLeverage !== undefined && !isSame(shortLeverage, leverage)
    ? 'shortLeverage'
    : undefined;
}

/** One command, whatever was wished: what is set for both sides is set for both or for neither. */
export function setFuturesLeverage(
  submit: CallSubmit,
  market: LeverageMarket,
  request: LeverageRequest,
): Promise<Reply<undefined>> {
  const { leverage, longLeverage, shortLeverage, side, marginMode } = request;
  const contradicted = contradiction(request);
  if (contradicted !== undefined)
    return Promise.resolve(
      refuse(wireRejection('fieldInvalid', contradicted, request[contradicted])),
    );
  if (leverage !== undefined)
    return submit({ type: 'setLeverage', ...market, leverage, side, marginMode });
  if (longLeverage !== undefined && shortLeverage !== undefined)
    return submit({ type: 'setSideLeverages', ...market, longLeverage, shortLeverage, marginMode });
  if (longLeverage !== undefined)
    return submit({
      type: 'setLeverage',
      ...market,
      leverage: longLeverage,
      side: 'long',
      marginMode,
    });
  if (shortLeverage !== undefined)
    return submit({
      type: 'setLeverage',
      ...market,
      leverage: shortLeverage,
      side: 'short',
      marginMode,
    });
  return Promise.resolve(refuse(wireRejection('fieldMissing', 'leverage')));
}
