/** A leader with many followers, a maker, and a user whose own orders must not wait. */
import type { Engine, Executed } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import type { Command } from '../../src/messages/commands.ts';
import { expectAccepted, MARKET_START, openMarket, uidAt } from '../exchange/market.ts';

const category = 'USDT-FUTURES' as const;
const symbol = 'BTCUSDT';
const decimal = (text: string): DecimalText => text as DecimalText;

/** The first users: the leader, the maker, and an uninvolved user. */
const [LEADER, MAKER, OTHER] = [uidAt(0), uidAt(1), uidAt(2)];
const NAMED = 3;
const SIZE = '0.001';
/** Few enough offers that no order meets more makers than allowed. */
const OFFERS = 100;

export interface Order {
  readonly uid: Uid;
  readonly side: 'buy' | 'sell';
  readonly size?: string;
  readonly price?: string;
}

const orderOf = ({ uid, side, size = SIZE, price }: Order): Command => ({
  type: 'placeOrders',
  uid,
  category,
  orders: [
    {
      symbol,
      side,
      size: decimal(size),
      orderType: price === undefined ? 'market' : 'limit',
      timeInForce: 'gtc',
      positionSide: 'long',
      reduceOnly: false,
      ...(price === undefined ? {} : { price: decimal(price) }),
    },
  ],
});

export class CopyCrowd {
  readonly engine: Engine;
  readonly followers: readonly Uid[];

  constructor(count: number) {
    this.engine = openMarket(NAMED + count);
    this.followers = Array.from({ length: count }, (_, at) => uidAt(NAMED + at));
    for (const uid of [LEADER, MAKER, OTHER, ...this.followers])
      this.submit({ type: 'setPositionMode', uid, positionMode: 'hedge' });
    this.submit({ type: 'makeLeader', uid: LEADER, profitShare: decimal('0.1') });
    this.submit({
      type: 'setPrices',
      prices: [
        {
          category,
          symbol,
          index: decimal('60000'),
          mark: decimal('60000'),
          releaseMark: false,
          force: true,
        },
      ],
    });
    for (const uid of this.followers) this.submit(this.#following(uid));
    this.submit({ type: 'deposit', uid: MAKER, coin: 'USDT', size: decimal('500000000') });
    this.submit({ type: 'setLeverage', uid: MAKER, category, symbol, leverage: decimal('2') });
    for (let offer = 0; offer < OFFERS; offer++) {
      // The maker's buys and sells both open, so it always has something to trade.
      this.submit(this.#offer('sell', '60000', 'short'));
      this.submit(this.#offer('buy', '59999', 'long'));
    }
  }

  submit(command: Command): Executed {
    const executed = this.engine.execute(command, MARKET_START);
    expectAccepted(command, executed.outcome);
    return executed;
  }

  /** The same size and settings as the leader. */
  #following(uid: Uid): Command {
    const setting = {
      category,
      symbol,
      margin: 'leader',
      leverage: 'leader',
      sizing: 'multiple',
      value: decimal('1'),
    } as const;
    return { type: 'setCopySettings', uid, leader: LEADER, mode: 'advanced', settings: [setting] };
  }

  #offer(side: 'buy' | 'sell', price: string, positionSide: 'long' | 'short'): Command {
    const order = orderOf({ uid: MAKER, side, size: '5', price });
    if (order.type !== 'placeOrders') return order;
    return { ...order, orders: order.orders.map((draft) => ({ ...draft, positionSide })) };
  }

  /** The leader opens, or closes what it opened. */
  lead(side: 'buy' | 'sell'): void {
    this.submit(orderOf({ uid: LEADER, side }));
  }

  /** Every follower places the same order directly: the baseline for mirroring. */
  followerOrder(uid: Uid, side: 'buy' | 'sell'): void {
    this.submit(orderOf({ uid, side }));
  }

  /** A small order far from the price, which rests and is cancelled by the next one. */
  otherOrder(): void {
    this.submit(orderOf({ uid: OTHER, side: 'buy', price: '50000' }));
  }

  otherCancels(): void {
    this.submit({ type: 'cancelAllOrders', uid: OTHER, category });
  }

  /** How many followers have a copy. */
  get copied(): number {
    let copies = 0;
    for (const { kind, lots } of this.engine.state.copy.tracked.values())
      if (kind === 'copy' && lots > 0) copies++;
    return copies;
  }
}
