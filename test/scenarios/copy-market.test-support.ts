/** A market with leaders and followers, a deep market maker, and short views of mirrored orders. */
import { test as base, expect } from 'vitest';
import type { Copy, Original, TrackedOrder } from '../../src/core/state/copy-state.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Id, Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import type { CommandOf } from '../../src/messages/commands.ts';
import type { CopySetting, NotCopiedRow } from '../../src/messages/copy-trading.ts';
import { Market } from './market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

export type SettingRequest = Partial<Omit<CopySetting, 'value'>> & { readonly value?: string };

/** `multiple 1` of BTCUSDT with the leader's margin mode and leverage, changed by `request`. */
export const setting = ({ value = '1', ...request }: SettingRequest = {}): CopySetting => ({
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  margin: 'leader',
  leverage: 'leader',
  sizing: 'multiple',
  value: decimal(value),
  ...request,
});

export interface FollowRequest {
  readonly mode?: 'basic' | 'advanced';
  readonly autoCopy?: boolean;
  readonly settings?: readonly CopySetting[];
}

export class CopyMarket extends Market {
  readonly maker: Uid;
  #price = '50000';

  constructor() {
    super();
    this.index('BTC', '50000');
    this.index('ETH', '2500');
    this.maker = this.joins({ USDT: '500000000', BTC: '50000', USDC: '500000000' });
    this.quote('50000');
  }

  leader(profitShare = '0.1', money = '100000'): Uid {
    const uid = this.joins({ USDT: money, BTC: '10' }, 'hedge');
    this.accepted({ type: 'makeLeader', uid, profitShare: decimal(profitShare) });
    return uid;
  }

  follow(
    uid: Uid,
    leader: Uid,
    { mode = 'advanced', autoCopy, settings = [setting()] }: FollowRequest = {},
  ): string {
    const { outcome } = this.submit({
      type: 'setCopySettings',
      uid,
      leader,
      mode,
      settings,
      ...(autoCopy === undefined ? {} : { autoCopy }),
    });
    return outcome.ok ? 'accepted' : outcome.refusal.reason;
  }

  /** A follower with money. */
  follower(leader: Uid, request: FollowRequest = {}, money = '100000'): Uid {
    const uid = this.joins({ USDT: money, BTC: '10' }, 'hedge');
    expect(this.follow(uid, leader, request)).toBe('accepted');
    return uid;
  }

  /** The maker quotes a large size at one price only. */
  quote(price: string, name = 'BTCUSDT', size = '100'): void {
    this.#price = name === 'BTCUSDT' ? price : this.#price;
    this.clearQuotes();
    this.pin(name, price);
    expect(this.order(this.maker, 'sell', size, name, price)).toBe('accepted');
    this.restBid(price, name, size);
  }

  /** The ask is one tick above the price, because a bid at the same price would trade with it. */
  restBid(price: string, name: string, size: string): void {
    const below = String(Number.parseFloat(price) - 0.1);
    expect(this.order(this.maker, 'buy', size, name, below)).toBe('accepted');
  }

  clearQuotes(): void {
    this.accepted({ type: 'cancelAllOrders', uid: this.maker, category: 'USDT-FUTURES' });
  }

  open(uid: Uid, side: 'long' | 'short', size: string, name = 'BTCUSDT', price?: string): string {
    return this.order(uid, side === 'long' ? 'buy' : 'sell', size, name, price, {
      positionSide: side,
    });
  }

  close(uid: Uid, side: 'long' | 'short', size: string, name = 'BTCUSDT', price?: string): string {
    return this.order(uid, side === 'long' ? 'sell' : 'buy', size, name, price, {
      positionSide: side,
    });
  }

  /** Runs until nothing is left to mirror. */
  settle(): void {
    while (this.engine.hasDeferredWork()) this.accepted({ type: 'tick' });
  }

  tracked(uid: Uid): TrackedOrder[] {
    return [...this.state.copy.tracked.values()].filter(
      (order) => order.uid === uid && order.lots > 0,
    );
  }

  originals(uid: Uid): Original[] {
    return this.tracked(uid).filter((order): order is Original => order.kind === 'original');
  }

  copies(uid: Uid): Copy[] {
    return this.tracked(uid).filter((order): order is Copy => order.kind === 'copy');
  }

  /** Sizes of open tracked orders, oldest first. */
  sizes(uid: Uid): string[] {
    return this.tracked(uid).map(({ entry }) => moneyText(entry.size));
  }

  /** Copies that the last command missed, with reasons. */
  missed(): NotCopiedRow[] {
    return this.emitted('orderNotCopied').map(({ missed }) => missed);
  }

  ended(
    uid: Uid,
  ): { profit: string; fees: string; share: string; closer: string | undefined; closed: string }[] {
    return this.emitted('trackedOrderEnded')
      .filter(({ order }) => order.uid === uid)
      .map(({ order, share }) => ({
        profit: moneyText(order.profit),
        fees: moneyText((order.openFee + order.closeFee) as typeof order.openFee),
        share: moneyText(share),
        closer: order.closer,
        closed: moneyText(order.closedSize),
      }));
  }

  tpsl(
    uid: Uid,
    trackingId: Id,
    prices: { takeProfit?: string; stopLoss?: string },
    role: CommandOf<'setTrackedOrderTpsl'>['role'] = 'follower',
  ): string {
    const { outcome } = this.submit({
      type: 'setTrackedOrderTpsl',
      uid,
      role,
      trackingId,
      category: 'USDT-FUTURES',
      ...(prices.takeProfit === undefined ? {} : { takeProfit: decimal(prices.takeProfit) }),
      ...(prices.stopLoss === undefined ? {} : { stopLoss: decimal(prices.stopLoss) }),
    });
    return outcome.ok ? 'accepted' : outcome.refusal.reason;
  }

  closeTracked(uid: Uid, request: Partial<CommandOf<'closeTrackedOrders'>> = {}): string {
    const { outcome } = this.submit({
      type: 'closeTrackedOrders',
      uid,
      role: 'follower',
      category: 'USDT-FUTURES',
      ...request,
    });
    return outcome.ok ? 'accepted' : outcome.refusal.reason;
  }
}

/** A test with its own copy market, which is audited and replayed at the end. */
export const test = base.extend<{ market: CopyMarket }>({
  market: async ({ task: _task }, use) => {
    const market = new CopyMarket();
    await use(market);
    market.settle();
    market.check();
    market.checkReplay();
  },
});
