/** Short helpers for triggers, on the market of `market.test-support.ts`. */
import { expect } from 'vitest';
import type { Trigger } from '../../src/core/state/trigger.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import type { CommandOf } from '../../src/messages/commands.ts';
import type { PlacedTrigger } from '../../src/messages/outcomes.ts';
import type { Rejection } from '../../src/messages/rejections.ts';
import type {
  AttachedDraft,
  ExitDraft,
  TriggerChange,
  TriggerDraft,
} from '../../src/messages/triggers.ts';
import type {
  PositionSide,
  PriceSource,
  TriggerCategory,
  TriggerKind,
} from '../../src/messages/vocabulary.ts';
import type { Market } from './market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

/** Fields as texts, as in a request. */
export interface TriggerInput {
  readonly symbol?: string;
  readonly category?: TriggerCategory;
  readonly kind?: 'conditional' | 'trailing';
  readonly size?: string;
  readonly at: string;
  readonly source?: PriceSource;
  readonly price?: string;
  readonly orderType?: 'limit' | 'market';
  readonly callback?: string;
  readonly positionSide?: PositionSide;
  readonly reduceOnly?: boolean;
  readonly marginMode?: 'crossed' | 'isolated';
  readonly name?: string;
  readonly takeProfit?: TpslInput;
  readonly stopLoss?: TpslInput;
  readonly selfTradeMode?: TriggerDraft['selfTradeMode'];
  readonly timeInForce?: TriggerDraft['timeInForce'];
}
export interface TpslInput {
  readonly at: string;
  readonly source?: PriceSource | undefined;
  readonly price?: string;
}

const attached = (input: TpslInput): AttachedDraft => ({
  triggerPrice: decimal(input.at),
  source: 'source' in input ? input.source : 'last',
  ...(input.price === undefined ? {} : { price: decimal(input.price) }),
});

export function triggerCommand(
  uid: Uid,
  side: 'buy' | 'sell',
  input: TriggerInput,
): CommandOf<'placeTrigger'> {
  const trigger: TriggerDraft = {
    kind: input.kind ?? (input.callback === undefined ? 'conditional' : 'trailing'),
    symbol: input.symbol ?? 'BTCUSDT',
    marginMode: input.marginMode ?? 'crossed',
    size: decimal(input.size ?? '1'),
    triggerPrice: decimal(input.at),
    source: input.source ?? 'last',
    side,
    orderType: input.orderType ?? (input.price === undefined ? 'market' : 'limit'),
    reduceOnly: input.reduceOnly ?? false,
    ...(input.price === undefined ? {} : { price: decimal(input.price) }),
    ...(input.callback === undefined ? {} : { callbackRate: decimal(input.callback) }),
    ...(input.positionSide === undefined ? {} : { positionSide: input.positionSide }),
    ...(input.name === undefined ? {} : { clientOid: input.name as ClientOid }),
    ...(input.selfTradeMode === undefined ? {} : { selfTradeMode: input.selfTradeMode }),
    ...(input.timeInForce === undefined ? {} : { timeInForce: input.timeInForce }),
    ...(input.takeProfit === undefined ? {} : { takeProfit: attached(input.takeProfit) }),
    ...(input.stopLoss === undefined ? {} : { stopLoss: attached(input.stopLoss) }),
  };
  return { type: 'placeTrigger', uid, category: input.category ?? 'USDT-FUTURES', trigger };
}

export interface TpslWayInput {
  readonly kind: ExitDraft['kind'];
  readonly at: string;
  readonly size?: string;
  readonly source?: PriceSource;
  readonly price?: string;
  readonly callback?: string;
  readonly name?: string;
}

const exitDraft = (input: TpslWayInput): ExitDraft => ({
  kind: input.kind,
  triggerPrice: decimal(input.at),
  source: input.source ?? 'last',
  ...(input.size === undefined ? {} : { size: decimal(input.size) }),
  ...(input.price === undefined ? {} : { price: decimal(input.price) }),
  ...(input.callback === undefined ? {} : { callbackRate: decimal(input.callback) }),
  ...(input.name === undefined ? {} : { clientOid: input.name as ClientOid }),
});

type Answered =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly refusal: Rejection };

/** A market with helpers to place triggers and read their ends. */
export class Triggers {
  readonly market: Market;
  readonly maker: Uid;
  readonly other: Uid;

  /** Bitcoin is at 50,000. Two rich accounts are counterparties of all others. */
  constructor(market: Market) {
    this.market = market;
    market.index('BTC', '50000');
    this.maker = market.joins({ USDT: '100000000', BTC: '1000' });
    this.other = market.joins({ USDT: '100000000', BTC: '1000' });
  }

  /** The maker places a limit order of this size. */
  offers(side: 'buy' | 'sell', price: string, size = '100', name = 'BTCUSDT'): void {
    expect(this.market.order(this.maker, side, size, name, price)).toBe('accepted');
  }

  /** A small trade, which sets the last price. No other order may be at that price. */
  trades(price: string, name = 'BTCUSDT'): void {
    expect(this.market.order(this.maker, 'sell', '0.001', name, price)).toBe('accepted');
    expect(this.market.order(this.other, 'buy', '0.001', name, price)).toBe('accepted');
  }

  place(uid: Uid, side: 'buy' | 'sell', input: TriggerInput): string {
    const { outcome } = this.market.submit(triggerCommand(uid, side, input));
    return (outcome as Answered).ok
      ? 'accepted'
      : (outcome as { refusal: Rejection }).refusal.reason;
  }

  placed(uid: Uid, side: 'buy' | 'sell', input: TriggerInput): Id {
    const { outcome } = this.market.accepted(triggerCommand(uid, side, input));
    return (outcome as { value: PlacedTrigger }).value.triggerId;
  }

  exit(uid: Uid, side: PositionSide, ...input: readonly TpslWayInput[]): string {
    const { outcome } = this.market.submit(this.exitCommand(uid, side, input));
    return (outcome as Answered).ok
      ? 'accepted'
      : (outcome as { refusal: Rejection }).refusal.reason;
  }

  tpsl(uid: Uid, side: PositionSide, ...input: readonly TpslWayInput[]): readonly Id[] {
    const { outcome } = this.market.accepted(this.exitCommand(uid, side, input));
    return (outcome as { value: readonly PlacedTrigger[] }).value.map(({ triggerId }) => triggerId);
  }

  exitCommand(
    uid: Uid,
    side: PositionSide,
    input: readonly TpslWayInput[],
  ): CommandOf<'placeTpsl'> {
    return {
      type: 'placeTpsl',
      uid,
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      side,
      tpsl: input.map(exitDraft),
    };
  }

  change(
    uid: Uid,
    triggerId: Id,
    change: Readonly<Record<string, unknown>>,
    exit = false,
    category: TriggerCategory = 'USDT-FUTURES',
  ): string {
    const { outcome } = this.market.submit({
      type: 'changeTrigger',
      uid,
      category,
      exit,
      triggerId,
      change: change as TriggerChange,
    });
    return (outcome as Answered).ok
      ? 'accepted'
      : (outcome as { refusal: Rejection }).refusal.reason;
  }

  cancel(
    uid: Uid,
    kinds: readonly TriggerKind[],
    triggers?: readonly { triggerId?: Id; clientOid?: ClientOid }[],
    symbol?: string,
    category: TriggerCategory = 'USDT-FUTURES',
  ): string[] {
    const { outcome } = this.market.accepted({
      type: 'cancelTriggers',
      uid,
      category,
      kinds,
      ...(symbol === undefined ? {} : { symbol }),
      ...(triggers === undefined ? {} : { triggers }),
    });
    return (outcome as { value: readonly Answered[] }).value.map((outcomes) =>
      outcomes.ok ? 'cancelled' : outcomes.refusal.reason,
    );
  }

  live(id: Id): Trigger | undefined {
    return this.market.state.triggers.get(id);
  }

  /**
   * Ends of triggers in the last command, in order: `fired 12`, `failed 13 insufficientMargin`,
   * `cancelled 14 ocoSiblingFired`.
   */
  ends(): string[] {
    return (this.market.last?.events ?? []).flatMap((event) => {
      if (event.type === 'triggerFired') return [`fired ${event.triggerId}`];
      if (event.type === 'triggerFailed')
        return [`failed ${event.triggerId} ${event.refusal.reason}`];
      return event.type === 'triggerCancelled'
        ? [`cancelled ${event.triggerId} ${event.reason}`]
        : [];
    });
  }

  /** Active take-profit and stop-loss of a user, oldest first: `takeProfit 55000 x 1`. */
  liveTpsl(uid: Uid): string[] {
    return [...this.market.state.triggers.values()]
      .filter((trigger) => trigger.uid === uid && trigger.intent === 'close')
      .map(
        ({ kind, triggerPrice, lots }) => `${kind} ${moneyText(triggerPrice)} x ${lots / 10_000}`,
      );
  }

  /** A new user with a position at 50,000; the book is empty again. */
  holds(
    side: PositionSide,
    size = '1',
    options: { hedge?: boolean; margin?: 'crossed' | 'isolated' } = {},
  ): Uid {
    const { market } = this;
    const uid = market.joins({ USDT: '1000000' }, options.hedge === true ? 'hedge' : 'oneWay');
    const order = {
      ...(options.hedge === true ? { positionSide: side } : {}),
      ...(options.margin === undefined ? {} : { marginMode: options.margin }),
    };
    expect(
      market.order(this.maker, side === 'long' ? 'sell' : 'buy', size, 'BTCUSDT', '50000'),
    ).toBe('accepted');
    expect(
      market.order(uid, side === 'long' ? 'buy' : 'sell', size, 'BTCUSDT', '50000', order),
    ).toBe('accepted');
    return uid;
  }
}
