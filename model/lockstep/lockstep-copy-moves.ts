/**
 * Other acts of leaders, followers and the operator: modes, margin, open orders, halts and changes
 * of a leader's profit share.
 */
import type { Executed } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Id, Uid } from '../../src/kernel/ids.ts';
import type { Random } from '../../src/kernel/random.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { CopyingExchange } from '../exchange/naive-copying.ts';
import { modeOf } from '../exchange/naive-modes.ts';
import type { NaiveOrder, NaiveStatus, NaiveUser } from '../exchange/naive-state.ts';
import { statusOf } from '../exchange/naive-statuses.ts';
import { shown, units } from '../exchange/whole-units.ts';
import type { CopyDraws } from './lockstep-copy-draws.ts';
import { relistCopied } from './lockstep-copy-listings.ts';
import { COPY_FUTURES } from './lockstep-copy-world.ts';
import type { Future } from './lockstep-world.ts';

/** What the stream provides: both exchanges and their comparison. */
export interface CopyStage {
  readonly random: Random;
  readonly naive: CopyingExchange;
  readonly draws: CopyDraws;
  readonly uidOf: (user: NaiveUser) => Uid;
  readonly idOf: (order: NaiveOrder) => Id;
  readonly run: (command: Command) => Executed;
  readonly compare: (executed: Executed) => void;
}

const decimal = (text: string): DecimalText => text as DecimalText;
/** The smallest amount that is sent. */
const FINEST = units('0.00000001');
const LEVERAGES = ['2', '5', '10', '20', '50', '125'];

export class CopyMoves {
  readonly #stage: CopyStage;

  constructor(stage: CopyStage) {
    this.#stage = stage;
  }

  /** Sometimes reopens a halted symbol, sooner if more are halted. */
  reopen(): void {
    const { random, naive } = this.#stage;
    const closed = COPY_FUTURES.filter(
      (instrument) => statusOf(naive, instrument, false) !== 'normal',
    );
    if (closed.length > random.below(12)) this.#become(random.pick(closed), 'normal');
  }

  step(): void {
    const dice = this.#stage.random.below(32);
    if (dice < 2) this.#setMarginMode();
    else if (dice < 3) this.#setPositionMode();
    else if (dice < 6) this.#setLeverage();
    else if (dice < 9) this.#adjustMargin();
    else if (dice < 14) this.#modify();
    else if (dice < 17) this.#setStatus();
    else if (dice < 18) this.#cancelAll();
    else if (dice < 20) this.#makeLeader();
    else if (dice < 22) this.#setSelfTrade();
    else if (dice < 24) this.#deposit();
    else if (dice < 28) this.#transfer();
    else relistCopied(this.#stage);
  }

  #both(command: Command): void {
    const executed = this.#stage.run(command);
    // An answer that lists ended orders is compared by the ends.
    const isList = command.type === 'cancelAllOrders' && executed.outcome.ok;
    this.#stage.compare(
      isList ? { ...executed, outcome: { ok: true, value: undefined } } : executed,
    );
  }

  #someone(): [NaiveUser, Future] {
    const { random, naive } = this.#stage;
    const { positions } = naive;
    if (positions.length === 0 || random.below(3) === 0)
      return [random.pick(naive.users.slice(1)), random.pick(COPY_FUTURES)];
    const { user, instrument } = random.pick(positions);
    return [user, instrument as Future];
  }

  /** Mostly after cancelling and closing everything in the symbol. */
  #setMarginMode(): void {
    const { random, naive, uidOf } = this.#stage;
    const [user, instrument] = this.#someone();
    const { category, symbol } = instrument;
    if (random.below(3) > 0) this.#leave(user, category, symbol);
    const isolated = !user.settings[symbol]!.isolated;
    naive.begin(user);
    naive.setMarginMode(user, instrument, isolated);
    this.#both({
      type: 'setMarginMode',
      uid: uidOf(user),
      category,
      symbol,
      marginMode: modeOf(isolated),
    });
  }

  #leave(user: NaiveUser, category: Future['category'], symbol: string): void {
    const { naive, uidOf } = this.#stage;
    naive.begin(user);
    naive.cancelAll(user, category, symbol);
    this.#both({ type: 'cancelAllOrders', uid: uidOf(user), category, symbol });
    naive.begin(user);
    naive.closeAll(user, category, symbol);
    this.#both({ type: 'closePositions', uid: uidOf(user), category, symbol });
  }

  /** Leaders and followers stay in hedge mode. */
  #setPositionMode(): void {
    const { random, naive, uidOf } = this.#stage;
    const user = random.pick(naive.users.slice(1));
    const positionMode = random.pick(['hedge', 'oneWay', 'oneWay'] as const);
    if (random.below(2) === 0)
      for (const { category, symbol } of COPY_FUTURES) this.#leave(user, category, symbol);
    naive.begin(user);
    naive.setPositionMode(user, positionMode === 'hedge');
    this.#both({ type: 'setPositionMode', uid: uidOf(user), positionMode });
  }

  /** For one side or both. */
  #setLeverage(): void {
    const { random, naive, uidOf } = this.#stage;
    const [user, instrument] = this.#someone();
    const { category, symbol } = instrument;
    const leverage = random.pick(LEVERAGES);
    const side = random.pick(['long', 'short', undefined] as const);
    naive.begin(user);
    naive.setLeverage(user, instrument, units(leverage), side);
    this.#both({
      type: 'setLeverage',
      uid: uidOf(user),
      category,
      symbol,
      leverage: decimal(leverage),
      ...(side && { side }),
    });
  }

  #adjustMargin(): void {
    const { random, naive, uidOf } = this.#stage;
    const isolated = naive.positions.filter((each) => each.isolated);
    if (isolated.length === 0) return this.#setLeverage();
    const { user, instrument, side } = random.pick(isolated);
    const { category, symbol } = instrument as Future;
    const amount = shown(
      (units(random.pick(['10', '333.3333333333', '2000'])) * units('1')) /
        naive.indexOf(instrument.coin),
    );
    const direction = random.pick(['add', 'remove'] as const);
    naive.begin(user);
    naive.adjustMargin(
      user,
      instrument,
      side,
      direction === 'add' ? units(amount) : -units(amount),
    );
    this.#both({
      type: 'adjustMargin',
      uid: uidOf(user),
      category,
      symbol,
      side,
      amount: decimal(amount),
      direction,
    });
  }

  /** Changes price or size of an open order, mostly to a price that trades at once. */
  #modify(): void {
    const { random, naive, uidOf, idOf, draws } = this.#stage;
    const open = naive.orders.filter(({ user }) => user.name > 0);
    if (open.length === 0) return this.#cancelAll();
    const order = random.pick(open);
    const { price, size, replace } = draws.change(order);
    naive.begin(order.user);
    naive.modify(order.user, order.number, { price, size, replace });
    this.#both({
      type: 'modifyOrder',
      uid: uidOf(order.user),
      orderId: idOf(order),
      ...(price === undefined ? {} : { price: decimal(price) }),
      ...(size === undefined ? {} : { size: decimal(size) }),
      replace,
      autoCancel: false,
    });
  }

  #setStatus(): void {
    const { random } = this.#stage;
    const status = random.pick<NaiveStatus>([
      'halted',
      'halted',
      'halted',
      'halted',
      'halted',
      'cancelOnly',
      'off',
      'normal',
    ]);
    this.#become(random.pick(COPY_FUTURES), status);
  }

  #become(instrument: Future, status: NaiveStatus): void {
    const { naive } = this.#stage;
    const { category, symbol } = instrument;
    naive.begin();
    naive.setStatus(instrument, false, status);
    this.#both({ type: 'setInstrumentStatus', category, symbol, status });
  }

  #cancelAll(): void {
    const { random, naive, uidOf } = this.#stage;
    const [user, { category, symbol: one }] = [
      random.pick(naive.users.slice(1)),
      random.pick(COPY_FUTURES),
    ];
    const symbol = random.below(2) === 0 ? undefined : one;
    naive.begin(user);
    naive.cancelAll(user, category, symbol);
    this.#both({ type: 'cancelAllOrders', uid: uidOf(user), category, symbol });
  }

  /** A new profit share applies to later copies. */
  #makeLeader(): void {
    const { random, naive, uidOf, draws } = this.#stage;
    const [user, share] = [
      random.below(4) === 0 ? draws.trader() : draws.leader(),
      random.pick(['0', '0.1', '0.3333', '1']),
    ];
    const symbols =
      random.below(3) === 0
        ? COPY_FUTURES.filter(() => random.below(3) > 0).map(({ symbol }) => symbol)
        : undefined;
    const followersMax = random.below(3) === 0 ? 1 + random.below(4) : undefined;
    naive.begin(user);
    naive.makeLeader(user, { share: units(share), symbols, followersMax });
    const bounds = {
      ...(symbols === undefined ? {} : { symbols }),
      ...(followersMax === undefined ? {} : { followersMax }),
    };
    this.#both({ type: 'makeLeader', uid: uidOf(user), profitShare: decimal(share), ...bounds });
  }

  #setSelfTrade(): void {
    const { random, naive, uidOf, draws } = this.#stage;
    const user = draws.follower();
    const selfTradeMode = random.pick([
      'none',
      'none',
      'cancelTaker',
      'cancelMaker',
      'cancelBoth',
    ] as const);
    naive.begin(user);
    naive.setSelfTrade(user, selfTradeMode);
    this.#both({ type: 'setSelfTradeMode', uid: uidOf(user), selfTradeMode });
  }

  #deposit(): void {
    const { random, naive, uidOf } = this.#stage;
    const [user, coin] = [
      random.pick(naive.users.slice(1)),
      random.pick(['USDT', 'USDC', 'BTC', 'ETH']),
    ];
    const size = random.pick(
      coin.startsWith('USD') ? ['0.01', '300', '2000', '5000'] : ['0.0000000001', '0.01', '0.1'],
    );
    naive.begin(user);
    naive.deposit(user, coin, units(size));
    this.#both({ type: 'deposit', uid: uidOf(user), coin, size: decimal(size) });
  }
  /** The largest amount that may leave, a little more, or a part of it. */
  #transfer(): void {
    const { random, naive, uidOf } = this.#stage;
    const [user, other] = [random.pick(naive.users.slice(1)), random.pick(naive.users)];
    const coin = random.pick(['USDT', 'USDC', 'BTC', 'ETH']);
    naive.begin(user);
    const most = naive.mostToLeave(user, coin);
    const amount = random.pick([most, most + FINEST, most / 3n]);
    const size = shown((amount / FINEST) * FINEST);
    naive.transfer(user, other, coin, units(size));
    this.#both({
      type: 'transferToUser',
      uid: uidOf(user),
      coin,
      size: decimal(size),
      recipientKind: 'uid',
      recipient: `${uidOf(other)}`,
    });
  }
}
