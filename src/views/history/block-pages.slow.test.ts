/**
 * Pages of bills, closed positions and ledger lines whose times do not follow their ids. The file
 * and plain memory must give the same pages.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Id, Sequence, Uid } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import { seededRandom } from '../../kernel/random.ts';
import { DAY, HOUR, type Timestamp } from '../../kernel/time.ts';
import { BILL_BOOKS, BILL_KINDS, type Bill } from '../../messages/bills.ts';
import type { Event } from '../../messages/events.ts';
import type { PositionRow } from '../../messages/orders.ts';
import { CATEGORIES } from '../../messages/vocabulary.ts';
import { uidNumbered } from '../event-streams.test-support.ts';
import type { BillArea } from './bills.ts';
import { RANGE_IDS } from './order-names.ts';
import type { HistoryBatch, RecordedEvent } from './recorded-events.ts';
import { type StoredBesideMemory, storeBesideMemory } from './stored-history.test-support.ts';

const COINS = ['USDT', 'BTC', 'ETH'];
const MARKETS = ['BTCUSDT', 'ETHUSDT'];
/** Each value twice, because a query may repeat one. */
const AREAS: readonly BillArea[] = [...CATEGORIES, 'OTHER', ...CATEGORIES, 'OTHER'];
const BATCHES = 120;
const FIRST_AT = (472_222 * HOUR) as Timestamp;
const LAST_AT = FIRST_AT + 100 * DAY;

/** Another user, whose blocks are counted: one bill and one block for each hour. */
const HOURLY = uidNumbered(9);
/** A user with a block that spans a whole hour and a whole range of ids. */
const TWICE = uidNumbered(10);
/** The limit of blocks in a window that is read by its ids alone, and some more. */
const [WINDOW_BLOCKS, HOURS] = [1_024, 1_100];
const FIRST_HOUR = (400_000 * HOUR) as Timestamp;

const random = seededRandom(47);
const taken = new Set<number>();

/** Many ids are at the ends of ranges, where one block ends and the next begins. */
function freshId(): Id {
  for (;;) {
    const near = (1 + random.below(6)) * RANGE_IDS - 40 + random.below(80);
    const id = random.below(3) === 0 ? near : 1 + random.below(6 * RANGE_IDS);
    if (taken.has(id)) continue;
    taken.add(id);
    return id as Id;
  }
}

/** Pairs of hours, eight days apart. */
const anyHour = (): Timestamp =>
  (FIRST_AT + random.below(12) * 8 * DAY + random.below(2) * HOUR) as Timestamp;

/** Many times are at the start of the hour, or one millisecond away. */
const timeIn = (hour: Timestamp): Timestamp =>
  (hour + (random.below(2) === 0 ? random.below(HOUR) : random.below(3) - 1)) as Timestamp;

const anyTime = (): Timestamp => timeIn(anyHour());

const amount = (): Amount => BigInt(random.below(2 ** 40)) as Amount;

function anyBill(): RecordedEvent {
  const where =
    random.below(4) === 0
      ? { category: undefined, market: undefined }
      : { category: random.pick(CATEGORIES), market: random.pick(MARKETS) };
  const [book, kind] = [random.pick(BILL_BOOKS), random.pick(BILL_KINDS)];
  const sums = { amount: amount(), fee: amount(), balance: amount() };
  const bill: Bill = {
    billId: freshId(),
    uid: uidNumbered(random.below(2)),
    coin: random.pick(COINS),
    book,
    kind,
    ...sums,
    ...where,
  };
  return { type: 'billRecorded', bill };
}

function anyPosition(): RecordedEvent {
  const position = {
    positionId: freshId(),
    uid: uidNumbered(random.below(2)),
    category: random.pick(['USDT-FUTURES', 'COIN-FUTURES'] as const),
    symbol: random.pick(MARKETS),
    marginCoin: 'USDT',
    side: 'short',
    positionMode: 'hedge',
    marginMode: 'isolated',
    leverage: '20',
    realisedProfit: amount(),
    openFees: amount(),
    closeFees: amount(),
    closed: { size: 10n ** 10n, cost: 3n * 10n ** 20n },
    createdAt: anyTime(),
    updatedAt: anyTime(),
  } as unknown as PositionRow;
  return {
    type: 'positionRecorded',
    position,
    openedSize: position.closed.size,
    openedPrice: 3n,
  } as RecordedEvent;
}

function anyEntry(): Event {
  const line = (uid: object, account: 'available' | 'fees') => ({
    ...uid,
    id: freshId(),
    coin,
    account,
    amount: amount(),
    balance: amount(),
  });
  const coin = random.pick(COINS);
  return {
    type: 'entryPosted',
    reason: 'trade',
    lines: [line({ uid: uidNumbered(random.below(2)) }, 'available'), line({}, 'fees')],
  };
}

/** A batch of an hour, with parts that are days away. */
function anyBatch(sequence: Sequence): HistoryBatch {
  const hour = anyHour();
  const parts = Array.from({ length: 1 + random.below(6) }, (): HistoryBatch => {
    const recorded = Array.from({ length: random.below(12) }, () =>
      random.below(3) === 0 ? anyPosition() : anyBill(),
    );
    const at = random.below(4) === 0 ? anyTime() : timeIn(hour);
    return { sequence, at, events: Array.from({ length: random.below(6) }, anyEntry), recorded };
  });
  return { sequence, at: LAST_AT as Timestamp, events: [], parts };
}

const MONEY = {
  amount: 1n as Amount,
  fee: 0n as Amount,
  balance: 1n as Amount,
  category: undefined,
  market: undefined,
};

function depositAt(at: Timestamp, sequence: Sequence, uid: Uid, billId: number): HistoryBatch {
  const bill: Bill = {
    billId: billId as Id,
    uid,
    coin: 'USDT',
    book: 'wallet',
    kind: 'deposit',
    ...MONEY,
  };
  return { sequence, at, events: [], recorded: [{ type: 'billRecorded', bill }] };
}

/**
 * One bill at the first moment of each hour. In every ten, later bills have lower ids. Two bills
 * are as far apart as one block allows.
 */
function countedBatch(sequence: Sequence): HistoryBatch {
  const hourly = Array.from({ length: HOURS }, (_, hour) => {
    const id = 10 * RANGE_IDS - 500 + hour - (hour % 10) + (9 - (hour % 10));
    return depositAt((FIRST_HOUR + hour * HOUR) as Timestamp, sequence, HOURLY, id);
  });
  const [first, last] = [20 * RANGE_IDS, 21 * RANGE_IDS - 1];
  const both = [
    depositAt(FIRST_HOUR, sequence, TWICE, last),
    depositAt((FIRST_HOUR + HOUR - 1) as Timestamp, sequence, TWICE, first),
  ];
  return { sequence, at: LAST_AT as Timestamp, events: [], parts: [...hourly, ...both] };
}

const batches = Array.from({ length: BATCHES }, (_, at) => {
  const sequence = (at + 1) as Sequence;
  return sequence === BATCHES ? countedBatch(sequence) : anyBatch(sequence);
});

let stored: StoredBesideMemory;
beforeAll(async () => {
  stored = await storeBesideMemory(batches, random);
});
afterAll(() => stored.remove());

const mayBe = <Value>(value: Value): Value | undefined =>
  random.below(3) === 0 ? value : undefined;
const anyId = (): Id =>
  (random.below(2) === 0 ? random.pick([...taken]) : random.below(7) * RANGE_IDS) as Id;

function anyPage() {
  const start = anyTime();
  const window =
    random.below(4) === 0
      ? { start: 0, end: Number.MAX_SAFE_INTEGER }
      : { start, end: start + random.below(random.pick([2, HOUR, 2 * HOUR, 90 * DAY])) };
  const page = {
    limit: random.pick([1, 2, 30, 100]),
    idLessThan: mayBe(anyId()),
    idGreaterThan: mayBe(anyId()),
  };
  return {
    ...page,
    uid: uidNumbered(random.below(2)),
    start: window.start as Timestamp,
    end: window.end as Timestamp,
  };
}

const someOf = <Item>(items: readonly Item[]): readonly Item[] =>
  items.filter(() => random.below(2) === 0);

test('[VIEW-10][VIEW-42] pages of bills by areas, coin, market and kinds', async () => {
  const { memory, database } = stored;
  let rows = 0;
  for (let asked = 0; asked < 400; asked++) {
    const filters = {
      coin: mayBe(random.pick(COINS)),
      market: mayBe(random.pick(MARKETS)),
      kinds: mayBe(someOf(BILL_KINDS)),
    };
    const query = {
      ...anyPage(),
      ...filters,
      book: random.pick(BILL_BOOKS),
      areas: random.below(2) === 0 ? someOf(AREAS) : undefined,
    };
    const bills = await memory.bills(query);
    expect(await database.page('bills', query)).toEqual(bills);
    rows += bills.length;
  }
  expect(rows).toBeGreaterThan(500);
});

test('[VIEW-10][VIEW-42] pages of closed positions by category and symbol', async () => {
  const { memory, database } = stored;
  let rows = 0;
  for (let asked = 0; asked < 200; asked++) {
    const query = {
      ...anyPage(),
      category: mayBe('USDT-FUTURES' as const),
      symbol: mayBe(random.pick(MARKETS)),
    };
    const closed = await memory.closedPositions(query);
    expect(await database.page('closedPositions', query)).toEqual(closed);
    rows += closed.length;
  }
  expect(rows).toBeGreaterThan(500);
});

test('[VIEW-10][VIEW-42] pages of ledger lines of a user, and of all users and the exchange', async () => {
  const { memory, database } = stored;
  let rows = 0;
  for (let asked = 0; asked < 200; asked++) {
    const { limit, idLessThan, idGreaterThan, uid } = anyPage();
    const query = {
      limit,
      idLessThan,
      idGreaterThan,
      uid: mayBe(uid),
      coin: mayBe(random.pick(COINS)),
    };
    const lines = await memory.ledgerLines(query);
    expect(await database.page('ledgerLines', query)).toEqual(lines);
    rows += lines.length;
  }
  expect(rows).toBeGreaterThan(500);
});

test('[VIEW-42] windows at the limit of blocks that are read by their ids alone, and one block to each side', async () => {
  const { memory, database } = stored;
  for (const blocks of [1, 2, WINDOW_BLOCKS - 1, WINDOW_BLOCKS, WINDOW_BLOCKS + 1, HOURS]) {
    for (const first of [0, 7, HOURS - blocks].filter((hour) => hour + blocks <= HOURS)) {
      const start = (FIRST_HOUR + first * HOUR) as Timestamp;
      const window = {
        uid: HOURLY,
        book: 'wallet' as const,
        start,
        end: (start + (blocks - 1) * HOUR) as Timestamp,
      };
      const all = await memory.bills({ ...window, limit: HOURS });
      expect(all).toHaveLength(blocks);
      expect(await database.page('bills', { ...window, limit: HOURS })).toEqual(all);
      const middle = all[blocks >> 1]!.id;
      const cursors = [
        {},
        { idLessThan: middle },
        { idGreaterThan: middle },
        { idGreaterThan: 1 as Id },
        { idLessThan: all.at(-1)!.id },
      ];
      for (const cursor of cursors) {
        for (const limit of [1, 25]) {
          const query = { ...window, ...cursor, limit };
          expect(await database.page('bills', query)).toEqual(await memory.bills(query));
        }
      }
    }
  }
});

test('[VIEW-42] a block that spans an hour and a range of ids is found by both ends only', async () => {
  const { database } = stored;
  const [first, last] = [20 * RANGE_IDS, 21 * RANGE_IDS - 1];
  const idsIn = async (
    start: number,
    end: number,
    cursor: object = {},
  ): Promise<readonly number[]> => {
    const window = {
      uid: TWICE,
      book: 'wallet' as const,
      start: start as Timestamp,
      end: end as Timestamp,
    };
    return (await database.page('bills', { ...window, limit: 1, ...cursor })).map(({ id }) => id);
  };
  const [begin, close] = [FIRST_HOUR, FIRST_HOUR + HOUR - 1];
  expect(await idsIn(begin, begin)).toEqual([last]);
  expect(await idsIn(close, close)).toEqual([first]);
  expect(await idsIn(begin - HOUR, begin - 1)).toEqual([]);
  expect(await idsIn(begin + 1, close - 1)).toEqual([]);
  expect(await idsIn(close + 1, close + HOUR)).toEqual([]);
  expect(await idsIn(begin, close, { idLessThan: last })).toEqual([first]);
  expect(await idsIn(begin, close, { idGreaterThan: first })).toEqual([last]);
  expect(await idsIn(begin, close, { idGreaterThan: first - 1 })).toEqual([first]);
});
