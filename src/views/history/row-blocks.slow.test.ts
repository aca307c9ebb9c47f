/** Rows that are stored as bytes in blocks. The file and plain memory must give the same pages. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { ClientOid, Id, Sequence } from '../../kernel/ids.ts';
import { type Amount, ZERO_AMOUNT, ZERO_SIZE } from '../../kernel/money.ts';
import { type Random, seededRandom } from '../../kernel/random.ts';
import { HOUR, MINUTE, type Timestamp } from '../../kernel/time.ts';
import type { FillRow, OrderRow } from '../../messages/orders.ts';
import { CANCEL_REASONS, CATEGORIES, LOAN_TYPES } from '../../messages/vocabulary.ts';
import { uidNumbered } from '../event-streams.test-support.ts';
import type { PageQuery } from '../pages.ts';
import type { OrderRecord } from '../records.ts';
import { RANGE_IDS } from './order-names.ts';
import type { HistoryBatch, RecordedEvent } from './recorded-events.ts';
import { type StoredBesideMemory, storeBesideMemory } from './stored-history.test-support.ts';

const SYMBOLS = ['BTCUSDT', 'ETHUSDT'];
const NAMES = ['a', 'b', 'naïve-名前', 'x'.repeat(64)];
/** Several ranges of ids, and an era of names. */
const IDS = 5_000_000;
const BATCHES = 240;

const random = seededRandom(31);
const taken = new Set<number>();

function freshId(from: Random): Id {
  for (;;) {
    // Most ids are close together, and some are anywhere, as for orders that were open for long.
    const id = from.below(4) === 0 ? 1 + from.below(IDS) : 1_000 + taken.size * 20 + from.below(20);
    if (taken.has(id)) continue;
    taken.add(id);
    return id as Id;
  }
}

const anyMoney = (from: Random): Amount => {
  const sizes = [
    0n,
    1n,
    -1n,
    2n ** 63n - 1n,
    2n ** 63n,
    -(2n ** 63n),
    -(2n ** 63n) + 1n,
    -(2n ** 63n) + 2n,
    10n ** 40n,
    -(10n ** 40n),
  ];
  return (from.below(3) === 0 ? from.pick(sizes) : BigInt(from.below(2 ** 40))) as Amount;
};

function anyRecord(from: Random, orderId: Id, at: Timestamp): OrderRecord {
  const mayBe = <Value extends object>(value: Value): Value | object =>
    from.below(2) === 0 ? value : {};
  const order = {
    orderId,
    uid: uidNumbered(from.below(3)),
    clientOid: from.pick(NAMES) as ClientOid,
    category: from.pick(CATEGORIES),
    symbol: from.pick(SYMBOLS),
    side: from.pick(['buy', 'sell'] as const),
    orderType: 'limit',
    timeInForce: 'postOnly',
    ...mayBe({ price: anyMoney(from) }),
    size: anyMoney(from),
    ...mayBe({ quoteAmount: anyMoney(from) }),
    status: 'new',
    positionMode: 'hedge',
    ...mayBe({ positionSide: 'short' as const }),
    ...mayBe({ intent: 'close' as const }),
    ...mayBe({ marginMode: 'isolated' as const }),
    reduceOnly: from.below(2) === 0,
    selfTradeMode: 'cancelBoth',
    executionKind: 'delivery',
    origin: from.below(2) === 0 ? 'placed' : 'stopLoss',
    ...mayBe({ loanType: from.pick(LOAN_TYPES) }),
    feeCoin: 'USDT',
    ...mayBe({ leverage: '12.5' as DecimalText }),
  } as unknown as OrderRow;
  const [filledValue, fee, profit] = [anyMoney(from), anyMoney(from), anyMoney(from)];
  return {
    order,
    status: 'cancelled',
    filledSize: ZERO_SIZE,
    filledValue,
    fee,
    profit,
    left: ZERO_SIZE,
    marginHold: ZERO_AMOUNT,
    ...mayBe({ cancelReason: from.pick(CANCEL_REASONS) }),
    createdAt: (at - from.below(3 * HOUR)) as Timestamp,
    updatedAt: at,
  };
}

/** A fill of an older order. */
function anyFill(from: Random, { order }: OrderRecord): FillRow {
  const { uid, clientOid, category, symbol, side, orderId } = order;
  const rest = {
    orderType: 'market',
    role: 'maker',
    feeCoin: 'BTC',
    executionKind: 'offset',
    selfTrade: from.below(2) === 0,
  } as const;
  const sums = {
    price: anyMoney(from),
    size: anyMoney(from),
    value: anyMoney(from),
    fee: anyMoney(from),
    profit: anyMoney(from),
  };
  const [tradeId, fillId] = [freshId(from), (orderId + 1 + from.below(100_000)) as Id];
  return {
    fillId,
    tradeId,
    orderId,
    uid,
    clientOid,
    category,
    symbol,
    side,
    ...rest,
    ...sums,
  } as unknown as FillRow;
}

function anyBatch(from: Random, sequence: number): HistoryBatch {
  const at = (1_700_000_000_000 + sequence * 10 * MINUTE) as Timestamp;
  const recorded: RecordedEvent[] = [];
  const fillIds = new Set<number>();
  for (let left = 10 + from.below(40); left > 0; left--) {
    const record = anyRecord(from, freshId(from), at);
    recorded.push({ type: 'orderRecorded', record });
    const fill = anyFill(from, record);
    if (from.below(2) === 0 || allFills.has(fill.fillId) || fillIds.has(fill.fillId)) continue;
    allFills.add(fill.fillId);
    recorded.push({ type: 'fillRecorded', fill, positionMode: 'oneWay' });
  }
  return { sequence: sequence as Sequence, at, events: [], recorded };
}

const allFills = new Set<number>();
const batches = Array.from({ length: BATCHES }, (_, at) => anyBatch(random, at + 1));

let stored: StoredBesideMemory;
beforeAll(async () => {
  stored = await storeBesideMemory(batches, random);
});
afterAll(() => stored.remove());

const mayBe = <Value>(value: Value): Value | undefined =>
  random.below(3) === 0 ? value : undefined;
const [firstAt, lastAt] = [batches[0]!.at, batches.at(-1)!.at];

const anyPage = () => ({
  uid: uidNumbered(random.below(4)),
  limit: 1 + random.below(30),
  idLessThan: mayBe(random.pick([...taken]) as Id),
  idGreaterThan: mayBe(random.pick([...taken]) as Id),
  category: mayBe(random.pick(CATEGORIES)),
  symbol: mayBe(random.pick(SYMBOLS)),
  isolated: mayBe(true),
  orderId: mayBe(random.pick([...taken]) as Id),
  start: (random.below(2) === 0 ? 0 : firstAt + random.below(lastAt - firstAt)) as Timestamp,
  end: (random.below(2) === 0
    ? Number.MAX_SAFE_INTEGER
    : firstAt + random.below(lastAt - firstAt)) as Timestamp,
});

test('[VIEW-10][VIEW-16] all rows of all users are unchanged after a round trip', async () => {
  const { memory, database } = stored;
  for (const number of [0, 1, 2]) {
    const all = {
      uid: uidNumbered(number),
      limit: 1_000_000,
      start: 0 as Timestamp,
      end: Number.MAX_SAFE_INTEGER as Timestamp,
    };
    const orders = await memory.endedOrders(all);
    expect(orders.length).toBeGreaterThan(400);
    expect(await database.page('endedOrders', all)).toEqual(orders);
    expect(await database.page('fills', all)).toEqual(await memory.fills(all));
  }
});

test('[VIEW-10][LIST-02] pages of orders and fills by cursor, symbol, order and time', async () => {
  const { memory, database } = stored;
  let rows = 0;
  for (let asked = 0; asked < 600; asked++) {
    const query = anyPage();
    const orders = await memory.endedOrders(query);
    expect(await database.page('endedOrders', query)).toEqual(orders);
    const fills = await memory.fills(query);
    expect(await database.page('fills', query)).toEqual(fills);
    rows += orders.length + fills.length;
  }
  expect(rows).toBeGreaterThan(2_000);
});

test('[VIEW-42] pages of a short time window, and of an empty one, from both ends', async () => {
  const { memory, database } = stored;
  let rows = 0;
  for (let asked = 0; asked < 300; asked++) {
    const start = (firstAt - 4 * HOUR + random.below(lastAt - firstAt + 8 * HOUR)) as Timestamp;
    const query = {
      ...anyPage(),
      orderId: undefined,
      start,
      end: (start + random.below(HOUR)) as Timestamp,
    };
    const orders = await memory.endedOrders(query);
    expect(await database.page('endedOrders', query)).toEqual(orders);
    expect(await database.page('fills', query)).toEqual(await memory.fills(query));
    rows += orders.length;
  }
  expect(rows).toBeGreaterThan(300);
});

test('[VIEW-10] orders by name, also if the name was used repeatedly', async () => {
  const { memory, database } = stored;
  for (let asked = 0; asked < 150; asked++) {
    const query = {
      ...anyPage(),
      orderId: undefined,
      clientOid: random.pick([...NAMES, 'none']) as ClientOid,
    };
    expect(await database.page('endedOrders', query)).toEqual(await memory.endedOrders(query));
  }
});

test('[VIEW-10] fills of an order that were stored before and after its end', async () => {
  const { memory, database } = stored;
  const { uid } = { uid: uidNumbered(0) };
  const all = { uid, limit: 100, start: 0 as Timestamp, end: Number.MAX_SAFE_INTEGER as Timestamp };
  let seen = 0;
  for (const { id } of (await memory.endedOrders({ ...all, limit: 300 })).slice(0, 300)) {
    const fills = await memory.fills({ ...all, orderId: id });
    expect(await database.page('fills', { ...all, orderId: id } as typeof all)).toEqual(fills);
    seen += fills.length;
  }
  expect(seen).toBeGreaterThan(50);
});

test('[VIEW-10][LIST-02] orders at the ends of ranges are found by name, by id and by nearby cursors', async () => {
  const [uid, clientOid] = [uidNumbered(0), 'a' as ClientOid];
  const ids = [8, 9, 16].flatMap((range) =>
    [-1, 0, 1].map((beside) => (range * RANGE_IDS + beside) as Id),
  );
  const at = firstAt;
  const recorded = ids.map((id): RecordedEvent => {
    const record = anyRecord(random, id, at);
    return {
      type: 'orderRecorded',
      record: { ...record, order: { ...record.order, uid, clientOid } },
    };
  });
  const atEnds = await storeBesideMemory(
    [{ sequence: 1 as Sequence, at, events: [], recorded }],
    random,
  );
  const { memory, database } = atEnds;
  for (const id of ids) {
    const named = { uid, clientOid, limit: 2 };
    expect(
      (await database.page('endedOrders', { uid, orderId: id, limit: 5 } as PageQuery)).map(
        (row) => row.id,
      ),
    ).toEqual([id]);
    for (const cursor of [id - 1, id, id + 1] as Id[]) {
      for (const page of [
        { idLessThan: cursor },
        { idGreaterThan: cursor },
        { idLessThan: (cursor + 1) as Id, idGreaterThan: (cursor - 1) as Id },
      ]) {
        for (const query of [
          { ...named, ...page },
          { ...page, uid, limit: 2 },
        ])
          expect(await database.page('endedOrders', query)).toEqual(
            await memory.endedOrders(query),
          );
      }
    }
  }
  await atEnds.remove();
});
