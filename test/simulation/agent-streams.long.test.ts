/**
 * Random streams of commands of agents and customers. Rows and payments must equal those of a slow
 * and simple model.
 */
import { describe, expect, test } from 'vitest';
import { NaiveCommissions, type NaiveRow } from '../../model/commission-model.ts';
import { createEngine, type Engine, type Executed } from '../../src/core/engine.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import { DAY, HOUR, MINUTE, startOfSettlementDay, type Timestamp } from '../../src/kernel/time.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { Event, EventOf } from '../../src/messages/events.ts';
import { FEE_CREDIT_KINDS } from '../../src/messages/vocabulary.ts';
import { AgentMarket } from '../scenarios/agents.test-support.ts';

const MARKETS = [
  'BTCUSDT',
  'BTCUSD',
  'BTCPERP',
  'SPOT:BTCUSDT',
  'MARGIN:BTCUSDT',
  'SPOT:ETHBTC',
  'ETHUSDT',
] as const;
const PRICES: Readonly<Record<string, number>> = { ETHBTC: 0.05, ETHUSDT: 3_000 };

class Stream extends AgentMarket {
  readonly model = new NaiveCommissions();
  readonly paid: EventOf<'commissionPaid'>[] = [];
  readonly known: Event[] = [];
  readonly people: Uid[] = [];
  readonly agents: Uid[] = [];
  readonly #chance: Random;

  constructor(seed: number) {
    super();
    this.#chance = seededRandom(seed);
    this.index('BTC', '60000');
    this.index('ETH', '3000');
    for (let count = 0; count < 9; count++) this.#joins();
  }

  /**
   * An event belongs to the time of the command, or to the moment before it that `moments` names.
   */
  override submit(command: Command): Executed {
    const executed = super.submit(command);
    // The base constructor submits commands before this class has its model.
    if (this.model === undefined) return executed;
    const { events, moments = [] } = executed;
    for (const [place, event] of events.entries()) {
      this.known.push(event);
      this.model.update(event, moments.findLast(({ from }) => from <= place)?.at ?? executed.at);
      if (event.type === 'commissionPaid') this.paid.push(event);
    }
    return executed;
  }

  #joins(): void {
    const chance = this.#chance;
    const codes = [...this.state.agentBooks.referralCodes.keys()];
    const parentUid =
      this.people.length > 3 && chance.below(4) === 0
        ? chance.pick(this.people.slice(0, 3))
        : undefined;
    const code = codes.length > 0 && chance.below(5) > 0 ? chance.pick(codes) : undefined;
    const uid = this.registers(
      code,
      { USDT: '9000', USDC: '3000', BTC: '0.2', ETH: '2' },
      parentUid,
    );
    this.people.push(uid);
    // Some accounts have so little margin that a price move liquidates them.
    if (chance.below(2) === 0) this.settings(uid, 'BTCUSDT', '50', 'isolated');
    if (chance.below(2) === 0) this.#makesAgent(uid);
  }

  #makesAgent(uid: Uid): void {
    const ratio = (): string => this.#chance.pick(['0', '0.07', '0.3', '0.3333333333', '1']);
    this.agent(uid, {
      spot: ratio(),
      futures: ratio(),
      share: this.#chance.pick(['0', '0.1', '0.3333333333', '1']),
    });
  }

  #places(): void {
    const chance = this.#chance;
    const uid = chance.pick(this.people);
    const market = chance.pick(MARKETS);
    const symbol = market.split(':').at(-1)!;
    const middle = PRICES[symbol] ?? 60_000;
    const price = (middle * (1 + (chance.below(21) - 10) / 2_000)).toFixed(
      symbol === 'ETHBTC' ? 5 : 1,
    );
    const size = ((1 + chance.below(40)) / (symbol.startsWith('ETH') ? 100 : 1_000)).toFixed(3);
    this.order(uid, chance.pick(['buy', 'sell'] as const), size, market, price);
  }

  step(): void {
    const roll = this.#chance.below(100);
    if (roll < 82) this.#places();
    else if (roll < 85)
      this.grants(
        this.#chance.pick(this.people),
        this.#chance.pick(FEE_CREDIT_KINDS),
        '0.5',
        this.#chance.pick(['USDT', 'BTC']),
      );
    else if (roll < 86) this.#makesAgent(this.#chance.pick(this.people));
    else if (roll < 87) this.#joins();
    else if (roll < 89) this.index('BTC', String(60_000 + 500 * (this.#chance.below(13) - 6)));
    else if (roll < 96) this.passes(this.#chance.below(5 * MINUTE));
    else this.#letsTimePass();
  }

  #letsTimePass(): void {
    const span = this.#chance.pick([
      HOUR,
      9 * HOUR,
      DAY,
      3 * DAY,
      this.midnight - this.at - 1,
      this.midnight - this.at,
    ]);
    // Time passes by `moveClock`, without a command, or before the next order.
    const way = this.#chance.below(3);
    if (way === 0) this.accepted({ type: 'moveClock', wall: this.at, advanceMs: span });
    this.at = (way === 0 ? this.engine.at : this.at + span) as Timestamp;
    if (way === 1) this.submit({ type: 'tick' });
    if (way === 2) this.#places();
  }
}

const shown = ({ commission, upper }: EventOf<'commissionPaid'>): NaiveRow => ({
  agent: commission.agentUid,
  upper: upper?.agentUid,
  uid: commission.uid,
  day: commission.day,
  name: `${commission.coin} ${commission.category} ${commission.symbol}`,
  dealAmount: commission.dealAmount,
  fee: commission.fee,
  deducted: Object.fromEntries(
    Object.entries(commission.deductions).filter(([, amount]) => amount > 0n),
  ),
  feePaid: commission.feePaid,
  rebate: commission.rebate,
  share: commission.customerShare,
  dayTotal: commission.dayTotal,
  total: commission.total,
});

const add = (sums: Map<string, bigint>, name: string, amount: bigint): void =>
  void sums.set(name, (sums.get(name) ?? 0n) + amount);
const sorted = (sums: Map<string, bigint>): [string, bigint][] =>
  [...sums].filter(([, sum]) => sum !== 0n).sort(([left], [right]) => (left < right ? -1 : 1));

/** What the ledger paid each user for a reason, by user and coin. */
function received(events: readonly Event[], reason: 'rebate' | 'feeRefund'): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const event of events)
    if (event.type === 'entryPosted' && event.reason === reason)
      for (const { uid, coin, amount } of event.lines)
        if (uid !== undefined) add(sums, `${uid} ${coin}`, amount);
  return sums;
}

function checkMoney({ paid, known, model, state }: Stream): void {
  const rebates = new Map<string, bigint>();
  const byCoin = new Map<string, bigint>();
  for (const { commission } of paid) {
    const { agentUid, uid, coin, rebate, customerShare } = commission;
    add(rebates, `${agentUid} ${coin}`, rebate - customerShare);
    add(rebates, `${uid} ${coin}`, customerShare);
    add(byCoin, coin, rebate);
  }
  expect(sorted(received(known, 'rebate'))).toEqual(sorted(rebates));
  const refunds = new Map<string, bigint>();
  for (const { uid, coin, amount } of model.refunds) add(refunds, `${uid} ${coin}`, amount);
  expect(sorted(received(known, 'feeRefund'))).toEqual(sorted(refunds));
  const fees = new Map<string, bigint>();
  for (const { fill } of model.fills) add(fees, fill.feeCoin, fill.fee);
  for (const { coin, amount } of model.refunds) add(fees, coin, -amount);
  for (const [coin, house] of state.ledger.house) {
    expect([coin, house.fees]).toEqual([coin, fees.get(coin) ?? 0n]);
    expect([coin, house.rebates]).toEqual([coin, -(byCoin.get(coin) ?? 0n)]);
  }
}

/**
 * The stored volumes equal the sums of the fills of those days. One unit of every coin except BTC
 * counts as one dollar.
 */
function checkVolumes({ model, state, known }: Stream): void {
  const masters = new Map<number, number>();
  for (const event of known)
    if (event.type === 'userCreated')
      masters.set(event.user.uid, event.user.parentUid ?? event.user.uid);
  for (const [master, days] of state.levels.volumes)
    for (const { day, futures } of days) {
      const own = model.fills.filter(
        ({ at, fill }) =>
          startOfSettlementDay(at as Timestamp) === day &&
          masters.get(fill.uid) === master &&
          fill.category.endsWith('FUTURES') &&
          !fill.selfTrade &&
          fill.executionKind === 'normal',
      );
      expect(futures).toBe(own.reduce((sum, { fill }) => sum + fill.value, 0n));
    }
}

const SEEDS = [1, 2, 3];
const met = new Set<string>();

function meet({ paid, model }: Stream): void {
  for (const { fill } of model.fills) met.add(fill.selfTrade ? 'a self-trade' : fill.executionKind);
  for (const { upper, commission } of paid) {
    if (upper !== undefined) met.add('an upper agent');
    if (commission.customerShare > 0n) met.add('a share');
    if (commission.feePaid < commission.fee) met.add('a deduction');
    met.add(commission.category);
  }
}

describe.each(SEEDS)('a random stream, seed %d', (seed) => {
  test('[AGT-15][AGT-18][AGT-19][AGT-21][AGT-26][AGT-27][AGT-29] rows and payments equal the model', () => {
    const stream = new Stream(seed);
    for (let step = 0; step < 1_200; step++) stream.step();
    stream.endsDay();
    expect(stream.paid.length).toBeGreaterThan(40);
    expect(stream.paid.map(shown)).toEqual(stream.model.rows);
    checkMoney(stream);
    checkVolumes(stream);
    stream.check();
    meet(stream);
  });
});

test('[AGT-20][AGT-30] a replay gives the same rows, also if it restarts every few commands', () => {
  const stream = new Stream(77);
  for (let step = 0; step < 300; step++) stream.step();
  let other: Engine = createEngine();
  const rows: Event[] = [];
  for (const [place, { command, at }] of stream.submitted.entries()) {
    if (place % 11 === 0) {
      const bytes = other.serialize();
      other = createEngine();
      other.restore(bytes);
    }
    rows.push(...other.execute(command, at).events.filter(({ type }) => type === 'commissionPaid'));
  }
  expect(rows).toEqual(stream.paid);
  expect([other.stateHash(), other.digest()]).toEqual([
    stream.engine.stateHash(),
    stream.engine.digest(),
  ]);
});

test('[AGT-29] all streams together met every case of a fee', () => {
  const wanted = [
    'a self-trade',
    'normal',
    'liquidation',
    'an upper agent',
    'a share',
    'a deduction',
    'SPOT',
    'MARGIN',
    'COIN-FUTURES',
    'USDC-FUTURES',
  ];
  expect(wanted.filter((each) => !met.has(each))).toEqual([]);
});
