/** Open withdrawals and their progress. Ended ones are passed to history. */
import type { Id, Uid } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import { type Amount, minus, plus, ZERO_AMOUNT } from '../kernel/money.ts';
import { startOfDayUtc, type Timestamp } from '../kernel/time.ts';
import type { WithdrawalStage } from '../messages/vocabulary.ts';
import type { WithdrawalEnd, WithdrawalProgress, WithdrawalRow } from '../messages/withdrawals.ts';
import type { RecordedEvent } from './history/recorded-events.ts';
import type { WithdrawalRecord } from './records.ts';
import type { Listeners, View } from './view.ts';

export interface WithdrawalQueries {
  find(orderId: Id): WithdrawalRecord | undefined;
  /** Open withdrawals, oldest first; of one user if given. */
  pending(uid?: Uid): readonly WithdrawalRecord[];
  /** Open withdrawals of one stage, oldest first. */
  inStage(stage: WithdrawalStage): readonly WithdrawalRecord[];
  isHalted(coin: string): boolean;
  /** Coins whose withdrawals are switched off. */
  halted(): readonly string[];
  /** Known reserves, for monitored coins. */
  reserves(): ReadonlyMap<string, Amount>;
  /** The part of a user's daily limit in use on the day of `now`, in USD. */
  usedToday(uid: Uid, now: Timestamp): Amount;
}

interface Saved {
  readonly records: Map<Id, WithdrawalRecord>;
  readonly halted: Set<string>;
  readonly reserves: Map<string, Amount>;
  readonly used: Map<Uid, { readonly day: Timestamp; readonly usd: Amount }>;
}

const nothingSaved = (): Saved => ({
  records: new Map(),
  halted: new Set(),
  reserves: new Map(),
  used: new Map(),
});

const endedBy = (
  before: WithdrawalRecord,
  { status, failure, confirmations, hash }: WithdrawalEnd,
  at: Timestamp,
): WithdrawalRecord => ({
  ...before,
  progress: { ...before.progress, confirmations, ...(hash === undefined ? {} : { hash }) },
  status,
  ...(failure === undefined ? {} : { failure }),
  updatedAt: at,
});

export class WithdrawalsView implements View<'withdrawals'>, WithdrawalQueries {
  readonly name = 'withdrawals';
  #now = nothingSaved();
  #byUser = new Map<Uid, Set<Id>>();
  #byStage = new Map<WithdrawalStage, Set<Id>>();
  readonly #record: (ended: RecordedEvent) => void;

  /** `record` receives every ended withdrawal. */
  constructor(record: (ended: RecordedEvent) => void) {
    this.#record = record;
  }

  readonly on: Listeners<'withdrawals'> = {
    withdrawalRequested: ({ withdrawal: row, progress }, at) => {
      this.#add({ row, progress, status: 'pending', createdAt: at, updatedAt: at });
      this.#use(row, startOfDayUtc(at), row.usd ?? ZERO_AMOUNT);
    },
    withdrawalMoved: ({ orderId, progress }, at) => this.#move(orderId, progress, at),
    withdrawalEnded: ({ end }, at) => this.#end(end, at),
    withdrawalsSwitched: ({ on, coin }) => {
      if (on) this.#now.halted.delete(coin);
      else this.#now.halted.add(coin);
    },
    reserveSet: ({ coin, amount }) => {
      if (amount === undefined) this.#now.reserves.delete(coin);
      else this.#now.reserves.set(coin, amount);
    },
  };

  save(): unknown {
    const { records, halted, reserves, used } = this.#now;
    return {
      records: new Map(records),
      halted: new Set(halted),
      reserves: new Map(reserves),
      used: new Map(used),
    } satisfies Saved;
  }

  restore(saved: unknown): void {
    const { records, halted, reserves, used } = saved as Saved;
    this.#now = {
      records: new Map(),
      halted: new Set(halted),
      reserves: new Map(reserves),
      used: new Map(used),
    };
    this.#byUser = new Map();
    this.#byStage = new Map();
    for (const record of records.values()) this.#add(record);
  }

  find(orderId: Id): WithdrawalRecord | undefined {
    return this.#now.records.get(orderId);
  }

  pending(uid?: Uid): readonly WithdrawalRecord[] {
    const { records } = this.#now;
    return uid === undefined ? [...records.values()] : this.#named(this.#byUser.get(uid));
  }

  inStage(stage: WithdrawalStage): readonly WithdrawalRecord[] {
    // The set is in order of arrival, which a snapshot does not store, so sort.
    return this.#named(this.#byStage.get(stage)).toSorted(
      (left, right) => left.row.orderId - right.row.orderId,
    );
  }

  isHalted(coin: string): boolean {
    return this.#now.halted.has(coin);
  }

  halted(): readonly string[] {
    return [...this.#now.halted];
  }

  reserves(): ReadonlyMap<string, Amount> {
    return this.#now.reserves;
  }

  usedToday(uid: Uid, now: Timestamp): Amount {
    const used = this.#now.used.get(uid);
    return used?.day === startOfDayUtc(now) ? used.usd : ZERO_AMOUNT;
  }

  #named(ids: ReadonlySet<Id> | undefined): readonly WithdrawalRecord[] {
    return [...(ids ?? [])].map((id) => this.#now.records.get(id)!);
  }

  #add(record: WithdrawalRecord): void {
    const { orderId, uid } = record.row;
    this.#now.records.set(orderId, record);
    const own = this.#byUser.get(uid) ?? new Set();
    this.#byUser.set(uid, own.add(orderId));
    this.#enter(orderId, record.progress.stage);
  }

  #enter(orderId: Id, stage: WithdrawalStage): void {
    const ids = this.#byStage.get(stage) ?? new Set();
    this.#byStage.set(stage, ids.add(orderId));
  }

  #known(orderId: Id): WithdrawalRecord {
    const record = this.#now.records.get(orderId);
    invariant(record !== undefined, "an event's withdrawal is open");
    return record;
  }

  #move(orderId: Id, progress: WithdrawalProgress, at: Timestamp): void {
    const before = this.#known(orderId);
    this.#byStage.get(before.progress.stage)?.delete(orderId);
    this.#enter(orderId, progress.stage);
    this.#now.records.set(orderId, { ...before, progress, updatedAt: at });
  }

  #end(end: WithdrawalEnd, at: Timestamp): void {
    const before = this.#known(end.orderId);
    const { row, progress, createdAt } = before;
    this.#now.records.delete(end.orderId);
    this.#byStage.get(progress.stage)?.delete(end.orderId);
    const own = this.#byUser.get(row.uid);
    own?.delete(end.orderId);
    if (own?.size === 0) this.#byUser.delete(row.uid);
    if (end.status === 'failed')
      this.#use(row, startOfDayUtc(createdAt), minus(ZERO_AMOUNT, row.usd ?? ZERO_AMOUNT));
    if (end.status === 'completed' && end.arrivedHere !== true) this.#takeFromReserve(row);
    this.#record({ type: 'withdrawalRecorded', record: endedBy(before, end, at) });
  }

  /** Counts on the day of the request; on a later day there is nothing to give back. */
  #use({ uid, route }: WithdrawalRow, day: Timestamp, usd: Amount): void {
    if (route === 'internal') return;
    const used = this.#now.used.get(uid);
    if (used?.day === day) this.#now.used.set(uid, { day, usd: plus(used.usd, usd) });
    else if (usd > 0n) this.#now.used.set(uid, { day, usd });
  }

  #takeFromReserve({ coin, sent, route }: WithdrawalRow): void {
    const reserve = this.#now.reserves.get(coin);
    if (reserve === undefined || route === 'internal') return;
    this.#now.reserves.set(coin, sent > reserve ? ZERO_AMOUNT : minus(reserve, sent));
  }
}
