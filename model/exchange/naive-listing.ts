/**
 * How a symbol of the naive exchange is listed again while it is traded, and how levels come to pay
 * other fees.
 */
import type {
  NaiveInstrument,
  NaiveLimits,
  NaiveOrder,
  NaivePosition,
  NaiveSpec,
  NaiveTimer,
  NaiveUser,
} from './naive-state.ts';
import { nextMultiple } from './naive-timers.ts';
import { min } from './whole-units.ts';

interface Listed {
  readonly futures: readonly NaiveInstrument[];
  readonly users: readonly NaiveUser[];
  readonly orders: readonly NaiveOrder[];
  readonly positions: readonly NaivePosition[];
  readonly now: number;
  readonly report: { readonly happened: string[] };
  timers: NaiveTimer[];
}

/**
 * What orders of a book are held against: spot and margin share one, and each has its own limits.
 */
export const limitsOf = (instrument: NaiveInstrument, onMargin: boolean): NaiveLimits =>
  onMargin ? instrument.onMargin : instrument;

/** Of a symbol, or of one on margin. Whatever is open stays. */
export function relist(
  books: Listed,
  instrument: NaiveInstrument,
  spec: NaiveSpec,
  onMargin: boolean,
): void {
  const { fundingHours } = instrument;
  if (onMargin) {
    const { sizeMin, sizeMax, marketSizeMax, band, pairLeverage } = spec;
    Object.assign(instrument, {
      pairLeverage,
      onMargin: { sizeMin, sizeMax, marketSizeMax, band },
    });
  } else Object.assign(instrument, spec, { pairLeverage: instrument.pairLeverage });
  if (instrument.fundingHours !== fundingHours) moveFunding(books, instrument);
  bringDown(books);
}

/** It is funded at the new hours, and no longer at the old ones. */
function moveFunding(books: Listed, instrument: NaiveInstrument): void {
  const due = nextMultiple(books.now, instrument.fundingHours);
  const before = books.timers.find(({ funds }) => funds === instrument);
  if (before === undefined || before.due === due) return;
  books.timers = [...books.timers.filter((timer) => timer !== before), { due, funds: instrument }];
  books.report.happened.push('funded at other hours');
}

/**
 * A leverage that a listing does not allow any longer is brought down where its user has nothing
 * open.
 */
export function bringDown({ futures, users, orders, positions, report }: Listed): void {
  const open = [...orders, ...positions];
  for (const user of users)
    for (const instrument of futures) {
      const setting = user.settings[instrument.symbol]!;
      const { leverage, sides } = setting;
      const most = instrument.tiers[0]!.leverage;
      if ([leverage, sides.long ?? 0n, sides.short ?? 0n].every((each) => each <= most)) continue;
      if (open.some((each) => each.user === user && each.instrument === instrument)) continue;
      setting.leverage = min(leverage, most);
      if (sides.long !== undefined) sides.long = min(sides.long, most);
      if (sides.short !== undefined) sides.short = min(sides.short, most);
      report.happened.push('leverage brought down');
    }
}
