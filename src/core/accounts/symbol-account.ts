/** One account in one future: its orders, its positions and its setting. A seat that was taken once stays, empty as it may be. */
import type { Rate } from '../../kernel/money.ts';
import type { PositionSide, Side } from '../../messages/vocabulary.ts';
import type { Accrual, Accruals } from '../agents/agent-books.ts';
import type { MarketContext } from '../instruments/market-context.ts';
import { rateFromText } from '../margin/rates.ts';
import type { OpenOrders, SideSums } from '../orders/open-orders.ts';
import type { Order } from '../orders/order.ts';
import { type Position, positionOf } from '../positions/position.ts';
import type { State, SymbolSetting } from '../state.ts';
import type { AccountContext } from './account-context.ts';
import { settingOf } from './settings.ts';

const noSums = (): SideSums => ({ left: 0, opening: 0, inexact: false });

export class SymbolAccount implements OpenOrders {
  readonly context: AccountContext;
  readonly market: MarketContext;
  long: Position | undefined;
  short: Position | undefined;
  /** What fees he has paid here, and on the day that these are the books of. */
  accrual: Accrual | undefined;
  accruedIn: Accruals | undefined;
  #setting: Readonly<SymbolSetting>;
  #leverage: Rate;
  readonly all: Order[] = [];
  reduceOnly = 0;
  readonly buy: SideSums = noSums();
  readonly sell: SideSums = noSums();

  constructor(state: State, context: AccountContext, market: MarketContext) {
    this.context = context;
    this.market = market;
    this.long = positionOf(state, context.uid, market.key, 'long');
    this.short = positionOf(state, context.uid, market.key, 'short');
    this.#setting = settingOf(state, context.account, market.key);
    this.#leverage = rateFromText(this.#setting.leverage);
  }

  get setting(): Readonly<SymbolSetting> {
    return this.#setting;
  }

  set setting(setting: Readonly<SymbolSetting>) {
    this.#setting = setting;
    this.#leverage = rateFromText(setting.leverage);
  }

  /** What crossed positions are margined at. */
  get crossedLeverage(): Rate {
    return this.#leverage;
  }

  position(side: PositionSide): Position | undefined {
    return side === 'long' ? this.long : this.short;
  }

  setPosition(side: PositionSide, position: Position | undefined): void {
    if (side === 'long') this.long = position;
    else this.short = position;
  }

  sums(side: Side): SideSums {
    return side === 'buy' ? this.buy : this.sell;
  }
}
