import { describe, expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { given } from '../../src/kernel/given.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { DAY } from '../../src/kernel/time.ts';
import type { Level } from '../../src/messages/vocabulary.ts';
import { type AgentMarket, test } from './agents.test-support.ts';

const levelOf = (market: AgentMarket, uid: Uid): Level =>
  market.state.accounts.get(uid)!.profile.level;

/** Five million USD of futures: 83.5 BTC at 60,000 are 5,010,000. Both sides trade as much. */
function tradesMuch(market: AgentMarket, maker: Uid): Uid {
  const trader = market.registers(undefined, { USDT: '29000' });
  market.accepted({ type: 'deposit', uid: maker, coin: 'USDT', size: '10000000' as DecimalText });
  for (let round = 0; round < 20; round++) {
    market.trade(trader, maker, '2.0875', 'BTCUSDT', '60000');
    market.trade(maker, trader, '2.0875', 'BTCUSDT', '60000');
  }
  return trader;
}

describe('levels', () => {
  test('[AGT-32][AGT-33] assets raise a level at the end of the day, and not before', ({
    market,
  }) => {
    const [just, short, inCoin] = [{ USDT: '30000' }, { USDT: '29999.99' }, { BTC: '0.5' }].map(
      (money) => market.registers(undefined, money),
    );
    market.passes(market.midnight - market.at - 1);
    expect([just, short, inCoin].map((uid) => levelOf(market, uid!))).toEqual([
      'VIP0',
      'VIP0',
      'VIP0',
    ]);
    market.passes(1);
    expect([just, short, inCoin].map((uid) => levelOf(market, uid!))).toEqual([
      'VIP1',
      'VIP0',
      'VIP1',
    ]);
    expect(market.emitted('levelChanged').map(({ uid, level }) => [uid, level])).toEqual([
      [just, 'VIP1'],
      [inCoin, 'VIP1'],
    ]);
    market.endsDay();
    expect(market.emitted('levelChanged')).toEqual([]);
  });

  test('[AGT-32][AGT-33] thirty days of volume raise a level, which ends with the thirtieth day', ({
    market,
    maker,
  }) => {
    const trader = tradesMuch(market, maker);
    market.endsDay();
    expect(levelOf(market, trader)).toBe('VIP1');
    for (let day = 1; day < 30; day++) market.endsDay();
    expect(levelOf(market, trader)).toBe('VIP1');
    market.endsDay();
    expect(levelOf(market, trader)).toBe('VIP0');
    expect(market.state.levels.volumes.size).toBe(0);
  });

  // A tenth of a bitcoin at 60,000 trades for 6,000 each time: 498,000 with 83 trades, and 504,000
  // with one more.
  test.for([
    [83, 'VIP0'],
    [84, 'VIP1'],
  ] as const)('[AGT-32] %i trades on spot make %s', ([trades, level], { market, maker }) => {
    const trader = market.registers(undefined, { USDT: '20000' });
    market.accepted({ type: 'deposit', uid: maker, coin: 'BTC', size: '1' as DecimalText });
    market.accepted({ type: 'deposit', uid: trader, coin: 'BTC', size: '0.1' as DecimalText });
    for (let count = 0; count < trades; count++) {
      const [buyer, seller] = count % 2 === 0 ? [trader, maker] : [maker, trader];
      market.trade(buyer, seller, '0.1', 'SPOT:BTCUSDT', '60000');
    }
    market.endsDay();
    expect(levelOf(market, trader)).toBe(level);
  });

  test('[AGT-33] fees are those of the level from the moment it changes', ({ market, maker }) => {
    const trader = market.registers(undefined, { USDT: '30000' });
    market.trade(trader, maker, '0.01', 'BTCUSDT', '60000');
    expect(market.emitted('fillSettled').find(({ fill }) => fill.uid === trader)!.fill.fee).toBe(
      3_600_000_000n,
    );
    market.accepted({ type: 'deposit', uid: trader, coin: 'USDT', size: '100' as DecimalText });
    market.endsDay();
    market.trade(trader, maker, '0.01', 'BTCUSDT', '60000');
    // 600 × 0.00055.
    expect(market.emitted('fillSettled').find(({ fill }) => fill.uid === trader)!.fill.fee).toBe(
      3_300_000_000n,
    );
  });

  test('[AGT-34] a master and its sub-accounts have one level, from their joint assets and volume', ({
    market,
  }) => {
    const master = market.registers(undefined, { USDT: '20000' });
    const sub = market.registers(undefined, { USDT: '10000' }, master);
    const alone = market.registers(undefined, { USDT: '20000' });
    market.endsDay();
    expect([master, sub, alone].map((uid) => levelOf(market, uid))).toEqual([
      'VIP1',
      'VIP1',
      'VIP0',
    ]);
  });

  test("[AGT-34] a sub-account has its master's level from the start, or a higher one that it was given", ({
    market,
  }) => {
    const joins = (level: Level, parentUid?: Uid): Uid => {
      const { outcome } = market.accepted({
        type: 'createUser',
        level,
        positionMode: 'oneWay',
        ...given({ parentUid }),
      });
      return (outcome as { value: { uid: Uid } }).value.uid;
    };
    const master = joins('VIP3');
    const [plain, better] = [joins('VIP0', master), joins('VIP5', master)];
    const levels = () => [master, plain, better].map((uid) => levelOf(market, uid));
    expect(levels()).toEqual(['VIP3', 'VIP3', 'VIP5']);
    market.endsDay();
    expect(levels()).toEqual(['VIP3', 'VIP3', 'VIP5']);
    market.accepted({ type: 'deposit', uid: plain, coin: 'USDT', size: '750000' as DecimalText });
    market.endsDay();
    expect(levels()).toEqual(['VIP4', 'VIP4', 'VIP5']);
    expect(levelOf(market, joins('VIP0', master))).toBe('VIP4');
  });

  test('[AGT-34] borrowed money is no asset', ({ market, maker }) => {
    const borrower = market.registers(undefined, { USDT: '25000' });
    market.accepted({ type: 'deposit', uid: maker, coin: 'BTC', size: '1' as DecimalText });
    market.trade(borrower, maker, '0.5', 'MARGIN:BTCUSDT', '60000');
    expect(market.debt(borrower)).not.toBe('none');
    market.endsDay();
    expect(levelOf(market, borrower)).toBe('VIP0');
  });

  // The wallet has 29,000 own and 5,000 borrowed.
  test('[AGT-34] nor is a debt of a pair', ({ market }) => {
    const borrower = market.registers(undefined, { USDT: '29000' });
    const input = { uid: borrower, symbol: 'BTCUSDT', coin: 'USDT' } as const;
    market.accepted({
      type: 'transferIsolated',
      ...input,
      amount: '1000' as DecimalText,
      direction: 'in',
      clientOid: undefined,
    });
    market.accepted({ type: 'borrowIsolated', ...input, amount: '5000' as DecimalText });
    market.endsDay();
    expect(levelOf(market, borrower)).toBe('VIP0');
  });

  test("[AGT-34] a sub-account's debts above its balance reduce its master's assets", ({
    market,
    maker,
  }) => {
    const master = market.registers(undefined, { USDT: '30000' });
    const sub = market.registers(undefined, { USDT: '10000' }, master);
    market.index('ETH', '3000');
    market.accepted({ type: 'deposit', uid: maker, coin: 'USDT', size: '100000' as DecimalText });
    market.trade(sub, maker, '1', 'BTCUSDT', '60000');
    market.index('BTC', '78000');
    // The profit of 18,000 is not realised and covers a realised loss of 13,500: some 3,600 are
    // borrowed for it.
    market.trade(sub, maker, '15', 'ETHUSDT', '3000');
    market.index('ETH', '2100');
    market.trade(maker, sub, '15', 'ETHUSDT', '2100');
    expect(market.debt(sub)).not.toBe('none');
    market.endsDay();
    expect(levelOf(market, master)).toBe('VIP0');
  });

  test('[AGT-35] no level falls below the one that the operator gave', ({ market }) => {
    const { outcome } = market.accepted({
      type: 'createUser',
      level: 'VIP3',
      positionMode: 'oneWay',
    });
    const { uid } = (outcome as { value: { uid: Uid } }).value;
    market.endsDay();
    expect(levelOf(market, uid)).toBe('VIP3');
    market.accepted({ type: 'deposit', uid, coin: 'USDT', size: '750000' as DecimalText });
    market.endsDay();
    expect(levelOf(market, uid)).toBe('VIP4');
  });

  test('[AGT-153] levels are computed a thousand at a time, for every user', ({ market }) => {
    const [first] = Array.from({ length: 2_001 }, () => market.registers(undefined, {}));
    const last = market.registers(undefined, {});
    for (const uid of [first!, last])
      market.accepted({ type: 'deposit', uid, coin: 'USDT', size: '30000' as DecimalText });
    // One portion at the end of the day and one with the command.
    market.endsDay();
    expect([first!, last].map((uid) => levelOf(market, uid))).toEqual(['VIP1', 'VIP0']);
    market.accepted({ type: 'tick' });
    expect([levelOf(market, last), market.engine.hasDeferredWork()]).toEqual(['VIP1', false]);
  });

  test('[AGT-152] commission for a day counts from the next day on', ({ market, maker }) => {
    const agent = market.registers(undefined, { USDT: '29998.92' });
    const customer = market.registers(market.agent(agent, { futures: '0.3' }));
    market.trade(customer, maker, '0.1', 'BTCUSDT', '60000');
    market.endsDay();
    // 6,000 × 0.0006 × 0.3.
    expect([market.got('rebate', agent), levelOf(market, agent)]).toEqual(['1.08', 'VIP0']);
    market.endsDay();
    expect(levelOf(market, agent)).toBe('VIP1');
  });

  test('[AGT-33] many days at once end with the level of the last', ({ market, maker }) => {
    const trader = tradesMuch(market, maker);
    market.accepted({ type: 'moveClock', wall: market.at, advanceMs: 40 * DAY });
    expect(
      market.emitted('levelChanged').flatMap(({ uid, level }) => (uid === trader ? [level] : [])),
    ).toEqual(['VIP1', 'VIP0']);
    market.at = market.engine.at;
  });
});

// 0.5 at 20 times have a margin of 1,500. At 57,262 they have 131 left, above 28,631 × (0.004 +
// 0.00055) and below 28,631 × (0.004 + 0.0006).
test('[AGT-33][POS-53] a lower level raises the closing fee and liquidates at once, before funding', ({
  market,
  maker,
}) => {
  const trader = market.registers(undefined, { USDT: '31000' });
  market.endsDay();
  expect(levelOf(market, trader)).toBe('VIP1');
  market.settings(trader, 'BTCUSDT', '20', 'isolated');
  market.passes(market.midnight - market.at - 1);
  market.trade(trader, maker, '0.5', 'BTCUSDT', '60000');
  const gift = {
    type: 'transferToUser',
    coin: 'USDT',
    recipientKind: 'uid',
    recipient: `${maker}`,
    size: '20000' as DecimalText,
  } as const;
  market.accepted({ ...gift, uid: trader });
  market.pin('BTCUSDT', '57262');
  expect(market.size(trader, 'BTCUSDT', 'long')).toBe('0.5');
  market.passes(1);
  expect([levelOf(market, trader), market.size(trader, 'BTCUSDT', 'long')]).toEqual(['VIP0', '0']);
  expect(market.emitted('fundingCharged').filter(({ uid }) => uid === trader)).toEqual([]);
});

describe('a day that ended with more than a thousand levels to compute', () => {
  /** The first are computed at the end of the day, the last with the command after the next. */
  function crowd(market: AgentMarket, money: Readonly<Record<string, string>>): readonly Uid[] {
    const first = market.registers(undefined, {});
    for (let count = 0; count < 2_000; count++) market.registers(undefined, {});
    return [first, market.registers(undefined, money), market.registers(undefined, {})];
  }
  const levels = (market: AgentMarket, uids: readonly Uid[]): readonly Level[] =>
    uids.map((uid) => levelOf(market, uid));
  const gives = (market: AgentMarket, uid: Uid, to: Uid | undefined, size: string): void => {
    market.accepted({
      type: 'transferToUser',
      uid,
      coin: 'USDT',
      recipientKind: 'uid',
      recipient: `${to}`,
      size: size as DecimalText,
    });
  };

  test('[AGT-153] money transferred meanwhile counts once', ({ market }) => {
    const [first, last, other] = crowd(market, { USDT: '30000' }) as [Uid, Uid, Uid];
    market.accepted({ type: 'deposit', uid: first, coin: 'USDT', size: '30000' as DecimalText });
    market.passes(market.midnight - market.at);
    expect(levels(market, [first, last, other])).toEqual(['VIP1', 'VIP0', 'VIP0']);
    market.engine.restore(market.engine.serialize());
    gives(market, first, other, '30000');
    expect([levels(market, [first, last, other]), market.engine.hasDeferredWork()]).toEqual([
      ['VIP1', 'VIP1', 'VIP0'],
      false,
    ]);
    market.endsDay();
    gives(market, last, first, '30000');
    expect(levels(market, [first, last, other])).toEqual(['VIP0', 'VIP1', 'VIP1']);
  });

  test('[AGT-33] the index and the users at midnight count', ({ market }) => {
    const crowded = crowd(market, { BTC: '0.5' });
    market.passes(market.midnight - market.at);
    const { outcome } = market.accepted({
      type: 'createUser',
      level: 'VIP0',
      positionMode: 'oneWay',
    });
    const late = (outcome as { value: { uid: Uid } }).value.uid;
    expect(levels(market, crowded)).toEqual(['VIP0', 'VIP1', 'VIP0']);
    market.accepted({ type: 'deposit', uid: late, coin: 'USDT', size: '30000' as DecimalText });
    market.accepted({ type: 'tick' });
    expect(levelOf(market, late)).toBe('VIP0');
    market.passes(market.midnight - market.at);
    // Half of a bitcoin is worth 29,999.99 of 30,000 a moment later.
    market.index('BTC', '59999.98');
    expect(levels(market, [...crowded, late])).toEqual(['VIP0', 'VIP1', 'VIP0', 'VIP1']);
  });

  test('[AGT-33][AGT-34] loans and receipts of a sub-account since midnight do not count', ({
    market,
    maker,
  }) => {
    const [, last] = crowd(market, { USDT: '1000' }) as [Uid, Uid];
    const sub = market.registers(undefined, { USDT: '29000' }, last);
    market.accepted({ type: 'deposit', uid: maker, coin: 'BTC', size: '1' as DecimalText });
    expect(market.order(maker, 'sell', '1', 'MARGIN:BTCUSDT', '60600')).toBe('accepted');
    market.passes(market.midnight - market.at);
    // A bitcoin for 60,600: half of it is borrowed, and 600 and a fee are lost.
    expect(market.order(sub, 'buy', '1', 'MARGIN:BTCUSDT', '60600')).toBe('accepted');
    expect([levelOf(market, last), levelOf(market, sub), market.debt(sub)]).toEqual([
      'VIP1',
      'VIP1',
      '31600 + 0',
    ]);
  });
});
