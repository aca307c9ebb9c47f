/**
 * A small exchange for tests on prices and money: short calls for trades, and a check of all
 * invariants after each command.
 */
import { test as base, expect } from 'vitest';
import { SharesDue } from '../../src/core/derived/copy-indexes.ts';
import type { Derived } from '../../src/core/derived/derived.ts';
import { instrumentKey, specFrom } from '../../src/core/derived/instrument-spec.ts';
import { isIndexStale } from '../../src/core/derived/market-context.ts';
import { maintenanceOf, unrealisedProfit } from '../../src/core/derived/position.ts';
import { createEngine, type Engine, type Executed } from '../../src/core/engine.ts';
import { accountMargin } from '../../src/core/margin/account-margin.ts';
import { isMarkFrozen } from '../../src/core/prices/market-prices.ts';
import type { Position } from '../../src/core/state/position.ts';
import type { State, Wallet } from '../../src/core/state/state.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { type Amount, moneyText } from '../../src/kernel/money.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import { DEFAULT_COINS } from '../../src/listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../../src/listings/default-instruments.ts';
import type { Command, CommandOf } from '../../src/messages/commands.ts';
import type { Event, EventOf, EventType } from '../../src/messages/events.ts';
import type { OrderDraft } from '../../src/messages/orders.ts';
import {
  type Category,
  HOUSE_ACCOUNTS,
  type HouseAccount,
  isFutures,
} from '../../src/messages/vocabulary.ts';
import { throughBytes } from './scenario.ts';

/** 1 January 2025, 00:00 UTC. */
export const MARKET_START = 1_735_689_600_000 as Timestamp;

const decimal = (text: string): DecimalText => text as DecimalText;

/** `BTCUSDT` is the contract, `SPOT:BTCUSDT` the pair. */
function named(name: string): { category: Category; symbol: string } {
  if (name.includes(':')) {
    const [category = '', symbol = ''] = name.split(':');
    return { category: category as Category, symbol };
  }
  const found = DEFAULT_INSTRUMENTS.find(
    ({ category, symbol }) => isFutures(category) && symbol === name,
  );
  if (found === undefined) throw new Error(`${name} is not a contract`);
  return found;
}

export type OrderOptions = Partial<
  Pick<OrderDraft, 'positionSide' | 'reduceOnly' | 'timeInForce' | 'marginMode'>
>;

/** Without books: enough to compute margins. */
function specOnly(state: State): Derived {
  const spec = new Map(
    [...state.instruments].map(([key, { instrument }]) => [key, specFrom(instrument)]),
  );
  return { spec, tracked: { sharesDue: new SharesDue() } } as unknown as Derived;
}

export class Market {
  readonly engine: Engine;
  at = MARKET_START;
  readonly submitted: { readonly command: Command; readonly at: Timestamp }[] = [];
  last: Executed | undefined;

  constructor() {
    this.engine = createEngine();
    for (const coin of DEFAULT_COINS) this.submit({ type: 'listCoin', coin });
    for (const instrument of DEFAULT_INSTRUMENTS)
      this.submit({ type: 'listInstrument', instrument });
  }

  get state(): State {
    return this.engine.state;
  }

  submit(command: Command): Executed {
    this.submitted.push({ command, at: this.at });
    this.last = this.engine.execute(command, this.at);
    return this.last;
  }

  accepted(command: Command): Executed {
    const executed = this.submit(command);
    expect(executed.outcome).toMatchObject({ ok: true });
    return executed;
  }

  /** A user with money, in one-way mode by default. */
  joins(money: Readonly<Record<string, string>>, positionMode: 'oneWay' | 'hedge' = 'oneWay'): Uid {
    const { outcome } = this.accepted({ type: 'createUser', level: 'VIP0', positionMode });
    const { uid } = (outcome as { value: { uid: Uid } }).value;
    for (const [coin, size] of Object.entries(money))
      this.accepted({ type: 'deposit', uid, coin, size: decimal(size) });
    return uid;
  }

  passes(ms: number): void {
    this.at = (this.at + ms) as Timestamp;
    this.submit({ type: 'tick' });
  }

  index(coin: string, price: string): Executed {
    const { category, symbol } = DEFAULT_INSTRUMENTS.find(
      ({ baseCoin, quoteCoin }) => baseCoin === coin && quoteCoin !== 'BTC',
    )!;
    return this.accepted({
      type: 'setPrices',
      prices: [{ category, symbol, index: decimal(price), releaseMark: false, force: true }],
    });
  }

  /**
   * Switches the market on and updates only this index for ten seconds; all others become stale.
   */
  updatesOnly(coin: string, price: string): void {
    this.accepted({ type: 'switchMarket', on: true });
    this.passes(9_500);
    this.index(coin, price);
    this.passes(500);
  }

  pin(name: string, mark: string | undefined): Executed {
    const price: Partial<CommandOf<'setPrices'>['prices'][number]> =
      mark === undefined ? { releaseMark: true } : { mark: decimal(mark), releaseMark: false };
    return this.accepted({
      type: 'setPrices',
      prices: [{ ...named(name), releaseMark: false, force: false, ...price }],
    });
  }

  settings(uid: Uid, name: string, leverage: string, marginMode: 'crossed' | 'isolated'): void {
    const { category, symbol } = named(name) as {
      category: CommandOf<'setLeverage'>['category'];
      symbol: string;
    };
    this.accepted({ type: 'setMarginMode', uid, category, symbol, marginMode });
    this.accepted({ type: 'setLeverage', uid, category, symbol, leverage: decimal(leverage) });
  }

  /**
   * A limit order, or a market order without a price. Returns `accepted` or the reason of the
   * refusal.
   */
  order(
    uid: Uid,
    side: 'buy' | 'sell',
    size: string,
    name: string,
    price?: string,
    options: OrderOptions = {},
  ): string {
    const { category, symbol } = named(name);
    const draft: OrderDraft = {
      symbol,
      side,
      size: decimal(size),
      orderType: price === undefined ? 'market' : 'limit',
      timeInForce: 'gtc',
      reduceOnly: false,
      ...options,
      ...(price === undefined ? {} : { price: decimal(price) }),
    };
    const { outcome } = this.submit({ type: 'placeOrders', uid, category, orders: [draft] });
    if (!outcome.ok) return outcome.refusal.reason;
    const [placed] = outcome.value as readonly (
      | { ok: true }
      | { ok: false; refusal: { reason: string } }
    )[];
    return placed!.ok ? 'accepted' : placed!.refusal.reason;
  }

  /** Two users trade at a price; the seller rests first. */
  trade(
    buyer: Uid,
    seller: Uid,
    size: string,
    name: string,
    price: string,
    options: { buy?: OrderOptions; sell?: OrderOptions } = {},
  ): void {
    expect(this.order(seller, 'sell', size, name, price, options.sell)).toBe('accepted');
    expect(this.order(buyer, 'buy', size, name, price, options.buy)).toBe('accepted');
  }

  wallet(uid: Uid, coin = 'USDT'): Wallet {
    return (
      this.state.ledger.wallets.get(uid)?.get(coin) ??
      ({ available: 0n, locked: 0n, margin: 0n } as Wallet)
    );
  }

  available(uid: Uid, coin = 'USDT'): string {
    return moneyText(this.wallet(uid, coin).available);
  }

  house(account: HouseAccount, coin = 'USDT'): string {
    return moneyText(this.state.ledger.house.get(coin)?.[account] ?? (0n as Amount));
  }

  debt(uid: Uid, coin = 'USDT'): string {
    const debt = this.state.debts.get(uid)?.get(coin);
    return debt === undefined
      ? 'none'
      : `${moneyText(debt.principal)} + ${moneyText(debt.interest)}`;
  }

  position(uid: Uid, name: string, side: 'long' | 'short'): Position | undefined {
    const { category, symbol } = named(name);
    return this.state.positions.get(uid)?.get(`${instrumentKey(category, symbol)}:${side}`);
  }

  size(uid: Uid, name: string, side: 'long' | 'short'): string {
    const position = this.position(uid, name, side);
    return position === undefined ? '0' : moneyText(position.entry.size);
  }

  mark(name: string): string {
    const { category, symbol } = named(name);
    return moneyText(this.state.symbolPrices.get(instrumentKey(category, symbol))!.mark!);
  }

  emitted<Type extends EventType>(type: Type): EventOf<Type>[] {
    return (this.last?.events ?? []).filter(
      (event: Event) => event.type === type,
    ) as Event[] as EventOf<Type>[];
  }

  /** Fills of the last command: `liquidation sell 1 at 47600`. */
  fills(uid: Uid): string[] {
    return this.emitted('fillSettled')
      .filter(({ fill }) => fill.uid === uid)
      .map(
        ({ fill }) =>
          `${fill.executionKind} ${fill.side} ${moneyText(fill.size)} at ${moneyText(fill.price)}`,
      );
  }

  /** Equity and maintenance margin of an account. */
  standing(uid: Uid) {
    const { equity, maintenance } = accountMargin(this.state, specOnly(this.state), uid);
    return { equity: moneyText(equity), maintenance: moneyText(maintenance) };
  }

  /**
   * Accounts at or below maintenance with something to close or end, found by checking every
   * account.
   */
  underMaintenance(): string[] {
    const { state } = this.engine;
    const derived = specOnly(state);
    const found: string[] = [];
    for (const uid of new Set([...state.positions.keys(), ...state.debts.keys()])) {
      const { equity, maintenance } = accountMargin(state, derived, uid);
      if (maintenance > 0n && equity <= maintenance && this.#mayBeLiquidated(uid))
        found.push(`account ${uid}`);
      for (const position of state.positions.get(uid)?.values() ?? []) {
        if (position.marginMode === 'crossed') continue;
        const spec = derived.spec.get(position.key)!;
        const own = position.margin + unrealisedProfit(state, position, spec);
        if (own <= maintenanceOf(state, position, spec) && this.#isTraded(position))
          found.push(`position ${position.id} of ${uid}`);
      }
    }
    return found;
  }

  /** Neither frozen nor halted. */
  #isTraded({ key }: Position): boolean {
    const { state, at } = this.engine;
    const { instrument, status } = state.instruments.get(key)!;
    return status === 'normal' && !isMarkFrozen(state, instrument, at);
  }

  #mayBeLiquidated(uid: Uid): boolean {
    const { state, at } = this.engine;
    const crossed = [...(state.positions.get(uid)?.values() ?? [])].filter(
      ({ marginMode }) => marginMode === 'crossed',
    );
    if (crossed.some((position) => this.#isTraded(position))) return true;
    const isFresh = (coin: string): boolean => !isIndexStale(state, coin, at);
    if (![...(state.debts.get(uid)?.keys() ?? [])].some(isFresh)) return false;
    const coins = [...(state.ledger.wallets.get(uid) ?? [])].flatMap(([coin, { available }]) =>
      available > 0n ? [coin] : [],
    );
    return coins.some(isFresh) || (coins.length === 0 && crossed.length === 0);
  }

  /** Invariants after every command. */
  check(): void {
    const { state } = this.engine;
    const { coins, violations } = this.engine.audit();
    expect(violations).toEqual([]);
    for (const { coin, difference } of coins) expect([coin, difference]).toEqual([coin, 0n]);
    for (const { lines } of this.emitted('entryPosted'))
      expect(lines.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
    for (const [uid, wallets] of state.ledger.wallets)
      for (const [coin, { available, locked, margin }] of wallets)
        expect(available >= 0n && locked >= 0n && margin >= 0n, `${uid} ${coin}`).toBe(true);
    for (const [coin, wallet] of state.ledger.house)
      for (const account of HOUSE_ACCOUNTS)
        if (!['outside', 'borrowPool', 'clearing', 'exchanging', 'rebates'].includes(account))
          expect(wallet[account] >= 0n, `${account} ${coin}`).toBe(true);
    this.#checkOpenInterest();
    for (const { equity, maintenance } of this.emitted('liquidationBegun'))
      expect(equity <= maintenance, 'only accounts at or below maintenance').toBe(true);
    if (this.last?.outcome.ok === true) expect(this.underMaintenance()).toEqual([]);
  }

  /** Longs and shorts of a symbol have equal sizes, and isolated margins match the wallets. */
  #checkOpenInterest(): void {
    const net = new Map<string, number>();
    const margins = new Map<string, bigint>();
    for (const own of this.state.positions.values())
      for (const { key, side, lots, margin, uid, locked } of own.values()) {
        expect(lots > 0 && locked >= 0 && locked <= lots).toBe(true);
        net.set(key, (net.get(key) ?? 0) + (side === 'long' ? lots : 0 - lots));
        const { marginCoin } = this.state.instruments.get(key)!.instrument;
        margins.set(`${uid} ${marginCoin}`, (margins.get(`${uid} ${marginCoin}`) ?? 0n) + margin);
      }
    for (const [key, lots] of net) expect([key, lots]).toEqual([key, 0]);
    for (const [uid, wallets] of this.state.ledger.wallets)
      for (const [coin, { margin }] of wallets)
        expect([uid, coin, margin]).toEqual([uid, coin, margins.get(`${uid} ${coin}`) ?? 0n]);
  }

  /** The same commands, read from their bytes, end in the same state. */
  checkReplay(): void {
    const again = createEngine();
    for (const { command, at } of this.submitted) again.execute(throughBytes(command), at);
    expect([again.stateHash(), again.digest()]).toEqual([
      this.engine.stateHash(),
      this.engine.digest(),
    ]);
  }
}

/** A test with its own market, which is audited and replayed at the end. */
export const test = base.extend<{ market: Market }>({
  market: async ({ task: _task }, use) => {
    const market = new Market();
    await use(market);
    market.check();
    market.checkReplay();
  },
});

/**
 * 1 BTC long at 50,000 with a margin of 2,500: liquidated at 47,719.5097… and bankrupt at
 * 47,528.5171…. The other side is safe.
 */
export function isolatedLong(market: Market): { readonly long: Uid; readonly short: Uid } {
  market.index('BTC', '50000');
  const long = market.joins({ USDT: '2530' });
  const short = market.joins({ USDT: '1000000' });
  market.settings(long, 'BTCUSDT', '20', 'isolated');
  market.trade(long, short, '1', 'BTCUSDT', '50000');
  expect(market.available(long)).toBe('0');
  return { long, short };
}

/** The same with a wallet of 3,000: liquidated at 47,217.1991…. */
export function crossedLong(market: Market): { readonly long: Uid; readonly short: Uid } {
  market.index('BTC', '50000');
  const long = market.joins({ USDT: '3030' });
  const short = market.joins({ USDT: '1000000' });
  market.settings(long, 'BTCUSDT', '20', 'crossed');
  market.trade(long, short, '1', 'BTCUSDT', '50000');
  expect(market.available(long)).toBe('3000');
  return { long, short };
}
