/** Leverage of a futures symbol as v2 and v3 set it: one for both sides, or one for each side. */

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
  /** The side that `leverage` is for. */
  readonly side: PositionSide | undefined;
  /** The margin mode that the leverages are for. */
  readonly marginMode?: MarginMode | undefined;
}

/**
 * Refuses a margin coin that is not the symbol's, because the request means another market. The
 * engine refuses an unknown symbol.
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
 * The leverage of isolated positions by side. In one-way mode, settings per side are inactive
 * (ACC-157).
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

/** Compares by value: `3` equals `3.0`. */
const isSame = (one: DecimalText, other: DecimalText): boolean =>
  moneyFromText(one) === moneyFromText(other);

/** The field of a side that differs from the leverage of both sides. */
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

/** Uses one command for both sides, so that either both change or neither. */
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
