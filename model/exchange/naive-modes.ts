/** Account modes of the naive exchange, and calls that concern many orders or positions. */
import type { NaiveBooks } from './naive-money.ts';
import type { NaiveInstrument, NaiveUser, PositionSide } from './naive-state.ts';

export const sidesApart = (user: NaiveUser, { symbol }: NaiveInstrument): boolean =>
  user.hedge && user.settings[symbol]!.isolated;

/** In isolated hedge mode a side has its own leverage if one was set. */
export function leverageOf(
  user: NaiveUser,
  instrument: NaiveInstrument,
  side: PositionSide | undefined,
): bigint {
  const { leverage, sides } = user.settings[instrument.symbol]!;
  return sidesApart(user, instrument) && side !== undefined ? (sides[side] ?? leverage) : leverage;
}

const isUsed = (books: NaiveBooks, user: NaiveUser, instrument?: NaiveInstrument): boolean =>
  [...books.orders, ...books.positions].some(
    (each) => each.user === user && (instrument === undefined || each.instrument === instrument),
  );

/** A mode given with an order must be the symbol's mode, or the symbol must have nothing open. */
export const canHaveMode = (
  books: NaiveBooks,
  user: NaiveUser,
  instrument: NaiveInstrument,
  mode: string | undefined,
): boolean =>
  mode === undefined ||
  (mode === 'isolated') === user.settings[instrument.symbol]!.isolated ||
  !isUsed(books, user, instrument);

export const modeOf = (isolated: boolean): 'isolated' | 'crossed' =>
  isolated ? 'isolated' : 'crossed';

/** Sets the given mode only if the placement succeeds. `place` returns the refusal. */
export function withMode(
  books: NaiveBooks,
  user: NaiveUser,
  instrument: NaiveInstrument,
  mode: 'isolated' | 'crossed' | undefined,
  place: () => string | undefined,
): string | undefined {
  const setting = user.settings[instrument.symbol]!;
  const { isolated } = setting;
  const isGiven = mode !== undefined && instrument.category !== 'SPOT';
  if (isGiven && canHaveMode(books, user, instrument, mode)) setting.isolated = mode === 'isolated';
  const refused = place();
  if (refused !== undefined) setting.isolated = isolated;
  return refused;
}

export function setMarginMode(
  books: NaiveBooks,
  user: NaiveUser,
  instrument: NaiveInstrument,
  isolated: boolean,
): string | undefined {
  const setting = user.settings[instrument.symbol]!;
  if (setting.isolated === isolated) return undefined;
  if (isUsed(books, user, instrument)) return 'marginModeInUse';
  books.report.happened.push(isolated ? 'became isolated' : 'became crossed');
  setting.isolated = isolated;
  return undefined;
}

export function setPositionMode(
  books: NaiveBooks,
  user: NaiveUser,
  hedge: boolean,
): string | undefined {
  if (user.hedge === hedge) return undefined;
  const waits = books.triggers.some((each) => each.user === user);
  if (isUsed(books, user) || waits) {
    if (!isUsed(books, user)) books.report.happened.push('position mode kept by a trigger');
    return 'positionModeInUse';
  }
  books.report.happened.push(hedge ? 'became hedge' : 'became one-way');
  user.hedge = hedge;
  return undefined;
}
