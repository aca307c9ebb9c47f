/** An exchange that is obviously right and slow: lists instead of books, every rule looked up anew for every order. */
import { passTime } from './naive-clock.ts';
import { liquidateAll } from './naive-liquidation.ts';
import { setCoinLeverage } from './naive-loans.ts';
import { endOrder, trim } from './naive-matching.ts';
import { modify, type NaiveChange } from './naive-modifying.ts';
import { type NaiveBooks, repay, walletOf } from './naive-money.ts';
import { type NaiveDraft, place } from './naive-placing.ts';
import { adjustMargin, setLeverage } from './naive-settings.ts';
import type {
  NaiveHouse,
  NaiveInstrument,
  NaiveOrder,
  NaivePosition,
  NaivePremium,
  NaivePrices,
  NaiveReport,
  NaiveTimer,
  NaiveUser,
  PositionSide,
} from './naive-state.ts';
import { setCountdown } from './naive-timers.ts';
import { shown } from './whole-units.ts';

export class NaiveExchange implements NaiveBooks {
  users: NaiveUser[] = [];
  orders: NaiveOrder[] = [];
  positions: NaivePosition[] = [];
  readonly marks: Record<string, bigint> = {};
  readonly indexes: Record<string, bigint> = {};
  readonly house: Record<string, NaiveHouse> = {};
  readonly drawn: Record<string, bigint> = {};
  report: NaiveReport = { answers: [], trades: [], ends: [], fundings: [], liquidations: [], happened: [] };
  accepted = 0;
  places = 0;

  readonly premiums: Record<string, NaivePremium> = {};
  timers: NaiveTimer[] = [];
  now: number;

  constructor(now: number, futures: readonly NaiveInstrument[]) {
    this.now = now;
    for (const { symbol } of futures) this.premiums[symbol] = { seen: 0n, sum: 0n };
  }

  begin(): void {
    this.report = { answers: [], trades: [], ends: [], fundings: [], liquidations: [], happened: [] };
  }

  /** Whoever the command has left at risk is liquidated before it ends. */
  finish(): void {
    liquidateAll(this);
  }

  setPrices({ indexes, marks }: NaivePrices): void {
    Object.assign(this.indexes, indexes);
    Object.assign(this.marks, marks);
    this.report.answers.push('accepted');
  }

  place(user: NaiveUser, instrument: NaiveInstrument, draft: NaiveDraft, all = false): void {
    const refused = place(this, user, instrument, draft, all);
    this.report.answers.push(refused ?? 'accepted');
    if (refused === undefined) trim(this);
  }

  /** What comes in pays back first. */
  deposit(user: NaiveUser, coin: string, size: bigint): void {
    if (walletOf(user, coin).debt > 0n) this.report.happened.push('deposit repays');
    walletOf(user, coin).available += size;
    repay(this, user, coin);
    this.report.answers.push('accepted');
  }

  cancel(user: NaiveUser, number: number): void {
    const order = this.orders.find((each) => each.number === number && each.user === user);
    if (order === undefined) this.report.answers.push('unknownOrder');
    else {
      endOrder(this, order, 'byUser');
      this.report.answers.push('accepted');
    }
  }

  modify(user: NaiveUser, number: number, change: NaiveChange): void {
    const order = this.orders.find((each) => each.number === number && each.user === user);
    const refused = order === undefined ? 'unknownOrder' : modify(this, order, change);
    this.report.answers.push(refused ?? 'accepted');
    if (refused === undefined) trim(this);
  }

  /** Every position of a symbol at market, whole. */
  closeAll(user: NaiveUser, instrument: NaiveInstrument): void {
    const own = this.positions.filter((position) => position.user === user && position.instrument === instrument);
    if (own.length === 0) this.report.answers.push('nothingToClose');
    for (const { side, size } of own) {
      const draft = {
        market: true,
        size: shown(size),
        price: undefined,
        timeInForce: 'gtc',
        stp: 'none',
        reduceOnly: true,
        onMargin: false,
      };
      this.place(user, instrument, { ...draft, side: side === 'long' ? 'sell' : 'buy', positionSide: side }, true);
    }
  }

  passTime(to: number): void {
    passTime(this, to);
    this.report.answers.push('accepted');
  }

  setCountdown(user: NaiveUser, ms: number): void {
    this.report.answers.push(setCountdown(this, user, ms) ?? 'accepted');
  }

  adjustMargin(user: NaiveUser, instrument: NaiveInstrument, side: PositionSide, by: bigint): void {
    this.report.answers.push(adjustMargin(this, user, instrument, side, by) ?? 'accepted');
  }

  setLeverage(user: NaiveUser, instrument: NaiveInstrument, leverage: bigint): void {
    this.report.answers.push(setLeverage(this, user, instrument, leverage) ?? 'accepted');
  }

  setCoinLeverage(user: NaiveUser, coin: string, leverage: bigint): void {
    this.report.answers.push(setCoinLeverage(this, user, coin, leverage) ?? 'accepted');
  }
}
