/**
 * All views together, fed once with every durable event in order. Queries are answered from them.
 */
import type { Sequence } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import type { EventBatch } from '../messages/events.ts';
import { type AccountQueries, AccountsView } from './accounts.ts';
import { type AgentQueries, AgentsView } from './agents.ts';
import { BillMaker } from './bills.ts';
import { type ClockQueries, createClockView } from './clock.ts';
import { type CopyTradingQueries, CopyTradingView } from './copy-trading.ts';
import { type DailyOrderQueries, DailyOrdersView } from './daily-orders.ts';
import { type FeeRateQueries, FeeRatesView } from './fee-rates.ts';
import { type FundingQueries, FundingView } from './funding.ts';
import { type FundingRateQueries, FundingRatesView } from './funding-rates.ts';
import type { HistoryStore } from './history/history.ts';
import type { HistoryBatch, RecordedEvent } from './history/recorded-events.ts';
import type { HistoryQueries } from './history/tables.ts';
import { type IsolatedPairQueries, IsolatedPairsView } from './isolated-pairs.ts';
import { createKeysView, type KeyQueries } from './keys.ts';
import { createListingsView, type ListingQueries } from './listings.ts';
import { type OrderQueries, OrdersView } from './orders.ts';
import type { PastQueries } from './past/past-queries.ts';
import { PastView } from './past/past-view.ts';
import type { RecordedSource } from './past/recorded-past.ts';
import { type PositionQueries, PositionsView } from './positions.ts';
import { type PriceCandleQueries, PriceCandlesView } from './price-candles.ts';
import { createPricesView, type PriceQueries } from './prices.ts';
import { createRecordingsView, type RecordingQueries } from './recordings.ts';
import type { ViewName } from './shown-by.ts';
import { type TradeQueries, TradesView } from './trades.ts';
import { type TriggerQueries, TriggersView } from './triggers.ts';
import { type AnyView, feeding, partsOf, type View } from './view.ts';
import { type WithdrawalQueries, WithdrawalsView } from './withdrawals.ts';

/** The query interface. Live state answers at once; history returns a promise. */
export interface ViewQueries {
  readonly accounts: AccountQueries;
  readonly keys: KeyQueries;
  readonly listings: ListingQueries;
  readonly prices: PriceQueries;
  readonly priceCandles: PriceCandleQueries;
  readonly clock: ClockQueries;
  readonly recordings: RecordingQueries;
  readonly orders: OrderQueries;
  readonly positions: PositionQueries;
  readonly isolatedPairs: IsolatedPairQueries;
  readonly copyTrading: CopyTradingQueries;
  readonly past: PastQueries;
  readonly trades: TradeQueries;
  readonly agents: AgentQueries;
  readonly dailyOrders: DailyOrderQueries;
  readonly withdrawals: WithdrawalQueries;
  readonly triggers: TriggerQueries;
  readonly feeRates: FeeRateQueries;
  readonly funding: FundingQueries;
  readonly fundingRates: FundingRateQueries;
  readonly history: HistoryQueries;
}

export interface Views extends ViewQueries {
  /** The last batch with an event that the live views have received. */
  sequence(): Sequence;
  /**
   * Feeds a durable batch to every view and to the history store; a batch without events only to
   * the store.
   */
  apply(batch: EventBatch): void;
  /** The live views as plain values, for a snapshot. History is stored separately. */
  save(): unknown;
  /** Why saved views cannot be restored; undefined if they can. */
  refusal(saved: unknown): string | undefined;
  restore(saved: unknown): void;
}

/**
 * The version of the saved views. Raise it with any change of their shape; older bytes are then
 * skipped.
 */
const VIEWS_VERSION = 10;

interface SavedViews {
  readonly version: number;
  readonly sequence: Sequence;
  readonly views: Readonly<Record<string, unknown>>;
}

/** The in-memory views, in the order in which they receive an event. */
function createLive(record: (ended: RecordedEvent) => void, source: RecordedSource) {
  const listings = createListingsView();
  const accounts = new AccountsView(listings);
  const prices = createPricesView();
  const past = new PastView(source);
  const orders = new OrdersView((uid) => accounts.positionMode(uid), record);
  const positions = new PositionsView(record);
  return {
    accounts,
    keys: createKeysView(),
    listings,
    prices,
    priceCandles: new PriceCandlesView({ listings, prices, past }),
    clock: createClockView(),
    recordings: createRecordingsView(),
    orders,
    positions,
    isolatedPairs: new IsolatedPairsView(),
    past,
    trades: new TradesView(past),
    agents: new AgentsView(),
    dailyOrders: new DailyOrdersView(),
    withdrawals: new WithdrawalsView(record),
    copyTrading: new CopyTradingView(),
    triggers: new TriggersView(record),
    feeRates: new FeeRatesView(accounts),
    fundingRates: new FundingRatesView(past),
    funding: new FundingView({ listings, orders, prices, positions }),
  } satisfies { readonly [Name in Exclude<ViewName, 'bills'>]: View<Name> };
}

/** The default for views that need no recordings. */
const noRecordings: RecordedSource = () => {
  throw new Error('these views were given no recordings');
};

/** `source` reads recordings when a past is queried. */
export function createViews(history: HistoryStore, source: RecordedSource = noRecordings): Views {
  /** Rows for history from the current batch, beside its events. */
  let recorded: RecordedEvent[] = [];
  const record = (ended: RecordedEvent): void => void recorded.push(ended);
  const live = createLive(record, source);
  const { accounts, isolatedPairs } = live;
  const views: readonly AnyView[] = Object.values(live);
  const bills = new BillMaker(
    {
      positionModeOf: (uid) => accounts.positionMode(uid),
      walletHolds: (uid, coin) => accounts.holds(uid, coin),
      pairHolds: (uid, symbol, coin) => isolatedPairs.holds(uid, symbol, coin),
    },
    record,
  );
  const feed = feeding([...views, bills]);
  /** Feeds one part and returns its history rows. */
  const feedPart = (part: EventBatch): HistoryBatch => {
    recorded = [];
    feed(part);
    bills.end();
    return { sequence: part.sequence, at: part.at, events: part.events, recorded };
  };
  const feedByMoment = (batch: EventBatch): HistoryBatch => ({
    sequence: batch.sequence,
    at: batch.at,
    events: [],
    parts: partsOf(batch).map(feedPart),
  });
  let sequence = 0 as Sequence;
  const refusal = (saved: unknown): string | undefined => {
    const { version, views: savedViews } = saved as SavedViews;
    if (version !== VIEWS_VERSION)
      return (
        `its views are of version ${version ?? 0}, ` +
        `and this program reads version ${VIEWS_VERSION}`
      );
    const missing = views
      .filter(({ name }) => savedViews[name] === undefined)
      .map(({ name }) => name);
    return missing.length === 0 ? undefined : `the views ${missing.join(', ')} are missing`;
  };

  return {
    ...live,
    history,
    sequence: () => sequence,
    apply: (batch) => {
      // A refused command advances history's sequence too, because a start needs a snapshot that
      // history has reached (VIEW-45).
      if (batch.events.length === 0) return history.apply(batch);
      invariant(batch.sequence > sequence, 'views are fed each batch once, in order');
      history.apply(batch.moments === undefined ? feedPart(batch) : feedByMoment(batch));
      sequence = batch.sequence;
    },
    save: (): SavedViews => ({
      version: VIEWS_VERSION,
      sequence,
      views: Object.fromEntries(views.map((view) => [view.name, view.save()])),
    }),
    refusal,
    restore: (saved) => {
      invariant(refusal(saved) === undefined, 'views are restored from an accepted save');
      const { sequence: savedSequence, views: savedViews } = saved as SavedViews;
      for (const view of views) view.restore(savedViews[view.name]);
      sequence = savedSequence;
    },
  };
}
