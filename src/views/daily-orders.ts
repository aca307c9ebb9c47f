/** The thresholds of the daily number of orders, and the accounts that reached one today (UTC). */
import type { Uid } from '../kernel/ids.ts';
import { startOfDayUtc, type Timestamp } from '../kernel/time.ts';
import type { EventOf } from '../messages/events.ts';
import type { Listeners, View } from './view.ts';

/** Only the newest are shown; older ones were visible before. */
const REACHED_MAX = 1_000;

export interface ReachedThreshold {
  readonly uid: Uid;
  readonly threshold: 'warn' | 'restrict';
  readonly count: number;
  readonly at: Timestamp;
}

export interface DailyOrderQueries {
  thresholds(): { readonly warn?: number; readonly restrict?: number };
  /** For the UTC day of `now`, newest first. */
  reached(now: Timestamp): readonly ReachedThreshold[];
}

interface SavedDailyOrders {
  readonly thresholds: { readonly warn?: number; readonly restrict?: number };
  readonly reached: readonly ReachedThreshold[];
}

export class DailyOrdersView implements View<'dailyOrders'>, DailyOrderQueries {
  readonly name = 'dailyOrders';
  #now: SavedDailyOrders = { thresholds: {}, reached: [] };

  readonly on: Listeners<'dailyOrders'> = {
    dailyOrdersReached: (event, at) => this.#reach(event, at),
    dailyOrdersSet: ({ type: _type, ...thresholds }) => {
      this.#now = { ...this.#now, thresholds };
    },
  };

  save(): SavedDailyOrders {
    return this.#now;
  }

  restore(saved: unknown): void {
    this.#now = saved as SavedDailyOrders;
  }

  thresholds(): SavedDailyOrders['thresholds'] {
    return this.#now.thresholds;
  }

  reached(now: Timestamp): readonly ReachedThreshold[] {
    return this.#now.reached.filter(({ at }) => startOfDayUtc(at) === startOfDayUtc(now));
  }

  #reach({ uid, threshold, count }: EventOf<'dailyOrdersReached'>, at: Timestamp): void {
    const today = this.reached(at).slice(0, REACHED_MAX - 1);
    this.#now = { ...this.#now, reached: [{ uid, threshold, count, at }, ...today] };
  }
}
