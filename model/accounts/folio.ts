/**
 * Accounts computed from events alone: money, debts, positions, open orders, settings and prices.
 */
// POS-26 refers to these tables.
import { FUTURES_FEES } from '../../src/formulas/fees.ts';
import type { TrackedOrderRow } from '../../src/messages/copy-trading.ts';
import type { Event, UserProfile } from '../../src/messages/events.ts';
import type { Coin, Instrument } from '../../src/messages/listings.ts';
import type { OrderRow, PositionRow } from '../../src/messages/orders.ts';
import type { TriggerRow } from '../../src/messages/triggers.ts';
import type { WithdrawalRow } from '../../src/messages/withdrawals.ts';
import type { EmittedEvents, RecordedRun } from '../lists/recorded-run.ts';
import { type Fraction, NOTHING, ONE, ofUnits, over } from './fractions.ts';

export interface Wallet {
  available: bigint;
  locked: bigint;
  margin: bigint;
  /** Part of the locked money that belongs to withdrawals. */
  withdrawing: bigint;
  /** Time of its last ledger line. */
  at: number;
}

export interface OpenOrder {
  order: OrderRow;
  /** Size left to trade. */
  left: bigint;
  marginHold: bigint;
}

export interface Setting {
  marginMode: string;
  leverage: string;
  long: string | undefined;
  short: string | undefined;
}

export interface Withdrawn {
  readonly row: WithdrawalRow;
  readonly at: number;
  failed: boolean;
}

export interface Folio {
  readonly profile: UserProfile;
  readonly registeredAt: number;
  level: string;
  positionMode: string;
  selfTradeMode: string;
  isLeader: boolean;
  readonly wallets: Map<string, Wallet>;
  readonly debts: Map<
    string,
    { readonly borrowed: bigint; readonly interest: bigint; readonly exemptPrincipal?: bigint }
  >;
  readonly positions: Map<number, PositionRow>;
  readonly orders: Map<number, OpenOrder>;
  readonly triggers: Map<number, TriggerRow>;
  /** Open copies of leaders' orders. */
  readonly copies: Map<number, TrackedOrderRow>;
  /** By category and symbol. */
  readonly settings: Map<string, Setting>;
  readonly coinLeverages: Map<string, string>;
  readonly withdrawals: Map<number, Withdrawn>;
}

export const DOLLARS: ReadonlySet<string> = new Set(['USD', 'USDT', 'USDC']);
const STALE_MS = 10_000;
const DEFAULT_LEVERAGE = 10;

export interface OfSymbol {
  readonly category: string;
  readonly symbol: string;
}
const keyOf = ({ category, symbol }: OfSymbol): string => `${category}:${symbol}`;

export class Folios {
  readonly users = new Map<number, Folio>();
  readonly coins = new Map<string, Coin>();
  readonly instruments = new Map<string, Instrument>();
  readonly statuses = new Map<string, string>();
  readonly #run: RecordedRun;
  readonly #index = new Map<string, { readonly price: bigint; readonly at: number }>();
  readonly #mark = new Map<string, bigint>();
  readonly #pinned = new Set<string>();
  readonly #agents = new Map<number, number>();
  #futuresFees: Readonly<Record<string, { readonly taker: bigint }>> = FUTURES_FEES;
  readonly #found = new Map<string, unknown>();
  #moment = '';
  #marketOn = false;
  #known = 0;

  constructor(run: RecordedRun) {
    this.#run = run;
  }

  get now(): number {
    return this.#run.now;
  }

  /** Reads all events since the last call. */
  update(): void {
    const { emitted } = this.#run;
    for (; this.#known < emitted.length; this.#known++) this.#take(emitted[this.#known]!);
  }

  /** Cached until the next event or until time passes. */
  once<Value>(folio: Folio, what: string, find: () => Value): Value {
    const moment = `${this.#known} ${this.now}`;
    if (moment !== this.#moment) {
      this.#found.clear();
      this.#moment = moment;
    }
    const key = `${folio.profile.uid} ${what}`;
    if (!this.#found.has(key)) this.#found.set(key, find());
    return this.#found.get(key) as Value;
  }

  instrumentOf(of: OfSymbol): Instrument {
    return this.instruments.get(keyOf(of))!;
  }

  statusOf(of: OfSymbol): string {
    return this.statuses.get(keyOf(of)) ?? 'normal';
  }

  /**
   * Crossed at ten times, or at the maximum of the first tier, until it is set (VIEW-05, ACC-24).
   */
  settingOf(folio: Folio, of: OfSymbol): Setting {
    const allowed = Number(this.instrumentOf(of).tiers[0]!.leverageMax);
    const atFirst = {
      marginMode: 'crossed',
      leverage: String(Math.min(DEFAULT_LEVERAGE, allowed)),
      long: undefined,
      short: undefined,
    };
    return folio.settings.get(keyOf(of)) ?? atFirst;
  }

  invited(uid: number): number | undefined {
    return this.#agents.get(uid);
  }

  /** Value of a coin in dollars (PRC-02); undefined before its first index. */
  worth(coin: string): Fraction | undefined {
    if (DOLLARS.has(coin)) return ONE;
    const index = this.#index.get(coin);
    return index === undefined ? undefined : ofUnits(index.price);
  }

  mark(of: OfSymbol): bigint {
    return this.#mark.get(keyOf(of))!;
  }

  /** PRC-11. */
  isStale(coin: string): boolean {
    if (!this.#marketOn || DOLLARS.has(coin)) return false;
    const index = this.#index.get(coin);
    return index === undefined || this.now - index.at >= STALE_MS;
  }

  /** Time when the next index becomes stale; undefined if none does. */
  nextStale(): number | undefined {
    const times = [...this.#index.values()]
      .map(({ at }) => at + STALE_MS)
      .filter((time) => time > this.now);
    return this.#marketOn && times.length > 0 ? Math.min(...times) : undefined;
  }

  isFrozen(of: OfSymbol): boolean {
    return !this.#pinned.has(keyOf(of)) && this.isStale(this.instrumentOf(of).baseCoin);
  }

  /** Futures taker fee (POS-26). */
  takerFee({ level }: Folio): Fraction {
    return ofUnits(this.#futuresFees[level]!.taker);
  }

  coinLeverage(folio: Folio, coin: string): Fraction {
    const listed = this.coins.get(coin)!;
    const set = BigInt(folio.coinLeverages.get(coin) ?? listed.leverage);
    const most = BigInt(listed.leverageMax);
    return { above: set < most ? set : most, below: 1n };
  }

  #wallet(uid: number, coin: string): Wallet {
    const { wallets } = this.users.get(uid)!;
    const wallet = wallets.get(coin) ?? {
      available: 0n,
      locked: 0n,
      margin: 0n,
      withdrawing: 0n,
      at: 0,
    };
    wallets.set(coin, wallet);
    return wallet;
  }

  #take({ event, at }: EmittedEvents): void {
    this.#takeWorld(event, at);
    this.#takeUser(event, at);
    this.#takeOrder(event);
    this.#takeSetting(event);
  }

  #takeWorld(event: Event, at: number): void {
    switch (event.type) {
      case 'coinListed':
        this.coins.set(event.coin.coin, event.coin);
        break;
      case 'instrumentListed':
        this.instruments.set(keyOf(event.instrument), event.instrument);
        break;
      case 'instrumentStatusChanged':
        this.statuses.set(keyOf(event), event.status);
        break;
      case 'indexPriceMoved':
        this.#index.set(event.baseCoin, { price: event.price, at });
        break;
      case 'markPriceMoved':
        this.#mark.set(keyOf(event), event.price);
        break;
      case 'markPinned':
        if (event.price === undefined) this.#pinned.delete(keyOf(event));
        else this.#pinned.add(keyOf(event));
        break;
      case 'marketSwitched':
        this.#marketOn = event.on;
        break;
      case 'feesSet':
        if (event.market === 'futures') this.#futuresFees = event.table;
        break;
      case 'customerReferred':
        this.#agents.set(event.uid, event.agentUid);
        break;
      default:
    }
  }

  #takeUser(event: Event, at: number): void {
    switch (event.type) {
      case 'userCreated': {
        const { user, positionMode } = event;
        this.users.set(user.uid, {
          profile: user,
          registeredAt: at,
          level: user.level,
          positionMode,
          selfTradeMode: 'none',
          isLeader: false,
          wallets: new Map(),
          debts: new Map(),
          positions: new Map(),
          orders: new Map(),
          triggers: new Map(),
          copies: new Map(),
          settings: new Map(),
          coinLeverages: new Map(),
          withdrawals: new Map(),
        });
        break;
      }
      case 'entryPosted':
        for (const { uid, coin, account, balance, amount } of event.lines) {
          if (
            uid === undefined ||
            (account !== 'available' && account !== 'locked' && account !== 'margin')
          )
            continue;
          const wallet = this.#wallet(uid, coin);
          Object.assign(wallet, { [account]: balance, at });
          if (account === 'locked' && event.reason.startsWith('withdrawal'))
            wallet.withdrawing += amount;
        }
        break;
      case 'debtChanged':
        this.users.get(event.uid)!.debts.set(event.coin, event);
        break;
      case 'positionChanged':
      case 'positionClosed': {
        const { position } = event;
        const { positions } = this.users.get(position.uid)!;
        if (event.type === 'positionChanged' && position.size > 0n)
          positions.set(position.positionId, position);
        else positions.delete(position.positionId);
        break;
      }
      case 'leaderMade':
        this.users.get(event.leader.uid)!.isLeader = true;
        break;
      case 'trackedOrderOpened':
      case 'trackedOrderChanged':
        this.users.get(event.order.uid)!.copies.set(event.order.trackingId, event.order);
        break;
      case 'trackedOrderEnded':
        this.users.get(event.order.uid)!.copies.delete(event.order.trackingId);
        break;
      case 'withdrawalRequested':
        this.users
          .get(event.withdrawal.uid)!
          .withdrawals.set(event.withdrawal.orderId, { row: event.withdrawal, at, failed: false });
        break;
      case 'withdrawalEnded':
        if (event.end.status !== 'completed')
          this.users.get(event.end.uid)!.withdrawals.get(event.end.orderId)!.failed = true;
        break;
      default:
    }
  }

  #takeOrder(event: Event): void {
    switch (event.type) {
      case 'orderAccepted':
      case 'orderModified': {
        const { order } = event;
        const left = order.openSize ?? order.size;
        this.users
          .get(order.uid)!
          .orders.set(order.orderId, { order, left, marginHold: order.marginHold?.amount ?? 0n });
        break;
      }
      case 'fillSettled': {
        const { uid, orderId, size, marginHold } = event.fill;
        const open = this.users.get(uid)!.orders.get(orderId)!;
        open.left -= size;
        open.marginHold = marginHold ?? 0n;
        break;
      }
      case 'orderReleveraged': {
        const open = this.users.get(event.uid)!.orders.get(event.orderId)!;
        open.marginHold = event.marginHold ?? 0n;
        break;
      }
      case 'orderEnded':
        this.users.get(event.end.uid)!.orders.delete(event.end.orderId);
        break;
      case 'triggerPlaced':
      case 'triggerChanged':
        this.users.get(event.trigger.uid)!.triggers.set(event.trigger.triggerId, event.trigger);
        break;
      case 'triggerFired':
      case 'triggerFailed':
      case 'triggerCancelled':
        this.users.get(event.uid)!.triggers.delete(event.triggerId);
        break;
      default:
    }
  }

  #takeSetting(event: Event): void {
    switch (event.type) {
      case 'leverageChanged': {
        const setting = this.#setting(event);
        if (event.side === undefined)
          Object.assign(setting, { leverage: event.leverage, long: undefined, short: undefined });
        else setting[event.side] = event.leverage;
        break;
      }
      case 'marginModeChanged':
        this.#setting(event).marginMode = event.marginMode;
        break;
      case 'coinLeverageChanged':
        this.users.get(event.uid)!.coinLeverages.set(event.coin, event.leverage);
        break;
      case 'positionModeChanged':
        this.users.get(event.uid)!.positionMode = event.positionMode;
        break;
      case 'selfTradeModeChanged':
        this.users.get(event.uid)!.selfTradeMode = event.selfTradeMode;
        break;
      case 'levelChanged':
        this.users.get(event.uid)!.level = event.level;
        break;
      default:
    }
  }

  #setting(of: OfSymbol & { readonly uid: number }): Setting {
    const folio = this.users.get(of.uid)!;
    const setting = this.settingOf(folio, of);
    folio.settings.set(keyOf(of), setting);
    return setting;
  }
}

/** In dollars; zero without an index. */
export const worthOr = (folios: Folios, coin: string): Fraction => folios.worth(coin) ?? NOTHING;
export const inCoin = (folios: Folios, dollars: Fraction, coin: string): Fraction =>
  over(dollars, folios.worth(coin)!);
