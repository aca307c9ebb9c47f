/**
 * Expected earnings of agents, computed slowly from all fills at the end of each day. It shares no
 * code with the exchange except the events.
 */
import type { Event, EventOf } from '../src/messages/events.ts';
import type { FillRow } from '../src/messages/orders.ts';

const UNIT = 10n ** 10n;
const DAY = 86_400_000;

interface InstrumentSpec {
  readonly spot: bigint;
  readonly futures: bigint;
  readonly share: bigint;
}
interface Grant {
  readonly uid: number;
  readonly coin: string;
  readonly kind: string;
  readonly at: number;
  left: bigint;
}
interface RecordedFill {
  readonly at: number;
  readonly fill: FillRow;
}

export interface NaiveRow {
  readonly agent: number;
  readonly upper: number | undefined;
  readonly uid: number;
  readonly day: number;
  readonly name: string;
  readonly dealAmount: bigint;
  readonly fee: bigint;
  readonly deducted: Readonly<Record<string, bigint>>;
  readonly feePaid: bigint;
  readonly rebate: bigint;
  readonly share: bigint;
  dayTotal: bigint;
  total: bigint;
}

const isSpot = ({ category }: FillRow): boolean => category === 'SPOT' || category === 'MARGIN';
const paysWith = (kind: string, spot: boolean): boolean =>
  kind.startsWith('spot') ? spot : kind === 'futuresCoupon' ? !spot : true;

export class NaiveCommissions {
  readonly rows: NaiveRow[] = [];
  readonly fills: RecordedFill[] = [];
  readonly refunds: { readonly uid: number; readonly coin: string; readonly amount: bigint }[] = [];
  readonly #agents = new Map<number, InstrumentSpec>();
  readonly #codes = new Map<string, number>();
  readonly #agentOf = new Map<number, number>();
  readonly #masters = new Map<number, number>();
  readonly #grants: Grant[] = [];

  /** `at` is the time of the transaction; an end of day carries its own time. */
  update(event: Event, at: number): void {
    if (event.type === 'agentMade') this.#applyAgent(event);
    if (event.type === 'userCreated') this.#applyUser(event);
    if (event.type === 'feeCreditGranted') this.#applyCredit(event, at);
    if (event.type === 'fillSettled') this.fills.push({ at, fill: event.fill });
    if (event.type === 'settlementDayEnded') this.#endDay(event.day);
  }

  #applyAgent({ agent }: EventOf<'agentMade'>): void {
    this.#agents.set(agent.uid, {
      spot: agent.spotRatio,
      futures: agent.futuresRatio,
      share: agent.userShare,
    });
    this.#codes.set(agent.referralCode, agent.uid);
  }

  #applyUser({ user }: EventOf<'userCreated'>): void {
    const master = user.parentUid ?? user.uid;
    this.#masters.set(user.uid, master);
    const agent = this.#codes.get(user.referralCode ?? '');
    if (agent !== undefined && !this.#earnsFrom(master).has(this.#masters.get(agent)!))
      this.#agentOf.set(user.uid, agent);
  }

  /** All users from whom this master earns: the master, and every customer below. */
  #earnsFrom(master: number): ReadonlySet<number> {
    const below = new Set([master]);
    for (let grown = true; grown; ) {
      grown = false;
      for (const [uid, agent] of this.#agentOf) {
        const customer = this.#masters.get(uid)!;
        if (below.has(this.#masters.get(agent)!) && !below.has(customer)) {
          below.add(customer);
          grown = true;
        }
      }
    }
    return below;
  }

  #applyCredit({ uid, coin, kind, amount }: EventOf<'feeCreditGranted'>, at: number): void {
    this.#grants.push({ uid, coin, kind, at, left: amount });
  }

  #endDay(day: number): void {
    const counted = this.fills.filter(
      ({ at, fill }) =>
        at >= day && at < day + DAY && !fill.selfTrade && fill.executionKind === 'normal',
    );
    const uids = [...new Set(counted.map(({ fill }) => fill.uid as number))];
    for (const uid of uids) {
      const own = counted.map(({ fill }) => fill).filter((fill) => fill.uid === uid);
      const names = [
        ...new Set(own.map((fill) => `${fill.feeCoin} ${fill.category} ${fill.symbol}`)),
      ];
      const rows = names.map((name) =>
        this.#row(
          uid,
          day,
          name,
          own.filter((fill) => `${fill.feeCoin} ${fill.category} ${fill.symbol}` === name),
        ),
      );
      this.#keep(rows.filter(({ rebate }) => rebate > 0n));
    }
  }

  #row(uid: number, day: number, name: string, fills: readonly FillRow[]): NaiveRow {
    const spot = isSpot(fills[0]!);
    const coin = fills[0]!.feeCoin;
    const fee = fills.reduce((sum, each) => sum + each.fee, 0n);
    const deducted: Record<string, bigint> = {};
    let feePaid = fee;
    for (const grant of this.#grants.filter(
      (each) => each.uid === uid && each.coin === coin && each.at < day + DAY,
    )) {
      if (!paysWith(grant.kind, spot)) continue;
      const used = grant.left < feePaid ? grant.left : feePaid;
      grant.left -= used;
      feePaid -= used;
      if (used > 0n) deducted[grant.kind] = (deducted[grant.kind] ?? 0n) + used;
    }
    if (fee > feePaid) this.refunds.push({ uid, coin, amount: fee - feePaid });
    const agent = this.#agentOf.get(uid);
    const spec =
      agent === undefined ? { spot: 0n, futures: 0n, share: 0n } : this.#agents.get(agent)!;
    const rebate = (feePaid * (spot ? spec.spot : spec.futures)) / UNIT;
    return {
      agent: agent ?? 0,
      upper: agent === undefined ? undefined : this.#agentOf.get(agent),
      uid,
      day,
      name,
      dealAmount: fills.reduce((sum, each) => sum + each.value, 0n),
      fee,
      deducted,
      feePaid,
      rebate,
      share: (rebate * spec.share) / UNIT,
      dayTotal: 0n,
      total: 0n,
    };
  }

  #keep(rows: readonly NaiveRow[]): void {
    this.rows.push(...rows);
    const coinOf = ({ name }: NaiveRow): string => name.split(' ')[0]!;
    const totalOf = (list: readonly NaiveRow[]): bigint =>
      list.reduce((sum, { rebate }) => sum + rebate, 0n);
    for (const row of rows) {
      row.dayTotal = totalOf(rows.filter((each) => coinOf(each) === coinOf(row)));
      row.total = totalOf(
        this.rows.filter((each) => each.uid === row.uid && coinOf(each) === coinOf(row)),
      );
    }
  }
}
