/** Compares what the end of a settlement day pays and changes: commissions, refunds and levels. */
import { firstFees } from '../../src/formulas/fees.ts';
import { startOfSettlementDay, type Timestamp } from '../../src/kernel/time.ts';
import type { EventOf } from '../../src/messages/events.ts';
import type { Level } from '../../src/messages/vocabulary.ts';
import { type DeskUser, LEVEL_NAMES, walletOf } from '../exchange/naive-desk-state.ts';
import { earnedLevel } from '../exchange/naive-levels.ts';
import { ceiling, UNIT } from '../exchange/whole-units.ts';
import { same } from './lockstep-compare.ts';
import type { DeskLockstep } from './lockstep-desk.ts';

const DAY = 86_400_000;

export class DeskDays {
  readonly fees = firstFees();
  /** Start of the settlement day that has not ended. */
  day: number;
  readonly #lockstep: DeskLockstep;
  #rows = 0;
  #refunds = 0;
  /** Level that each master earned on the last ended day; empty once the engine has applied it. */
  #earned = new Map<number, number>();

  constructor(lockstep: DeskLockstep, begin: Timestamp) {
    this.#lockstep = lockstep;
    this.day = startOfSettlementDay(begin);
  }

  checkRefund(lines: EventOf<'entryPosted'>['lines']): void {
    for (const { uid, coin, amount } of lines) {
      if (uid === undefined) continue;
      const expected = this.#lockstep.commissions.refunds[this.#refunds++];
      same('refund', [uid, coin, amount], [expected?.uid, expected?.coin, expected?.amount]);
      walletOf(this.#user(uid), coin).available += amount;
      this.#lockstep.count('fees refunded');
    }
  }

  checkCommission({ commission }: EventOf<'commissionPaid'>): void {
    const row = this.#lockstep.commissions.rows[this.#rows++];
    const {
      agentUid,
      uid,
      day,
      coin,
      category,
      symbol,
      fee,
      feePaid,
      rebate,
      customerShare,
      dayTotal,
      total,
    } = commission;
    const engine = [
      agentUid,
      uid,
      day,
      `${coin} ${category} ${symbol}`,
      fee,
      feePaid,
      rebate,
      customerShare,
      dayTotal,
      total,
    ];
    const naive = row && [
      row.agent,
      row.uid,
      row.day,
      row.name,
      row.fee,
      row.feePaid,
      row.rebate,
      row.share,
      row.dayTotal,
      row.total,
    ];
    same('commission', engine, naive ?? []);
    walletOf(this.#user(agentUid), coin).available += rebate - customerShare;
    walletOf(this.#user(uid), coin).available += customerShare;
    this.#lockstep.count('commissions');
  }

  checkLevel({ uid, level }: EventOf<'levelChanged'>): void {
    const user = this.#user(uid);
    const before = user.level;
    same(`level of ${uid} changes after a day`, [this.#earned.size > 0], [true]);
    user.level = LEVEL_NAMES.indexOf(level);
    this.#lockstep.count(user.level > before ? 'level risen' : 'level fallen');
  }

  /** A sub-account starts with its master's level, or with a higher one that it was given. */
  checkFirstLevel({ user: { uid, level } }: EventOf<'userCreated'>): void {
    const user = this.#user(uid);
    const master = this.#user(user.master);
    user.level = Math.max(user.given, master === user ? 0 : master.level);
    same(`first level of ${uid}`, [level], [LEVEL_NAMES[user.level]]);
  }

  endDay(day: number): void {
    same('day', [day], [this.day]);
    this.day += DAY;
    this.#earned = new Map();
    this.#computeLevels();
    this.#lockstep.count('days');
  }

  /**
   * Uses balances and fills at the end of the day, even if the engine processes the account later.
   */
  #computeLevels(): void {
    const { fills } = this.#lockstep.commissions;
    for (const { uid, master } of this.#lockstep.desk.users) {
      if (uid !== master) continue;
      const users = this.#lockstep.desk.users.filter((each) => each.master === master);
      this.#earned.set(
        master,
        earnedLevel({ users, fills, indexOf: (coin) => this.#lockstep.indexOf(coin) }, this.day),
      );
    }
  }

  /** The rate of the level at the time of the fill. */
  checkFee({ fill }: EventOf<'fillSettled'>): void {
    const { uid, category, role, value, size, side, fee, symbol, executionKind } = fill;
    // The close of an inverse contract pays by its entry value, which fills do not show.
    if (executionKind !== 'normal' || category === 'COIN-FUTURES') return;
    const isFuture = category.endsWith('FUTURES');
    const rate =
      this.fees[isFuture ? 'futures' : 'spot'][LEVEL_NAMES[this.#user(uid).level] as Level][role];
    const charged = !isFuture && side === 'buy' ? size : value;
    same(`fee of ${uid} in ${symbol} ${category}`, [fee], [ceiling(charged * rate, UNIT)]);
  }

  compareLevels(): void {
    same('rows', [this.#rows], [this.#lockstep.commissions.rows.length]);
    same('refunds', [this.#refunds], [this.#lockstep.commissions.refunds.length]);
    for (const { uid, master, given, level } of this.#lockstep.desk.users) {
      const earned = this.#earned.get(master);
      if (earned === undefined) continue;
      same(
        `level of ${uid} under ${master}`,
        [level],
        [Math.max(earned, given, this.#user(master).given)],
      );
    }
    // No level may change before the next end of a day.
    this.#earned = new Map();
  }

  #user(uid: number): DeskUser {
    return this.#lockstep.desk.userOf(uid)!;
  }
}
