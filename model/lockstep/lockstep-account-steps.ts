/** Steps that change settings, margin or money of an account, or close its positions. */
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { units } from '../exchange/whole-units.ts';
import type { Stream } from './lockstep-stream.ts';
import { BOOKS } from './lockstep-world.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

export class AccountSteps {
  readonly #stream: Stream;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  setLeverage(): void {
    const { random, draws, naive, compare, run, uidOf } = this.#stream;
    const [user, instrument] = draws.someone();
    const { category, symbol } = instrument;
    const leverage = random.pick(['1', '2', '3', '5', '7', '10', '20', '50', '75', '125']);
    naive.begin();
    naive.setLeverage(user, instrument, units(leverage));
    compare(
      run({
        type: 'setLeverage',
        uid: uidOf(user),
        category,
        symbol,
        leverage: decimal(leverage),
      }),
    );
  }

  setCoinLeverage(): void {
    const { random, naive, compare, run, uidOf, instruments } = this.#stream;
    const user = random.pick(naive.users);
    const coin = random.pick(
      instruments === BOOKS ? ['USDT', 'BTC', 'ETH'] : ['USDT', 'BTC', 'USDC'],
    );
    const leverage = random.pick(['1', '2', '3', '5', '7', '10']);
    naive.begin();
    naive.setCoinLeverage(user, coin, units(leverage));
    compare(
      run({
        type: 'setCoinLeverage',
        uid: uidOf(user),
        coin,
        leverage: decimal(leverage),
      }),
    );
  }

  setCountdown(): void {
    const { random, naive, compare, run, uidOf } = this.#stream;
    const user = random.pick(naive.users);
    const ms = random.pick([0, 4_999, 5_000, 20_000, 60_000, 60_001]);
    naive.begin();
    naive.setCountdown(user, ms);
    compare(run({ type: 'setCountdown', uid: uidOf(user), ms }));
  }

  adjustMargin(): void {
    const { random, draws, naive, compare, run, uidOf } = this.#stream;
    const [user, instrument] = draws.someone();
    const { category, symbol } = instrument;
    const side = random.pick(['long', 'short'] as const);
    const amount = random.pick(['0.0000000001', '10', '333.3333333333', '5000', '100000']);
    const direction = random.pick(['add', 'remove'] as const);
    naive.begin();
    naive.adjustMargin(
      user,
      instrument,
      side,
      direction === 'add' ? units(amount) : -units(amount),
    );
    const uid = uidOf(user);
    compare(
      run({
        type: 'adjustMargin',
        uid,
        category,
        symbol,
        side,
        amount: decimal(amount),
        direction,
      }),
    );
  }

  deposit(): void {
    const { draws, naive, compare, run, uidOf } = this.#stream;
    const [user, coin, size] = draws.deposit();
    naive.begin();
    naive.deposit(user, coin, units(size));
    compare(run({ type: 'deposit', uid: uidOf(user), coin, size: decimal(size) }));
  }

  closeAll(): void {
    const { draws, naive, compare, run, uidOf } = this.#stream;
    const [user, instrument] = draws.someone();
    const { category, symbol } = instrument;
    naive.begin();
    naive.closeAll(user, category, symbol);
    compare(run({ type: 'closePositions', uid: uidOf(user), category, symbol }));
  }
}
