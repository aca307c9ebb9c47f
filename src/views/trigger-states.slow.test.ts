/**
 * Compares the trigger view with a plain list through all trigger states: live, fired with an open
 * order, and passed to history.
 */
import { expect, test } from 'vitest';
import { canonicalBytes, fromCanonicalBytes } from '../kernel/canonical.ts';
import type { ClientOid, Id, Sequence, Uid } from '../kernel/ids.ts';
import type { Amount, Price, Size } from '../kernel/money.ts';
import { type Random, seededRandom } from '../kernel/random.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Event } from '../messages/events.ts';
import type { TriggerRow } from '../messages/triggers.ts';
import type { ExitKind } from '../messages/vocabulary.ts';
import type { RecordedEvent } from './history/recorded-events.ts';
import type { TriggerRecord } from './records.ts';
import { TriggersView } from './triggers.ts';
import { feeding } from './view.ts';

const USERS = [7, 8] as Uid[];
const REFUSAL = { reason: 'insufficientBalance' } as const;
const EXITS: readonly ExitKind[] = ['takeProfit', 'stopLoss'];

/** The expected record of one trigger. */
interface ExpectedTrigger {
  readonly record: TriggerRecord;
  readonly isOrderOpen: boolean;
}

const isEnded = ({ record: { status }, isOrderOpen }: ExpectedTrigger): boolean =>
  status !== 'live' && !isOrderOpen;

class Run {
  readonly expected = new Map<Id, ExpectedTrigger>();
  readonly handed: TriggerRecord[] = [];
  view = this.#newView();
  readonly #random: Random;
  #lastId = 0;
  #sequence = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  #newView(): TriggersView {
    return new TriggersView((ended: RecordedEvent) => {
      if (ended.type === 'triggerRecorded') this.handed.push(ended.record);
    });
  }

  #newId(): Id {
    return ++this.#lastId as Id;
  }

  get #at(): Timestamp {
    return (1_000 + this.#sequence) as Timestamp;
  }

  #some(isMeant: (expected: ExpectedTrigger) => boolean): ExpectedTrigger | undefined {
    const meant = [...this.expected.values()].filter(isMeant);
    return meant.length === 0 ? undefined : this.#random.pick(meant);
  }

  #record(expected: ExpectedTrigger, by: Partial<TriggerRecord>, isOrderOpen = false): void {
    this.expected.set(expected.record.trigger.triggerId, {
      record: { ...expected.record, ...by },
      isOrderOpen,
    });
  }

  /** Makes one change, and often another in the same command. */
  step(): void {
    this.#sequence++;
    const events = Array.from({ length: 1 + this.#random.below(2) }, () => this.#happen()).flat();
    feeding([this.view])({ sequence: this.#sequence as Sequence, at: this.#at, events });
  }

  /** Stops, and restores from the saved state. */
  restart(): void {
    const saved = canonicalBytes(this.view.save());
    this.view = this.#newView();
    this.view.restore(fromCanonicalBytes(saved));
  }

  #happen(): readonly Event[] {
    const live = this.#some(({ record }) => record.status === 'live');
    const working = this.#some(({ isOrderOpen }) => isOrderOpen);
    const what = this.#random.below(6);
    if (what === 0 && working !== undefined)
      return this.#trade(working, this.#random.below(2) === 0);
    if (what === 1) return this.#fills(this.#newId()).events;
    if (live === undefined || what <= 3) return this.#place();
    const { triggerId, uid } = live.record.trigger;
    if (what === 4) return this.#fire(live);
    const refused = this.#random.below(2) === 0;
    this.#record(live, {
      ...(refused
        ? { status: 'failed', refusal: REFUSAL }
        : { status: 'cancelled', cancelReason: 'byUser' }),
      endedAt: this.#at,
    });
    return [
      (refused
        ? { type: 'triggerFailed', triggerId, uid, refusal: REFUSAL }
        : { type: 'triggerCancelled', triggerId, uid, reason: 'byUser' }) as Event,
    ];
  }

  #place(): readonly Event[] {
    const [triggerId, uid] = [this.#newId(), this.#random.pick(USERS)];
    const kind = this.#random.pick(EXITS);
    const place = {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      positionSide: 'long',
      triggerPrice: 1n as Price,
    } as const;
    const trigger = {
      triggerId,
      uid,
      kind,
      clientOid: `${triggerId}` as ClientOid,
      createdAt: this.#at,
      ...place,
    } as TriggerRow;
    this.expected.set(triggerId, {
      record: { trigger, status: 'live', filledSize: 0n as Size, filledValue: 0n as Amount },
      isOrderOpen: false,
    });
    return [{ type: 'triggerPlaced', trigger }];
  }

  /** Emits the order's events, including its fills, before `triggerFired`. */
  #fire(live: ExpectedTrigger): readonly Event[] {
    const { trigger } = live.record;
    const [orderId, isDone] = [this.#newId(), this.#random.below(2) === 0];
    const { events, filledSize, filledValue } = this.#fills(orderId);
    this.#record(
      live,
      { status: 'fired', orderId, filledSize, filledValue, endedAt: this.#at },
      !isDone,
    );
    const fired: Event = {
      type: 'triggerFired',
      triggerId: trigger.triggerId,
      uid: trigger.uid,
      orderId,
    };
    return [...events, ...(isDone ? [orderEnded(orderId)] : []), fired];
  }

  #trade(working: ExpectedTrigger, isDone: boolean): readonly Event[] {
    const { orderId, filledSize, filledValue } = working.record;
    const more = this.#fills(orderId!);
    const sums = {
      filledSize: (filledSize + more.filledSize) as Size,
      filledValue: (filledValue + more.filledValue) as Amount,
    };
    this.#record(working, sums, !isDone);
    return [...more.events, ...(isDone ? [orderEnded(orderId!)] : [])];
  }

  #fills(orderId: Id) {
    const sizes = Array.from({ length: this.#random.below(3) }, () =>
      BigInt(1 + this.#random.below(9)),
    );
    const events = sizes.map(
      (size) =>
        ({ type: 'fillSettled', fill: { orderId, size, value: size * 3n } }) as unknown as Event,
    );
    const filledSize = sizes.reduce((sum, size) => sum + size, 0n) as Size;
    return { events, filledSize, filledValue: (filledSize * 3n) as unknown as Amount };
  }
}

const orderEnded = (orderId: Id): Event =>
  ({ type: 'orderEnded', end: { orderId } }) as unknown as Event;

const byId = (records: readonly TriggerRecord[]): readonly TriggerRecord[] =>
  records.toSorted((one, other) => one.trigger.triggerId - other.trigger.triggerId);

function expectMatch({ view, expected, handed }: Run): void {
  const all = [...expected.values()];
  expect(byId(handed)).toEqual(all.filter(isEnded).map(({ record }) => record));
  const working = all.filter(({ isOrderOpen }) => isOrderOpen).map(({ record }) => record);
  expect(view.working(undefined)).toEqual(working);
  for (const uid of USERS) {
    const own = ({ trigger }: TriggerRecord): boolean => trigger.uid === uid;
    const live = all.flatMap(({ record }) =>
      record.status === 'live' && own(record) ? [record] : [],
    );
    expect(view.live(uid)).toEqual(live);
    expect(view.working(uid)).toEqual(working.filter(own));
    const oldest = (kind: ExitKind) =>
      live.find(({ trigger }) => trigger.kind === kind)?.trigger.triggerId;
    const { takeProfit, stopLoss } = view.tpsl(uid)({
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      side: 'long',
    });
    expect([takeProfit?.triggerId, stopLoss?.triggerId]).toEqual([
      oldest('takeProfit'),
      oldest('stopLoss'),
    ]);
    for (const each of all)
      expect(view.find(uid, each.record.trigger.triggerId)).toEqual(
        own(each.record) && !isEnded(each) ? each.record : undefined,
      );
  }
}

test.each([1, 2, 3])(
  '[TRG-46][VIEW-03] each is live, then working, then in history once, over many restarts (%i)',
  (seed) => {
    const run = new Run(seed);
    for (let step = 0; step < 120; step++) {
      run.step();
      if (step % 7 === 0) run.restart();
      expectMatch(run);
    }
    expect(run.handed.filter(({ status }) => status === 'fired').length).toBeGreaterThan(3);
  },
);
