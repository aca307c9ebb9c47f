/**
 * Random event streams that the core could emit: ids and sequences grow, and a user's creation
 * comes first.
 */
import fc from 'fast-check';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { ClientOid, Id, Sequence, Uid } from '../kernel/ids.ts';
import { type Amount, negate, type Price, ZERO_AMOUNT } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Event, EventBatch, LedgerLine } from '../messages/events.ts';
import type { Coin, Instrument } from '../messages/listings.ts';
import type { LedgerAccount } from '../messages/vocabulary.ts';

export const COINS = ['USDT', 'BTC', 'ETH'] as const;
export const FIRST_AT = 1_789_000_000_000 as Timestamp;
export const uidNumbered = (number: number): Uid => (1_000_000_001 + number) as Uid;

export const coinListing = (coin: string): Coin => ({
  coin,
  collateralRate: '1' as DecimalText,
  leverage: '3' as DecimalText,
  leverageMax: '5' as DecimalText,
  automaticLimitUsd: '1000' as DecimalText,
  singleLimitUsd: '100000' as DecimalText,
  chains: [],
});

export const instrumentListing = (
  category: Instrument['category'],
  symbol: string,
  baseCoin: string,
  quoteCoin: string,
): Instrument => ({
  category,
  symbol,
  baseCoin,
  quoteCoin,
  marginCoin: quoteCoin,
  priceStep: '0.1' as DecimalText,
  sizeStep: '0.001' as DecimalText,
  sizeMin: '0.001' as DecimalText,
  sizeMax: '1000' as DecimalText,
  marketSizeMax: '100' as DecimalText,
  priceBandRate: '0.05' as DecimalText,
  leverageMax: '125' as DecimalText,
  fundingHours: 8,
  tiers: [],
});

/**
 * Builds a run of events: numbers ids, tracks balances, and puts each call of `next` in its own
 * batch.
 */
export class EventStream {
  readonly batches: EventBatch[] = [];
  readonly users: Uid[] = [];
  readonly keys: string[] = [];
  readonly #balances = new Map<string, Amount>();
  #nextId = 1;

  next(...events: readonly Event[]): EventBatch {
    const sequence = (this.batches.length + 1) as Sequence;
    const batch: EventBatch = { sequence, at: (FIRST_AT + sequence * 1_000) as Timestamp, events };
    this.batches.push(batch);
    return batch;
  }

  createUser(name?: string): Event {
    const uid = uidNumbered(this.users.length);
    this.users.push(uid);
    return {
      type: 'userCreated',
      user: { uid, level: 'VIP0', ...(name === undefined ? {} : { name }) },
      positionMode: 'oneWay',
    };
  }

  line(uid: Uid | undefined, coin: string, account: LedgerAccount, amount: Amount): LedgerLine {
    const key = `${uid ?? 'house'}:${coin}:${account}`;
    const balance = ((this.#balances.get(key) ?? ZERO_AMOUNT) + amount) as Amount;
    this.#balances.set(key, balance);
    return {
      id: this.#nextId++ as Id,
      ...(uid === undefined ? {} : { uid }),
      coin,
      account,
      amount,
      balance,
    };
  }

  deposit(uid: Uid, coin: string, amount: Amount): readonly Event[] {
    const orderId = this.#nextId++ as Id;
    const lines = [
      this.line(undefined, coin, 'outside', negate(amount)),
      this.line(uid, coin, 'available', amount),
    ];
    return [
      { type: 'entryPosted', reason: 'deposit', lines },
      {
        type: 'depositCredited',
        orderId,
        uid,
        coin,
        amount,
        clientOid: `d${orderId}` as ClientOid,
      },
    ];
  }
}

type Move = (stream: EventStream) => readonly Event[];

const onUser =
  (act: (stream: EventStream, uid: Uid) => readonly Event[]) =>
  (user: number): Move =>
  (stream) => {
    const uid = stream.users[user % Math.max(1, stream.users.length)];
    return uid === undefined ? [stream.createUser()] : act(stream, uid);
  };

const user = fc.nat({ max: 20 });
const coin = fc.constantFrom(...COINS);
const price = fc.bigInt({ min: 1n, max: 10n ** 16n }).map((value) => value as Price);
const leverage = fc.integer({ min: 1, max: 125 }).map((value) => String(value) as DecimalText);
const side = fc.constantFrom('long' as const, 'short' as const, undefined);

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.constantFrom('ann', 'ben', undefined).map(
    (name): Move =>
      (stream) => [stream.createUser(name)],
  ),
  fc
    .tuple(user, coin, fc.bigInt({ min: 1n, max: 10n ** 18n }))
    .map(([of, inCoin, amount]) =>
      onUser((stream, uid) => stream.deposit(uid, inCoin, amount as Amount))(of),
    ),
  fc.tuple(user, leverage, side).map(([of, value, onSide]) =>
    onUser((_, uid) => [
      {
        type: 'leverageChanged',
        uid,
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        leverage: value,
        ...(onSide === undefined ? {} : { side: onSide }),
      },
    ])(of),
  ),
  fc
    .tuple(user, fc.constantFrom('crossed' as const, 'isolated' as const))
    .map(([of, marginMode]) =>
      onUser((_, uid) => [
        { type: 'marginModeChanged', uid, category: 'USDT-FUTURES', symbol: 'BTCUSDT', marginMode },
      ])(of),
    ),
  fc
    .tuple(user, fc.constantFrom('oneWay' as const, 'hedge' as const))
    .map(([of, positionMode]) =>
      onUser((_, uid) => [{ type: 'positionModeChanged', uid, positionMode }])(of),
    ),
  fc
    .tuple(user, coin, leverage)
    .map(([of, inCoin, value]) =>
      onUser((_, uid) => [{ type: 'coinLeverageChanged', uid, coin: inCoin, leverage: value }])(of),
    ),
  user.map(
    onUser((stream, uid) => {
      const apiKey = `key${stream.keys.length}`;
      stream.keys.push(apiKey);
      return [
        {
          type: 'keyCreated',
          key: {
            apiKey,
            uid,
            sealedSecret: 's',
            passphraseHash: 'p',
            permissions: ['uta_trade.read'],
            addresses: [],
          },
        },
      ];
    }),
  ),
  user.map(
    onUser((stream, uid) =>
      stream.keys.length === 0
        ? []
        : [{ type: 'keyRevoked', apiKey: stream.keys.pop() ?? '', uid }],
    ),
  ),
  coin.map(
    (name): Move =>
      () => [{ type: 'coinListed', coin: coinListing(name) }],
  ),
  fc.constantFrom('normal' as const, 'halted' as const, 'off' as const).map(
    (status): Move =>
      () => [
        {
          type: 'instrumentListed',
          instrument: instrumentListing('USDT-FUTURES', 'BTCUSDT', 'BTC', 'USDT'),
        },
        { type: 'instrumentStatusChanged', category: 'USDT-FUTURES', symbol: 'BTCUSDT', status },
      ],
  ),
  fc.tuple(coin, price).map(
    ([baseCoin, value]): Move =>
      () => [{ type: 'indexPriceMoved', baseCoin, price: value }],
  ),
  price.map(
    (value): Move =>
      () => [{ type: 'markPriceMoved', category: 'USDT-FUTURES', symbol: 'BTCUSDT', price: value }],
  ),
  fc.option(price, { nil: undefined }).map(
    (value): Move =>
      () => [
        {
          type: 'markPinned',
          category: 'USDT-FUTURES',
          symbol: 'BTCUSDT',
          ...(value === undefined ? {} : { price: value }),
        },
      ],
  ),
  fc.nat({ max: 10_000 }).map(
    (offsetMs): Move =>
      () => [{ type: 'clockMoved', clock: { offsetMs } }],
  ),
  fc.boolean().map(
    (on): Move =>
      () => [{ type: 'marketSwitched', on }],
  ),
  fc.constant<Move>(() => []),
);

/** A run of up to `max` batches; most hold one event group, some several or none. */
export const eventStreams = (max: number): fc.Arbitrary<readonly EventBatch[]> =>
  fc.array(fc.array(move, { minLength: 1, maxLength: 3 }), { maxLength: max }).map((moves) => {
    const stream = new EventStream();
    for (const together of moves) stream.next(...together.flatMap((act) => act(stream)));
    return stream.batches;
  });
