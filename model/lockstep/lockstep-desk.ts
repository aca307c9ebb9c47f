/**
 * Runs the engine and the naive desk side by side. The desk receives results of trading and
 * computes deposits and withdrawals itself.
 */

import { WORK_PORTIONS, type WorkPortions } from '../../src/core/derived/work-portions.ts';
import type { Engine, Executed } from '../../src/core/engine.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { startOfSettlementDay, type Timestamp } from '../../src/kernel/time.ts';
import { DEFAULT_INSTRUMENTS } from '../../src/listings/default-instruments.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { Event, EventOf } from '../../src/messages/events.ts';
import type { Instrument } from '../../src/messages/listings.ts';
import type { Level } from '../../src/messages/vocabulary.ts';
import type { WithdrawalProgress } from '../../src/messages/withdrawals.ts';
import type { HistoryQueries } from '../../src/views/history/tables.ts';
import type { Views } from '../../src/views/views.ts';
import { maxWithdrawal } from '../../src/views/withdrawal-limits.ts';
import { NaiveCommissions } from '../commission-model.ts';
import { type Answer, type DeskDeposit, NaiveDesk } from '../exchange/naive-desk.ts';
import {
  type DeskOrder,
  type DeskUser,
  dailyLimit,
  LEVEL_NAMES,
  walletOf,
} from '../exchange/naive-desk-state.ts';
import {
  type Account,
  type CrossedPosition,
  mostThatLeaves,
  usesMargin,
} from '../exchange/naive-leaving.ts';
import { floor, min, shown, UNIT } from '../exchange/whole-units.ts';
import { same } from './lockstep-compare.ts';
import { crossedPositionOf, naiveTiers } from './lockstep-desk-contracts.ts';
import { DeskDays } from './lockstep-desk-days.ts';
import { isLeftOfDay, isOwn, OWN_REASONS } from './lockstep-desk-events.ts';
import { DeskJournal } from './lockstep-desk-journal.ts';
import { CONTRACTS, deskCoin, FIRST_COINS, MOVED } from './lockstep-desk-world.ts';
import type { Counters } from './lockstep-run.ts';

const BEGIN = 1_735_689_600_000;

/** One row and one level per command, so that the end of a day takes many commands. */
const SMALLEST: WorkPortions = { ...WORK_PORTIONS, pendingCharges: 1, commissions: 1, levels: 1 };

/** A withdrawal as events describe it. */
interface EmittedEvents {
  stage: string;
  confirmations: number;
  hash: string | undefined;
  approvals: number;
  failure: string | undefined;
}

export class DeskLockstep {
  readonly desk: NaiveDesk;
  readonly commissions = new NaiveCommissions();
  readonly counters: Counters;
  isMarketOn = false;
  /** Contracts with a pinned mark. */
  readonly pinned = new Set<string>();
  /** By symbol, from the last listing. */
  readonly tiers: Record<string, CrossedPosition['tiers']> = {};
  readonly #portions: WorkPortions;
  readonly #journal: DeskJournal;
  readonly #emitted = new Map<number, EmittedEvents>();
  readonly #touched = new Set<number>();
  readonly #days: DeskDays;

  constructor(seed: number, counters: Counters) {
    this.counters = counters;
    this.#portions = seed % 2 === 0 ? WORK_PORTIONS : SMALLEST;
    this.#journal = new DeskJournal(this.#portions);
    this.desk = new NaiveDesk(BEGIN, (user) => this.accountOf(user));
    this.#days = new DeskDays(this, BEGIN as Timestamp);
    for (const coin of FIRST_COINS) {
      this.run({ type: 'listCoin', coin });
      this.desk.coins[coin.coin] = deskCoin(coin);
    }
    for (const instrument of DEFAULT_INSTRUMENTS) this.list(instrument);
  }

  get engine(): Engine {
    return this.#journal.engine;
  }

  get views(): Views {
    return this.#journal.views;
  }

  get history(): HistoryQueries {
    return this.#journal.history;
  }

  list(instrument: Instrument): void {
    const { symbol, category, tiers } = instrument;
    if (CONTRACTS.some((each) => each.symbol === symbol && each.category === category))
      this.tiers[symbol] = naiveTiers(tiers);
    this.run({ type: 'listInstrument', instrument });
  }

  count(name: string): void {
    this.counters[name] = (this.counters[name] ?? 0) + 1;
  }

  /** The account of a user; positions and order margins come from the engine. */
  accountOf(user: DeskUser): Account {
    const { state } = this.engine;
    const held = [...(state.positions.get(user.uid as Uid)?.values() ?? [])].filter(
      ({ marginMode }) => marginMode === 'crossed',
    );
    return {
      user,
      orders: this.desk.orders,
      coins: this.desk.coins,
      indexes: this.desk.indexes,
      positions: held.map((position) => crossedPositionOf(this, position)),
      stale: this.isMarketOn ? this.desk.stale() : [],
      margins: Object.fromEntries(state.orderMargins.get(user.uid as Uid) ?? []),
      takerFee: this.#days.fees.futures[LEVEL_NAMES[user.level] as Level].taker,
    };
  }

  /** Executes a command and applies its events; with `compute`, compares the answers. */
  run(command: Command, compute?: () => Answer): Executed {
    // Ends a due day first, so that its events cannot mix with those of the command.
    if (compute !== undefined && startOfSettlementDay(this.desk.now as Timestamp) > this.#days.day)
      this.run({ type: 'tick' });
    const executed = this.#journal.execute(command, this.desk.now as Timestamp);
    const { events } = executed;
    const own = events.findIndex((event) =>
      executed.outcome.ok ? isOwn(event) : isLeftOfDay(event),
    );
    const until = own === -1 ? events.length : own;
    this.#update(executed, 0, until);
    if (compute !== undefined) this.#compareAnswer(command, executed, compute());
    this.#update(executed, until, events.length);
    this.#compare();
    return executed;
  }

  #compareAnswer(command: Command, { outcome }: Executed, answer: Answer): void {
    const engine = outcome.ok ? 'accepted' : outcome.refusal.reason;
    const what = () =>
      `${command.type} ${JSON.stringify(command, (_, value) => (typeof value === 'bigint' ? `${value}` : value))}`;
    same(
      `at ${this.desk.now} ${what()}`,
      [engine],
      [typeof answer === 'object' ? 'accepted' : answer],
    );
    if (typeof answer === 'object') {
      const { orderId, clientOid = answer.clientOid } = (
        outcome as unknown as { value: { orderId: number; clientOid?: string } }
      ).value;
      if (answer.id === 0) this.#name(answer, orderId, clientOid);
      else this.count('request repeated');
      same(what(), [orderId, clientOid], [answer.id, answer.clientOid]);
    }
    this.count(`${command.type} ${engine}`);
    if (command.type === 'requestWithdrawal' || command.type === 'transferToUser')
      this.#countMargined(command.uid, engine);
  }

  #countMargined(uid: number, answer: string): void {
    const user = this.desk.userOf(uid);
    const account = user && this.accountOf(user);
    if (
      account === undefined ||
      !usesMargin(account) ||
      (answer !== 'accepted' && answer !== 'insufficientBalance')
    )
      return;
    const { stale, positions } = account;
    const why = positions.some(({ isFrozen }) => isFrozen)
      ? 'frozen'
      : stale.length > 0
        ? 'stale'
        : 'known';
    this.count(`margined ${why} ${answer}`);
    if (positions.some(({ inverse }) => inverse))
      this.count(`margined by an inverse contract ${answer}`);
  }

  /** A generated client id must be unused. */
  #name(order: DeskOrder | DeskDeposit, id: number, clientOid: string): void {
    const taken = this.desk.orders.some(
      (each) => each !== order && each.uid === order.uid && each.clientOid === clientOid,
    );
    if ('coin' in order) same(`name ${clientOid} is taken`, [taken], [false]);
    if (order.clientOid === '' && clientOid.endsWith('_'))
      this.count('generated client id changed');
    order.id = id;
    if (order.clientOid === '') order.clientOid = clientOid;
  }

  #applyDebt({ uid, coin, borrowed, interest, exemptPrincipal }: EventOf<'debtChanged'>): void {
    this.#user(uid).debts[coin] = {
      loan: borrowed,
      interest,
      margined: borrowed - (exemptPrincipal ?? 0n),
    };
  }

  #update({ events, moments = [], at }: Executed, from: number, until: number): void {
    for (let place = from; place < until; place++) {
      const event = events[place]!;
      this.commissions.update(event, moments.findLast((each) => each.from <= place)?.at ?? at);
      if (event.type === 'entryPosted') this.#applyEntry(event);
      if (event.type === 'debtChanged') this.#applyDebt(event);
      if (event.type === 'isolatedDebtChanged')
        this.#user(event.uid).pairDebts[`${event.symbol} ${event.coin}`] = {
          loan: event.borrowed,
          interest: event.interest,
        };
      if (event.type === 'settlementDayEnded') this.#days.endDay(event.day);
      if (event.type === 'userCreated') this.#days.checkFirstLevel(event);
      if (event.type === 'feesSet') this.#days.fees[event.market] = event.table;
      if (event.type === 'levelChanged') this.#days.checkLevel(event);
      if (event.type === 'commissionPaid') this.#days.checkCommission(event);
      if (event.type === 'fillSettled') this.#days.checkFee(event);
      this.#applyWithdrawal(event);
    }
  }

  #user(uid: number): DeskUser {
    return this.desk.userOf(uid)!;
  }

  #applyEntry({ reason, lines }: EventOf<'entryPosted'>): void {
    if (reason === 'feeRefund') return this.#days.checkRefund(lines);
    if (OWN_REASONS.includes(reason)) return;
    for (const { uid, coin, account, amount } of lines) {
      if (uid === undefined) continue;
      const wallet = walletOf(this.#user(uid), coin);
      const part =
        account === 'isolated' || account === 'isolatedLocked'
          ? 'apart'
          : (account as 'available' | 'locked' | 'margin');
      wallet[part] += amount;
    }
  }

  indexOf(coin: string): bigint {
    return coin === 'USDT' || coin === 'USDC' ? UNIT : (this.desk.indexes[coin] ?? 0n);
  }

  #applyWithdrawal(event: Event): void {
    if (event.type === 'withdrawalRequested') {
      const { orderId } = event.withdrawal;
      this.#emitted.set(orderId, {
        stage: '',
        confirmations: 0,
        hash: undefined,
        approvals: 0,
        failure: undefined,
      });
      this.#move(orderId, event.progress);
    }
    if (event.type === 'depositCredited') this.#applyDeposit(event);
    if (event.type === 'withdrawalMoved') this.#move(event.orderId, event.progress);
    if (event.type !== 'withdrawalEnded') return;
    const { orderId, status, failure, confirmations, hash } = event.end;
    const emitted = this.#emitted.get(orderId)!;
    if (emitted.stage === 'completed' || emitted.stage === 'failed')
      throw new Error(`withdrawal ${orderId} has ended twice`);
    this.#emitted.set(orderId, { ...emitted, stage: status, failure, confirmations, hash });
    this.#touched.add(orderId);
  }

  #applyDeposit({ orderId, clientOid, uid }: EventOf<'depositCredited'>): void {
    const deposit = this.desk.deposits.find(({ id }) => id === orderId);
    if (deposit === undefined) return;
    if (deposit.clientOid === '') this.#name(deposit, orderId, clientOid);
    same('deposit', [clientOid, uid], [deposit.clientOid, deposit.uid]);
  }

  #move(orderId: number, { stage, confirmations, hash, approvals }: WithdrawalProgress): void {
    const emitted = this.#emitted.get(orderId)!;
    this.#emitted.set(orderId, {
      ...emitted,
      stage,
      confirmations,
      hash,
      approvals: approvals.length,
    });
    this.#touched.add(orderId);
  }

  #compare(): void {
    for (const id of this.#touched) this.#compareOrder(id);
    this.#touched.clear();
    const { wallets, house } = this.engine.state.ledger;
    for (const { uid, wallets: own } of this.desk.users)
      for (const [coin, { available, locked, margin }] of Object.entries(own)) {
        const engine = wallets.get(uid as Uid)?.get(coin);
        same(
          `${coin} of ${uid}`,
          [engine?.available ?? 0n, engine?.locked ?? 0n, engine?.margin ?? 0n],
          [available, locked, margin],
        );
      }
    const known = this.views.withdrawals.reserves();
    for (const coin of MOVED) {
      const reserve = this.desk.reserves[coin];
      same(
        `reserve of ${coin}`,
        [known.get(coin), this.engine.state.withdrawals.reserves.get(coin)],
        [reserve, reserve],
      );
    }
    for (const [coin, inside] of Object.entries(this.desk.inside)) {
      const own = house.get(coin);
      same(
        `${coin} of the house`,
        [own?.outside ?? 0n, own?.withdrawals ?? 0n],
        [-inside, this.desk.earned[coin] ?? 0n],
      );
    }
    if (!this.engine.hasDeferredWork()) this.#days.compareLevels();
  }

  #compareOrder(id: number): void {
    const order = this.desk.orders.find((each) => each.id === id);
    const emitted = this.#emitted.get(id)!;
    const engine = [
      emitted.stage,
      emitted.confirmations,
      emitted.hash,
      emitted.approvals,
      emitted.failure,
    ];
    same(
      `withdrawal ${id}`,
      engine,
      order
        ? [order.stage, order.confirmations, order.hash, order.approvals.length, order.failure]
        : [],
    );
    this.count(`${order!.chain === '' ? 'transfer' : 'withdrawal'} ${order!.stage}`);
    if (order!.failure !== undefined) this.count(`failure ${order!.failure}`);
  }

  /** Compares the withdrawable amount of the view. */
  compareMost(user: DeskUser, coin: string): void {
    const { desk } = this;
    const listed = desk.coins[coin]!;
    const left = dailyLimit(listed, user.level) - desk.usedToday(user.uid);
    const usd = min(listed.single, left < 0n ? 0n : left);
    const index = this.indexOf(coin);
    const free = mostThatLeaves(this.accountOf(user), coin);
    const isOpen = !desk.halted.has(coin) && listed.chains.some(({ open }) => open);
    const bounded = index === 0n ? free : min(free, floor(usd * UNIT, index));
    const naive = isOpen ? bounded : 0n;
    if (!isOpen && bounded > 0n) this.count('nothing leaves through a closed chain');
    const engine = maxWithdrawal(
      this.views,
      user.uid as Uid,
      this.views.listings.coin(coin)!,
      desk.now as Timestamp,
    );
    same(`most of ${coin} that ${user.uid} withdraws`, [shown(engine)], [shown(naive)]);
  }

  audit(): void {
    const { coins, violations } = this.engine.audit();
    const { desk } = this;
    const short = Object.entries(desk.reserves).filter(
      ([coin, reserve]) => desk.owed(coin) > reserve,
    );
    const emitted = short.map(
      ([coin, reserve]) =>
        `${shown(desk.owed(coin))} ${coin} is owed and ${shown(reserve)} is held`,
    );
    for (const coin of Object.keys(desk.inside))
      if (desk.outgoing(coin) > desk.holds(coin))
        emitted.push(
          `${shown(desk.outgoing(coin))} ${coin} is released, which is more than the house holds`,
        );
    same('audit', [...violations].sort(), emitted.sort());
    if (emitted.length > 0) this.count('audit names a coin');
    same('sums', [coins.some(({ difference }) => difference !== 0n)], [false]);
  }

  restart(): void {
    this.#journal.restart();
    this.count('restarts');
  }
}
