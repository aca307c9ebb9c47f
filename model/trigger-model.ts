/**
 * Triggers by the rules, checked one by one. It reads the exchange's events and determines which
 * trigger fires next. Plain numbers are exact here, because prices are whole and rates are
 * hundredths of a percent.
 */
import type { Id } from '../src/kernel/ids.ts';
import { moneyText } from '../src/kernel/money.ts';
import type { Event } from '../src/messages/events.ts';
import type { TriggerRow } from '../src/messages/triggers.ts';
import type { PriceSource } from '../src/messages/vocabulary.ts';

interface Waiting {
  readonly id: Id;
  readonly source: PriceSource;
  readonly at: number;
  readonly rises: boolean;
  readonly sells: boolean;
  /** In hundredths of a percent. */
  readonly callback: number | undefined;
  best: number | undefined;
}

const number = (value: bigint): number => Number(moneyText(value as never));

export class NaiveTriggers {
  readonly prices: Record<PriceSource, number> = { last: 0, mark: 0, index: 0 };
  readonly #waiting = new Map<Id, Waiting>();
  readonly #line: Id[] = [];
  fired = 0;

  /** Applies all events of one command in order; returns the violations. */
  update(events: readonly Event[]): string[] {
    return events.flatMap((event) => this.#update(event));
  }

  get inLine(): number {
    return this.#line.length;
  }

  get live(): number {
    return this.#waiting.size + this.#line.length;
  }

  #update(event: Event): string[] {
    switch (event.type) {
      case 'tradeExecuted':
        return this.#price('last', number(event.price));
      case 'markPriceMoved':
        return event.symbol === 'BTCUSDT' ? this.#price('mark', number(event.price)) : [];
      case 'indexPriceMoved':
        return this.#price('index', number(event.price));
      case 'triggerPlaced':
      case 'triggerChanged':
        return this.#place(event.trigger);
      case 'triggerFired':
      case 'triggerFailed':
        return this.#fire(event.triggerId);
      case 'triggerCancelled':
        return this.#remove(event.triggerId)
          ? []
          : [`${event.triggerId} was cancelled and is not active`];
      default:
        return [];
    }
  }

  #place(row: TriggerRow): string[] {
    this.#waiting.delete(row.triggerId);
    const at = number(row.triggerPrice);
    const now = this.prices[row.source];
    const gains = row.kind === 'takeProfit' || row.kind === 'positionTakeProfit';
    const fixed = gains || row.kind === 'stopLoss' || row.kind === 'positionStopLoss';
    const rises = fixed ? gains === (row.positionSide === 'long') : at >= now;
    const callback =
      row.callbackRate === undefined ? undefined : Math.round(number(row.callbackRate) * 100);
    const reached = rises ? now >= at : now <= at;
    const one: Waiting = {
      id: row.triggerId,
      source: row.source,
      at,
      rises,
      sells: row.side === 'sell',
      callback,
      best: reached ? now : undefined,
    };
    if (reached && callback === undefined) this.#line.push(row.triggerId);
    else this.#waiting.set(row.triggerId, one);
    return [];
  }

  #fire(id: Id): string[] {
    const next = this.#line.shift();
    this.fired++;
    return next === id ? [] : [`${id} fired where ${next} was next`];
  }

  #remove(id: Id): boolean {
    const place = this.#line.indexOf(id);
    if (place >= 0) this.#line.splice(place, 1);
    return this.#waiting.delete(id) || place >= 0;
  }

  #price(source: PriceSource, now: number): string[] {
    this.prices[source] = now;
    const met: { readonly id: Id; readonly distance: number }[] = [];
    for (const one of this.#waiting.values()) {
      if (one.source !== source) continue;
      const distance = this.#look(one, now);
      if (distance !== undefined) met.push({ id: one.id, distance });
    }
    met.sort((left, right) => left.distance - right.distance || left.id - right.id);
    for (const { id } of met) {
      this.#waiting.delete(id);
      this.#line.push(id);
    }
    return [];
  }

  /** Position along the price path at which the trigger fires; undefined if it does not. */
  #look(one: Waiting, now: number): number | undefined {
    if (one.callback !== undefined && one.best !== undefined) {
      one.best = one.sells ? Math.max(one.best, now) : Math.min(one.best, now);
      const turn = (one.best * (10_000 + (one.sells ? -one.callback : one.callback))) / 10_000;
      if (one.sells ? now > turn : now < turn) return undefined;
      return one.sells ? -turn : turn;
    }
    if (one.rises ? now < one.at : now > one.at) return undefined;
    if (one.callback === undefined) return one.rises ? one.at : -one.at;
    one.best = now;
    return undefined;
  }
}
