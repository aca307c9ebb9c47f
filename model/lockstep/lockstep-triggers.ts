/** Triggers on both sides: random calls and their comparison. */
import type { Engine, Executed } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../../src/kernel/ids.ts';
import type { Random } from '../../src/kernel/random.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { AttachedTpsl, ExitDraft, TriggerRow } from '../../src/messages/triggers.ts';
import type { FuturesCategory, SelfTradeMode } from '../../src/messages/vocabulary.ts';
import { described } from '../exchange/naive-attached-tpsl.ts';
import type { NaiveExchange } from '../exchange/naive-exchange.ts';
import type { NaivePrices, NaiveUser } from '../exchange/naive-state.ts';
import {
  cancelTriggers,
  changeTrigger,
  placePlan,
  placeTpslOrders,
} from '../exchange/naive-trigger-calls.ts';
import type { NaiveTpsl, NaiveTrigger } from '../exchange/naive-triggers.ts';
import { shown } from '../exchange/whole-units.ts';
import { engineDraft, same } from './lockstep-compare.ts';
import { TriggerDraws } from './lockstep-trigger-draws.ts';
import type { Future } from './lockstep-world.ts';

const decimal = (value: bigint): DecimalText => shown(value) as DecimalText;
const given = <Key extends string>(key: Key, value: bigint | undefined) =>
  (value === undefined ? {} : { [key]: decimal(value) }) as Partial<Record<Key, DecimalText>>;

/** What the stream provides: run and compare a command, and set prices on both sides. */
export interface Stage {
  readonly naive: NaiveExchange;
  /** Symbols with triggers. */
  readonly futures: readonly Future[];
  readonly uids: readonly Uid[];
  readonly run: (command: Command) => void;
  readonly setPrices: (prices: NaivePrices) => void;
}

export class TriggerSteps {
  readonly #random: Random;
  readonly #stage: Stage;
  readonly #draws: TriggerDraws;
  /** Engine ids by the naive exchange's numbers. */
  readonly #ids: Id[] = [];
  readonly #numbers = new Map<Id, number>();

  constructor(random: Random, stage: Stage) {
    this.#random = random;
    this.#stage = stage;
    this.#draws = new TriggerDraws(random, stage.naive, stage.futures);
  }

  step(): void {
    const { naive } = this.#stage;
    const dice = this.#random.below(20);
    if (dice < 5) this.#placePlan();
    else if (dice < 8) this.#placeProtected();
    else if (dice < 12) this.#placeTpslOrders();
    else if (naive.triggers.length === 0) this.#placePlan();
    else if (dice < 15) this.#stage.setPrices(this.#draws.edge());
    else if (dice < 18) this.#change();
    else this.#cancel();
  }

  /** The account and symbol with most of the triggers. */
  get focus(): [NaiveUser, Future] | undefined {
    return this.#draws.focus;
  }

  set focus(focus: [NaiveUser, Future] | undefined) {
    this.#draws.focus = focus;
  }

  /** Places a trigger that no price reaches. */
  placeFar(user: NaiveUser, instrument: Future): void {
    this.#place(this.#draws.farPlan(user, instrument));
  }

  /** Moves the price to the target, or beside it. */
  reach(trigger: NaiveTrigger): void {
    this.#stage.setPrices(this.#draws.edge(trigger));
  }

  /** Cancels all triggers of an account in a category. */
  cancelAllOf(user: NaiveUser, category: FuturesCategory): void {
    const { naive, uids, run } = this.#stage;
    naive.begin(user);
    cancelTriggers(naive, user, category, undefined, [], undefined);
    run({ type: 'cancelTriggers', uid: uids[user.name]!, category, kinds: [] });
  }

  #placePlan(): void {
    this.#place(this.#draws.plan());
  }

  #place({ user, instrument, plan }: ReturnType<TriggerDraws['plan']>): void {
    const { naive, uids, run } = this.#stage;
    naive.begin(user);
    placePlan(naive, user, instrument, plan);
    const { kind, side, source, reduceOnly, takeProfit, stopLoss } = plan;
    const { symbol, category } = instrument;
    run({
      type: 'placeTrigger',
      uid: uids[user.name]!,
      category,
      trigger: {
        ...{ kind, symbol, side, source, reduceOnly, marginMode: plan.mode ?? 'asSet' },
        size: decimal(plan.size),
        triggerPrice: decimal(plan.triggerPrice),
        ...(plan.name === undefined ? {} : { clientOid: plan.name as ClientOid }),
        ...(plan.positionSide === undefined ? {} : { positionSide: plan.positionSide }),
        orderType: plan.price === undefined ? 'market' : 'limit',
        ...given('price', plan.price),
        ...given('callbackRate', plan.callback),
        ...(plan.stp === undefined ? {} : { selfTradeMode: plan.stp as SelfTradeMode }),
        ...(takeProfit === undefined ? {} : { takeProfit: asked(takeProfit) }),
        ...(stopLoss === undefined ? {} : { stopLoss: asked(stopLoss) }),
      },
    });
  }

  #placeProtected(): void {
    const { naive, uids, run } = this.#stage;
    const { user, instrument, draft } = this.#draws.protectedOrder();
    naive.begin(user);
    naive.place(user, instrument, draft);
    const { takeProfit, stopLoss } = draft.attached;
    const tpsl = {
      ...(takeProfit === undefined ? {} : { takeProfit: asked(takeProfit) }),
      ...(stopLoss === undefined ? {} : { stopLoss: asked(stopLoss) }),
    };
    const orders = [{ order: engineDraft(instrument, draft), ...tpsl }];
    run({
      type: 'placeProtectedOrders',
      uid: uids[user.name]!,
      category: instrument.category,
      orders,
    });
  }

  #placeTpslOrders(): void {
    const { naive, uids, run } = this.#stage;
    const { user, instrument, side, stp, tpsl } = this.#draws.tpsl();
    naive.begin(user);
    placeTpslOrders(naive, user, instrument, side, stp, tpsl);
    const { symbol, category } = instrument;
    const drafts = tpsl.map(
      ({ kind, source, triggerPrice, size, price, callback }): ExitDraft => ({
        kind: kind as ExitDraft['kind'],
        source,
        triggerPrice: decimal(triggerPrice),
        size: decimal(size),
        ...given('price', price),
        ...given('callbackRate', callback),
      }),
    );
    run({
      type: 'placeTpsl',
      uid: uids[user.name]!,
      category,
      symbol,
      side,
      selfTradeMode: stp as SelfTradeMode | undefined,
      tpsl: drafts,
    });
  }

  #change(): void {
    const { naive, uids, run } = this.#stage;
    const { user, trigger, exit, change } = this.#draws.change();
    const { category } = trigger.instrument;
    naive.begin(user);
    changeTrigger(naive, user, trigger.number, exit, change);
    const { size, price, triggerPrice, source, callback } = change;
    run({
      type: 'changeTrigger',
      uid: uids[user.name]!,
      category: category as 'USDT-FUTURES',
      exit,
      triggerId: this.#ids[trigger.number]!,
      change: {
        ...given('size', size),
        ...given('price', price),
        ...given('triggerPrice', triggerPrice),
        ...given('callbackRate', callback),
        ...(source === undefined ? {} : { source }),
      },
    });
  }

  #cancel(): void {
    const { naive, uids, run } = this.#stage;
    const { user, instrument, symbol, kinds, numbers } = this.#draws.cancel();
    const { category } = instrument;
    naive.begin(user);
    cancelTriggers(naive, user, category, symbol, kinds, numbers);
    const triggers = numbers?.map((number) => ({ triggerId: this.#ids[number]! }));
    run({
      type: 'cancelTriggers',
      uid: uids[user.name]!,
      category,
      kinds: [...kinds],
      ...(symbol === undefined ? {} : { symbol }),
      ...(triggers === undefined ? {} : { triggers }),
    });
  }

  /**
   * `order` is the number of an engine order. TP/SL that start and end in one command need not be
   * emitted.
   */
  compare(events: Executed['events'], order: (id: Id) => number): void {
    const emitted = withoutPassing(events.flatMap((event) => this.#emitted(event, order)));
    const naive = withoutPassing(
      this.#stage.naive.report.triggers.map(([number, what]) => [number, what]),
    );
    const placed = naive.filter(([, what]) => what.startsWith('placed')).map(([number]) => number);
    for (const [id, what] of emitted)
      if (what.startsWith('placed')) this.#name(id as Id, placed.shift());
    const line = ([number, what]: EmittedEvents): string => `${number} ${what}`;
    same(
      'triggers',
      inAnyOrder(emitted.map(([id, what]) => [this.#number(id as Id), what])).map(line),
      inAnyOrder(naive).map(line),
    );
  }

  #emitted(event: Executed['events'][number], order: (id: Id) => number): EmittedEvents[] {
    if (event.type === 'triggerPlaced')
      return [[event.trigger.triggerId, `placed ${this.#described(event.trigger)}`]];
    if (event.type === 'triggerChanged')
      return [[event.trigger.triggerId, `changed ${this.#described(event.trigger)}`]];
    if (event.type === 'triggerFired') return [[event.triggerId, `fired ${order(event.orderId)}`]];
    if (event.type === 'triggerFailed')
      return [[event.triggerId, `failed ${event.refusal.reason}`]];
    return event.type === 'triggerCancelled'
      ? [[event.triggerId, `cancelled ${event.reason}`]]
      : [];
  }

  #name(id: Id, number = -1): void {
    this.#numbers.set(id, number);
    this.#ids[number] = id;
  }

  #number(id: Id): number {
    return this.#numbers.get(id) ?? -1;
  }

  #described(row: TriggerRow): string {
    const user = this.#stage.naive.users[this.#stage.uids.indexOf(row.uid)]!;
    const instrument = { symbol: row.symbol } as NaiveTrigger['instrument'];
    return described({
      ...{
        user,
        instrument,
        kind: row.kind,
        side: row.side,
        positionSide: row.positionSide,
        reduceOnly: row.reduceOnly,
      },
      ...{
        stp: row.selfTradeMode,
        source: row.source,
        triggerPrice: row.triggerPrice,
        size: row.size,
        price: row.price,
      },
      callback: row.callbackRate,
      isolated: row.marginMode === 'isolated',
      takeProfit: tpslText(row.takeProfit),
      stopLoss: tpslText(row.stopLoss),
    });
  }

  /** Compares waiting triggers. */
  compareWaiting({ state }: Engine): void {
    const { triggers } = this.#stage.naive;
    same(
      'live triggers',
      [...state.triggers.keys()].map((id) => this.#number(id)),
      [...triggers.map(({ number }) => number)],
    );
    for (const trigger of triggers) {
      const own = state.triggers.get(this.#ids[trigger.number]!)!;
      const ocoSibling = own.ocoSibling === undefined ? undefined : this.#number(own.ocoSibling);
      const kept = [
        own.triggerPrice,
        own.source,
        own.price,
        own.callbackRate,
        own.trail?.best,
        ocoSibling,
      ];
      const isSiblingThere =
        trigger.ocoSibling !== undefined && triggers.includes(trigger.ocoSibling);
      const { triggerPrice, source, price, callback, best } = trigger;
      same(`trigger ${trigger.number}`, kept, [
        triggerPrice,
        source,
        price,
        callback,
        best,
        isSiblingThere ? trigger.ocoSibling!.number : undefined,
      ]);
      if (best === undefined)
        same(`way of trigger ${trigger.number}`, [own.way], [trigger.rises ? 'rising' : 'falling']);
    }
  }
}

/** Trigger number and its end. */
type EmittedEvents = readonly [number, string];

/** Without triggers that were placed and ended with their position in one command. */
function withoutPassing(emitted: readonly EmittedEvents[]): readonly EmittedEvents[] {
  const did = (name: number, begins: string): boolean =>
    emitted.some(([each, what]) => each === name && what.startsWith(begins));
  return emitted.filter(
    ([name]) => !(did(name, 'placed') && did(name, 'cancelled positionClosed')),
  );
}

/** If a trade closes positions of two accounts, the order of their TP/SL ends is not defined. */
function inAnyOrder(emitted: readonly EmittedEvents[]): readonly EmittedEvents[] {
  const goes = ([, what]: EmittedEvents): boolean => what === 'cancelled positionClosed';
  const sorted: EmittedEvents[] = [];
  for (const each of emitted) {
    let at = sorted.length;
    while (goes(each) && at > 0 && goes(sorted[at - 1]!) && sorted[at - 1]![0] > each[0]) at--;
    sorted.splice(at, 0, each);
  }
  return sorted;
}

const asked = ({ triggerPrice, source, price }: NaiveTpsl) => ({
  triggerPrice: decimal(triggerPrice),
  source,
  ...given('price', price),
});

const tpslText = (exit: AttachedTpsl | undefined): NaiveTpsl | undefined => {
  if (exit === undefined) return undefined;
  const { source } = exit;
  if (exit.kind === 'percent')
    return { triggerPrice: exit.percent, isPercent: true, source, price: undefined };
  return { triggerPrice: exit.triggerPrice, isPercent: false, source, price: exit.price };
};
