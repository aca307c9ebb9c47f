/** Liquidation prices by definition: prices of the symbol at which margin meets maintenance. */
import type { PositionRow } from '../../src/messages/orders.ts';
import { exactMaintenance, isInverse, Margin, profitOf, sizeOf } from './accounts-margin.ts';
import { type Folio, type Folios, worthOr } from './folio.ts';
import {
  type Fraction,
  input,
  isAbove,
  isPositive,
  less,
  NOTHING,
  ONE,
  ofUnits,
  over,
  sum,
  times,
  whole,
} from './fractions.ts';

/** A price with zero buffer; `rising` if the buffer is positive just above it. */
export interface Meeting {
  readonly price: Fraction;
  readonly rising: boolean;
  /** Change of the buffer per unit of price. */
  readonly slope: Fraction;
}

/**
 * Buffer above maintenance, of the account or of an isolated position, at a hypothetical price; and
 * the balance of the margin coin.
 */
interface MarginState {
  readonly room: (price: Fraction) => Fraction;
  readonly ofCoin: (price: Fraction) => Fraction;
  readonly legs: readonly PositionRow[];
}

function crossedMargin(
  folios: Folios,
  folio: Folio,
  { category, symbol, marginCoin }: PositionRow,
): MarginState {
  const isOfSymbol = (position: PositionRow): boolean =>
    position.category === category && position.symbol === symbol;
  const at = (price: Fraction): Margin =>
    new Margin(folios, folio, {
      exact: true,
      marks: (position) => (isOfSymbol(position) ? price : ofUnits(folios.mark(position))),
    });
  return {
    room: (price) => at(price).room,
    ofCoin: (price) => at(price).ofCoin(marginCoin),
    legs: at(ONE).crossed.filter(isOfSymbol),
  };
}

function isolatedMargin(folios: Folios, folio: Folio, position: PositionRow): MarginState {
  const behind = (price: Fraction): Fraction =>
    sum(ofUnits(position.margin), profitOf(position, price));
  const required = (price: Fraction): Fraction =>
    exactMaintenance(folios.instrumentOf(position), position, price, folios.takerFee(folio));
  return {
    room: (price) => less(behind(price), required(price)),
    ofCoin: behind,
    legs: [position],
  };
}

/** Values are piecewise linear in the price, or in its reciprocal for inverse contracts. */
const turned = (position: PositionRow, place: Fraction): Fraction =>
  isInverse(position) ? over(ONE, place) : place;

/** Zero of a line through two points; undefined if it is level. */
function zeroOf(
  line: (place: Fraction) => Fraction,
  [one, other]: readonly [Fraction, Fraction],
): Fraction | undefined {
  const [first, rise] = [line(one), less(line(other), line(one))];
  if (rise.above === 0n) return undefined;
  return less(one, over(times(first, less(other, one)), rise));
}

/** Corners of the buffer: a position enters a tier, or the coin changes from asset to debt. */
function corners(
  folios: Folios,
  position: PositionRow,
  { ofCoin, legs }: MarginState,
): readonly Fraction[] {
  const { tiers } = folios.instrumentOf(position);
  const bounds = isInverse(position)
    ? []
    : legs.flatMap((leg) => tiers.map(({ toValue }) => over(input(toValue), sizeOf(leg))));
  const sign = zeroOf((place) => ofCoin(turned(position, place)), [ONE, whole(2)]);
  return [...bounds, ...(sign === undefined ? [] : [sign])]
    .filter(isPositive)
    .toSorted((one, other) => (isAbove(one, other) ? 1 : -1));
}

/** Every positive price with zero buffer. */
export const meetings = (folios: Folios, folio: Folio, position: PositionRow): readonly Meeting[] =>
  folios.once(folio, `meetings ${position.positionId}`, () =>
    findMeetings(folios, folio, position),
  );

function findMeetings(folios: Folios, folio: Folio, position: PositionRow): readonly Meeting[] {
  const state = (position.marginMode === 'crossed' ? crossedMargin : isolatedMargin)(
    folios,
    folio,
    position,
  );
  const line = (place: Fraction): Fraction => state.room(turned(position, place));
  const starts = [NOTHING, ...corners(folios, position, state)];
  return starts.flatMap((start, at) => {
    const end = starts[at + 1] ?? sum(start, whole(1_000_000));
    if (!isAbove(end, start)) return [];
    const third = over(less(end, start), whole(3));
    const inside: readonly [Fraction, Fraction] = [sum(start, third), less(end, third)];
    const place = zeroOf(line, inside);
    if (
      place === undefined ||
      !isAbove(place, start) ||
      (starts[at + 1] !== undefined && isAbove(place, end))
    )
      return [];
    const price = turned(position, place);
    const step = over(price, whole(1_000_000));
    const slope = over(state.room(sum(price, step)), step);
    return [{ price, rising: isPositive(slope), slope }];
  });
}

const distance = (one: Fraction, other: Fraction): Fraction =>
  isAbove(one, other) ? less(one, other) : less(other, one);

/** The one nearest to the mark (POS-177). */
export function liquidationMeeting(
  folios: Folios,
  folio: Folio,
  position: PositionRow,
): Meeting | undefined {
  const mark = ofUnits(folios.mark(position));
  const [first, ...others] = meetings(folios, folio, position);
  if (first === undefined) return undefined;
  return others.reduce(
    (nearest, other) =>
      isAbove(distance(nearest.price, mark), distance(other.price, mark)) ? other : nearest,
    first,
  );
}

/** Largest effect of rounding: a few units of each coin, in dollars, or in the coin if isolated. */
function dust(folios: Folios, folio: Folio, { marginMode }: PositionRow): Fraction {
  const few = ofUnits(BigInt(4 + folio.positions.size + folio.debts.size));
  if (marginMode === 'isolated') return few;
  return times(
    few,
    sum(ONE, ...new Margin(folios, folio).coins.map((coin) => worthOr(folios, coin))),
  );
}

/** Whether a shown price is the expected one within rounding. */
export function isMet(
  folios: Folios,
  folio: Folio,
  position: PositionRow,
  emitted: Fraction,
): boolean {
  const meeting = liquidationMeeting(folios, folio, position);
  if (meeting === undefined || !isPositive(emitted))
    return meeting === undefined && emitted.above === 0n;
  const far = distance(emitted, meeting.price);
  const steep = meeting.rising ? meeting.slope : less(NOTHING, meeting.slope);
  return !isAbove(times(less(far, ofUnits(1n)), steep), dust(folios, folio, position));
}
