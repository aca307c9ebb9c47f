/** Sets a list of index prices and pinned mark prices, all or none. */

import { isDollar } from '../../formulas/index-price.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { given } from '../../kernel/given.ts';
import {
  absolute,
  minus,
  moneyFromText,
  moneyText,
  ONE_RATE,
  type Price,
} from '../../kernel/money.ts';
import { ok, type Refused, type Result } from '../../kernel/result.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { Instrument } from '../../messages/listings.ts';
import type { Rejection } from '../../messages/rejections.ts';
import { type Category, isFutures } from '../../messages/vocabulary.ts';
import { isStillHeld } from '../derived/held-scenes.ts';
import { instrumentKey } from '../derived/instrument-spec.ts';
import { coinPriceOf, INDEX_MOVE_MAX } from '../derived/market-context.ts';
import { BALANCE_MAX } from '../ledger/ledger.ts';
import type { State } from '../state/state.ts';
import { done, type Handler, type Reaction, reject, type Step } from '../transaction/step.ts';
import { ownPrices } from './market-prices.ts';

export const pinWithScene: Reaction<'sceneHeld'> = (step, { category, symbol, mark, again }) => {
  if (mark === undefined) return;
  const prices = ownPrices(step.state, instrumentKey(category, symbol));
  // The operator has pinned the mark, or has released it during the scene.
  if (prices.pinnedByScene !== true && (again || prices.pinned !== undefined)) return;
  prices.pinnedByScene = true;
  if (prices.pinned === mark) return;
  prices.pinned = mark;
  step.emit({ type: 'markPinned', category, symbol, price: mark });
};

export const releaseAfterScene: Reaction<'sceneEnded'> = (step, { held }) => {
  if (held?.name !== 'markIndexSplit') return;
  const { category, symbol } = held;
  const prices = step.state.symbolPrices.get(instrumentKey(category, symbol));
  if (prices?.pinnedByScene !== true || isStillHeld(step.state, held)) return;
  prices.pinned = undefined;
  prices.pinnedByScene = undefined;
  step.emit({ type: 'markPinned', category, symbol });
};

/** Prices of one command: twice the symbols of a large exchange. */
const PRICES_PER_COMMAND_MAX = 10_000;

/** Prices have the same bound as money. */
const PRICE_MAX = BALANCE_MAX as bigint as Price;

type PriceRequest = CommandOf<'setPrices'>['prices'][number];

interface Pin {
  readonly category: Category;
  readonly symbol: string;
  /** Undefined releases the pin. */
  readonly price: Price | undefined;
}

/** A checked list, before any of it is applied. */
interface PricePlan {
  readonly indexes: Map<string, Price>;
  readonly pins: Pin[];
}

/** Such a move is probably a typing error. */
const isJump = (last: Price, next: Price): boolean =>
  absolute(minus(next, last)) * ONE_RATE > last * INDEX_MOVE_MAX;

export function readPrice(field: 'index' | 'mark', text: DecimalText): Result<Price, Rejection> {
  const price = moneyFromText<Price>(text);
  if (price === undefined) return reject('tooFine', field);
  if (price <= 0n || price > PRICE_MAX)
    return reject('fieldOutOfRange', field, `above 0, and ${moneyText(PRICE_MAX)} at most`);
  return ok(price);
}

function planIndex(
  state: State,
  plan: PricePlan,
  { baseCoin, quoteCoin }: Instrument,
  text: DecimalText,
  force: boolean,
): Refused<Rejection> | undefined {
  if (isDollar(baseCoin) || !isDollar(quoteCoin)) return reject('priceDerived', 'index');
  const price = readPrice('index', text);
  if (!price.ok) return price;
  // Two prices of a coin in one list are a mistake, or an attempt to bypass the guard below.
  if ((plan.indexes.get(baseCoin) ?? price.value) !== price.value)
    return reject('fieldInvalid', 'index', `${baseCoin} has two prices in this list`);
  const last = coinPriceOf(state, baseCoin);
  if (!force && last !== undefined && isJump(last, price.value))
    return reject('priceJumpTooLarge', 'index', text);
  plan.indexes.set(baseCoin, price.value);
  return undefined;
}

function planMark(
  plan: PricePlan,
  { category, symbol, mark }: PriceRequest,
): Refused<Rejection> | undefined {
  if (!isFutures(category)) return reject('fieldInvalid', 'mark', 'only futures have a mark price');
  const price = mark === undefined ? undefined : readPrice('mark', mark);
  if (price !== undefined && !price.ok) return price;
  plan.pins.push({ category, symbol, price: price?.value });
  return undefined;
}

function planPrice(
  state: State,
  plan: PricePlan,
  request: PriceRequest,
): Refused<Rejection> | undefined {
  const { category, symbol, index, mark, releaseMark, force } = request;
  const listed = state.instruments.get(instrumentKey(category, symbol));
  if (listed === undefined) return reject('unknownSymbol', 'symbol', symbol);
  if (mark !== undefined && releaseMark) return reject('fieldInvalid', 'mark');
  if (index === undefined && mark === undefined && !releaseMark)
    return reject('oneOfFieldsNeeded', 'index, mark');
  const refused =
    index === undefined ? undefined : planIndex(state, plan, listed.instrument, index, force);
  if (refused !== undefined) return refused;
  return mark !== undefined || releaseMark ? planMark(plan, request) : undefined;
}

/** Adds the row of the list to the field of a refusal. */
function inList({ refusal }: Refused<Rejection>, at: number): Refused<Rejection> {
  const { reason, field, detail } = refusal;
  return field === 'index, mark'
    ? reject(reason, `prices[${at}].index, prices[${at}].mark`, detail)
    : reject(reason, `prices[${at}].${field as 'symbol' | 'index' | 'mark'}`, detail);
}

function pin(step: Step, { category, symbol, price }: Pin): void {
  const key = instrumentKey(category, symbol);
  const known = step.state.symbolPrices.get(key);
  // A pin by command takes over from the scene.
  if (known?.pinnedByScene) known.pinnedByScene = undefined;
  if (known?.pinned === price) return;
  ownPrices(step.state, key).pinned = price;
  step.emit({ type: 'markPinned', category, symbol, ...given({ price }) });
}

export const setPrices: Handler<'setPrices'> = (step, { prices }) => {
  if (prices.length > PRICES_PER_COMMAND_MAX)
    return reject('tooManyItems', 'prices', `${PRICES_PER_COMMAND_MAX}`);
  const plan: PricePlan = { indexes: new Map(), pins: [] };
  for (const [at, request] of prices.entries()) {
    const refused = planPrice(step.state, plan, request);
    if (refused !== undefined) return prices.length === 1 ? refused : inList(refused, at);
  }

  for (const [baseCoin, price] of plan.indexes) {
    step.state.indexPrices.set(baseCoin, { price, updatedAt: step.at });
    step.derived.headroom.invalidateAll();
    // Emitted also for an unchanged price, because a fresh price ends a freeze.
    step.emit({ type: 'indexPriceMoved', baseCoin, price });
  }
  for (const request of plan.pins) pin(step, request);
  return done;
};
