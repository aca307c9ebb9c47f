/** Changes of a listing during trading in the naive exchange, and changes of fee levels. */
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

/** Limits of orders; spot and margin share one book but each has its own limits. */
export const limitsOf = (instrument: NaiveInstrument, onMargin: boolean): NaiveLimits =>
  onMargin ? instrument.onMargin : instrument;

/** Changes the listing of spot or of margin; open orders and positions stay. */
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

/** Moves funding to the new hours. */
function moveFunding(books: Listed, instrument: NaiveInstrument): void {
  const due = nextMultiple(books.now, instrument.fundingHours);
  const before = books.timers.find(({ funds }) => funds === instrument);
  if (before === undefined || before.due === due) return;
  books.timers = [...books.timers.filter((timer) => timer !== before), { due, funds: instrument }];
  books.report.happened.push('funding hours changed');
}

/** Lowers a leverage above the new maximum for users without open positions or orders. */
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
      report.happened.push('leverage lowered');
    }
}
