/** Users of the desk runs: deposits, trades and the passing of time. */
import { given } from '../../src/kernel/given.ts';
import type { ClientOid, Uid } from '../../src/kernel/ids.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import { DEFAULT_INSTRUMENTS } from '../../src/listings/default-instruments.ts';
import type { CommandOf } from '../../src/messages/commands.ts';
import { FEE_CREDIT_KINDS, type Level } from '../../src/messages/vocabulary.ts';
import { type DeskUser, LEVEL_NAMES } from '../exchange/naive-desk-state.ts';
import { shown, units } from '../exchange/whole-units.ts';
import { DeskLockstep } from './lockstep-desk.ts';
import { CONTRACTS, decimal } from './lockstep-desk-world.ts';
import { drawListing } from './lockstep-listings.ts';
import type { Counters } from './lockstep-run.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const USERS_MAX = 14;
const BTC_PRICES = ['40000', '50000', '62500', '64000', '61234.5'];

export abstract class DeskTraders extends DeskLockstep {
  readonly random: Random;

  constructor(seed: number, counters: Counters) {
    super(seed, counters);
    this.random = seededRandom(seed);
    this.price('BTC', '50000');
    for (let at = 0; at < 7; at++) this.join();
  }

  user(): DeskUser {
    return this.random.pick(this.desk.users);
  }

  credit(uid: number, coin: string, size: string, clientOid: string | undefined): void {
    this.run(
      {
        type: 'deposit',
        uid: uid as Uid,
        coin,
        size: decimal(size),
        ...given({ clientOid: clientOid as ClientOid | undefined }),
      },
      () => this.desk.deposit(uid, coin, size, clientOid),
    );
  }

  trades(): void {
    const { random } = this;
    const roll = random.below(19);
    if (roll < 12) this.trade();
    else if (roll === 12) this.price(random.pick(['BTC', 'BTC', 'XRP']));
    else if (roll === 13) this.makeAgent();
    else if (roll === 14) this.grant();
    else if (roll === 15) this.setFees();
    else if (roll === 16) this.usePair();
    else if (roll === 17) this.relist();
    else this.switchMarket();
  }

  /** Mostly a moment; sometimes to the edge of a day in UTC or UTC+8, or far beyond. */
  letTimePass(): void {
    const { random } = this;
    const { now } = this.desk;
    const roll = random.below(100);
    const toUtc = DAY - (now % DAY);
    const toSettlement = DAY - ((now + 8 * HOUR) % DAY);
    let span = random.below(3) * random.below(2_000);
    if (roll < 3) span = toUtc + random.pick([-1, 0, 1]);
    else if (roll < 6) span = toSettlement + random.pick([-1, 0, 1]);
    else if (roll < 9) span = random.below(9 * HOUR);
    else if (roll === 9) span = random.pick([DAY, 3 * DAY, 31 * DAY]);
    if (roll === 10) {
      this.run({
        type: 'moveClock',
        wall: now as Timestamp,
        advanceMs: random.pick([toUtc, toSettlement, 2 * DAY]),
      });
      this.desk.now = this.engine.at;
    } else this.desk.now += span;
    if (roll > 90) this.run({ type: 'tick' });
  }

  join(): void {
    const { users } = this.desk;
    if (users.length >= USERS_MAX) return;
    const { random } = this;
    const masters = users.filter(({ uid, master }) => uid === master);
    const master = masters.length > 2 && random.below(3) === 0 ? random.pick(masters) : undefined;
    const codes = [...this.engine.state.agentBooks.referralCodes.keys()];
    const level = random.below(5) === 0 ? random.below(LEVEL_NAMES.length) : 0;
    const at = users.length;
    const [email, mobile] = [
      random.below(2) === 0 ? `u${at}@example.com` : undefined,
      random.below(2) === 0 ? `1380000${at + 1000}` : undefined,
    ];
    const command: CommandOf<'createUser'> = {
      type: 'createUser',
      level: LEVEL_NAMES[level] as Level,
      positionMode: 'oneWay',
      ...given({
        parentUid: master?.uid as Uid | undefined,
        email,
        mobile,
        areaCode: mobile && '86',
      }),
      ...(codes.length > 0 && random.below(3) > 0 ? { referralCode: random.pick(codes) } : {}),
    };
    const uid = Number(this.engine.state.nextUid);
    const leverage = random.pick([10, 20, 50]);
    this.desk.users.push({
      uid,
      master: master?.uid ?? uid,
      given: level,
      level,
      email,
      mobile: mobile && `86${mobile}`,
      wallets: {},
      debts: {},
      pairDebts: {},
    });
    const { outcome } = this.run(command);
    if (!outcome.ok || (outcome.value as { uid: number }).uid !== uid)
      throw new Error(`user not created: ${JSON.stringify(outcome)}`);
    for (const contract of CONTRACTS) {
      const named = { uid: uid as Uid, ...contract };
      this.run({ type: 'setLeverage', ...named, leverage: decimal(`${leverage}`) });
      if (random.below(4) === 0)
        this.run({ type: 'setMarginMode', ...named, marginMode: 'isolated' });
    }
    if (random.below(3) === 0) this.makeAgent(uid);
    for (const [coin, most] of [
      ['USDT', 40_000],
      ['BTC', 1],
      ['XRP', 9_000],
    ] as const)
      this.credit(uid, coin, (random.fraction() * most).toFixed(random.below(10) + 1), undefined);
  }

  /** Sets an index, and pins the mark or lets it follow the index. */
  price(coin: string, price?: string): void {
    const { random } = this;
    const input =
      price ?? (coin === 'XRP' ? random.pick(['0.5', '0.5123', '2']) : random.pick(BTC_PRICES));
    const contracts =
      coin === 'BTC' ? CONTRACTS : [{ category: 'USDT-FUTURES' as const, symbol: `${coin}USDT` }];
    const pinned = contracts.filter(() => random.below(3) > 0).map(({ symbol }) => symbol);
    const prices = contracts.map((contract) => {
      const mark = pinned.includes(contract.symbol)
        ? { mark: decimal(input), releaseMark: false }
        : { releaseMark: true };
      return { ...contract, index: decimal(input), ...mark, force: true };
    });
    this.run({ type: 'setPrices', prices }, () => {
      this.desk.indexes[coin] = units(input);
      this.desk.known[coin] = this.desk.now;
      for (const { symbol } of contracts) this.pinned.delete(symbol);
      for (const symbol of pinned) this.pinned.add(symbol);
      return 'accepted';
    });
  }

  /** While the market is on, an index without an update for ten seconds is stale. */
  switchMarket(): void {
    const on = !this.isMarketOn;
    this.run({ type: 'switchMarket', on }, () => {
      this.isMarketOn = on;
      return 'accepted';
    });
  }

  makeAgent(uid: number = this.user().uid): void {
    const { random } = this;
    const ratio = () => decimal(random.pick(['0', '0.07', '0.3333333333', '1']));
    this.run({
      type: 'makeAgent',
      uid: uid as Uid,
      affiliation: 'affiliate',
      spotRatio: ratio(),
      futuresRatio: ratio(),
      userShare: ratio(),
    });
  }

  grant(): void {
    const { random } = this;
    const input = {
      coin: random.pick(['USDT', 'BTC']),
      kind: random.pick(FEE_CREDIT_KINDS),
      size: decimal(random.pick(['0.5', '0.0000000007', '30'])),
    };
    this.run({ type: 'grantFeeCredit', uid: this.user().uid as Uid, ...input });
  }

  setFees(): void {
    const [maker, taker] = this.random.pick([
      ['0', '0.0001'],
      ['0.0002', '0.0006'],
      ['0.01', '0.1'],
    ] as const);
    const rates = LEVEL_NAMES.map((level) => ({
      level: level as Level,
      maker: decimal(maker),
      taker: decimal(taker),
    }));
    this.run({ type: 'setFees', market: this.random.pick(['spot', 'futures']), rates });
  }

  /** Changes tiers and limits of a contract, or restores them. */
  relist(): void {
    const { category, symbol } = this.random.pick(CONTRACTS);
    const first = DEFAULT_INSTRUMENTS.find(
      (each) => each.category === category && each.symbol === symbol,
    )!;
    this.list(this.random.below(2) === 0 ? first : drawListing(this.random, first));
    this.count('contract listed again');
  }

  /** Money in a pair still belongs to the user. */
  usePair(): void {
    const { random } = this;
    const coin = random.pick(['USDT', 'BTC']);
    const amount = decimal(
      coin === 'BTC' ? `0.0${1 + random.below(9)}` : `${100 + random.below(4_000)}`,
    );
    const named = { uid: this.user().uid as Uid, symbol: 'BTCUSDT', coin, amount };
    if (random.below(3) === 0) this.run({ type: 'borrowIsolated', ...named });
    else
      this.run({
        type: 'transferIsolated',
        ...named,
        direction: random.pick(['in', 'in', 'out']),
        clientOid: undefined,
      });
  }

  /** Two users trade at the index, or one order waits far from it. */
  trade(): void {
    const { random } = this;
    const [category, digits, symbol = 'BTCUSDT'] = random.pick([
      ['SPOT', 5],
      ['MARGIN', 5],
      ['USDT-FUTURES', 4],
      ['USDT-FUTURES', 4],
      ['COIN-FUTURES', 4, 'BTCUSD'],
    ] as const);
    const index = Number(shown(this.desk.indexes.BTC!));
    const size = decimal(
      (random.fraction() * random.pick([0.05, 0.5, 5]) + 0.0001).toFixed(digits),
    );
    const order = (user: DeskUser, side: 'buy' | 'sell', price: number): void => {
      const draft = {
        symbol,
        side,
        orderType: 'limit' as const,
        size,
        price: decimal(price.toFixed(1)),
        timeInForce: 'gtc' as const,
      };
      this.run({
        type: 'placeOrders',
        uid: user.uid as Uid,
        category,
        orders: [{ ...draft, reduceOnly: false }],
      });
    };
    const user = this.user();
    const roll = random.below(10);
    if (roll === 0) this.run({ type: 'cancelAllOrders', uid: user.uid as Uid, category });
    else if (roll < 3)
      order(user, random.pick(['buy', 'sell']), index * (random.below(2) === 0 ? 0.8 : 1.2));
    else {
      const other = this.user();
      // Sometimes often enough to earn a level.
      for (let count = random.below(6) === 0 ? 12 : 1; count > 0; count--) {
        order(count % 2 === 0 ? other : user, 'buy', index);
        order(count % 2 === 0 ? user : other, 'sell', index);
      }
      if (random.below(2) === 0)
        this.run({ type: 'cancelAllOrders', uid: user.uid as Uid, category });
    }
  }
}
