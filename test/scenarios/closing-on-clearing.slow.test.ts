/** Clearing draws of inverse positions that close against each other outside the book. */
import { describe, expect } from 'vitest';
import type { Uid } from '../../src/kernel/ids.ts';
import { type Amount, moneyText } from '../../src/kernel/money.ts';
import { type Market, test } from './market.test-support.ts';

const COIN = 10n ** 10n;
const down = (dividend: bigint, divisor: bigint): bigint =>
  dividend / divisor - (dividend % divisor < 0n ? 1n : 0n);
const up = (dividend: bigint, divisor: bigint): bigint => -down(-dividend, divisor);
const text = (amount: bigint): string => moneyText(amount as Amount);

const drawn = ({ state }: Market): bigint => state.drawnOnClearing.get('BTC') ?? 0n;
const clearing = ({ state }: Market): bigint => state.ledger.house.get('BTC')?.clearing ?? 0n;

/** A million dollars at a mark. */
const roomAt = (mark: bigint): bigint => down(1_000_000n * COIN, mark);

/** Three colluding accounts pass positions around until clearing is used up at this mark. */
function drawAll(market: Market, mark: bigint): void {
  market.pin('BTCUSD', String(mark));
  const [ann, ben, cat] = [
    market.joins({ BTC: '1000' }),
    market.joins({ BTC: '1000' }),
    market.joins({ BTC: '1000' }),
  ];
  for (let times = 0; times < 40 && drawn(market) < roomAt(mark); times++) {
    market.trade(ann, ben, '10', 'BTCUSD', '30000');
    market.trade(cat, ann, '10', 'BTCUSD', '40000');
    market.trade(ben, cat, '10', 'BTCUSD', '67000');
  }
  expect(drawn(market)).toBe(roomAt(mark));
}

/**
 * Long from 52,500 at twenty times: below maintenance from 52,500 × 1.0046 / 1.05 = 50,230 on, and
 * bankrupt at 52,500 × 1.0006 / 1.05 = 50,030. The book is empty, and the short from 20,000 higher
 * has gained most.
 */
function leaning(
  market: Market,
  size: string,
  shortFrom: string,
): { readonly long: Uid; readonly short: Uid } {
  market.pin('BTCUSD', '52500');
  const long = market.joins({ BTC: '1' });
  const [short, ...others] = [
    market.joins({ BTC: '100' }),
    market.joins({ BTC: '100' }),
    market.joins({ BTC: '100' }),
  ] as const;
  market.settings(long, 'BTCUSD', '20', 'isolated');
  market.settings(short, 'BTCUSD', '50', 'crossed');
  market.trade(others[0]!, short, size, 'BTCUSD', shortFrom);
  market.trade(long, others[1]!, size, 'BTCUSD', '52500');
  return { long, short };
}

const profits = (market: Market, uid: Uid): string[] =>
  market
    .emitted('fillSettled')
    .flatMap(({ fill }) => (fill.uid === uid ? [moneyText(fill.profit)] : []));

describe('closed against each other far from mark', () => {
  // Closed at 50,030 the short from 72,500 gains 22,470 and the long loses 2,470. These 20,000 for
  // each bitcoin are 0.0013537694 more at 50,030 than at a mark of 50,200. All was drawn at 50,201,
  // which leaves 0.0003968111 at 50,200: just enough for 0.2931.
  test.for([
    ['0.2931', false],
    ['0.2932', true],
  ] as const)(
    '[POS-156][POS-57] %s draws as a trade does, and the excess is levied: %s',
    ([size, isTooMuch], { market }) => {
      market.index('BTC', '50000');
      drawAll(market, 50_201n);
      const { long, short } = leaning(market, size, '72500');
      const [before, had] = [clearing(market), market.wallet(short, 'BTC').available];
      market.pin('BTCUSD', '50200');
      expect(market.fills(long)).toEqual([`liquidation sell ${size} at 50030`]);
      expect(market.fills(short)).toEqual([`autoDeleverage buy ${size} at 50030`]);

      const lots = BigInt(size.slice(2));
      const draws = up(20_000n * lots * (50_200n - 50_030n) * COIN, 10_000n * 50_030n * 50_200n);
      const room = roomAt(50_200n) - roomAt(50_201n);
      const tooMuch = draws > room ? draws - room : 0n;
      expect(tooMuch > 0n).toBe(isTooMuch);
      expect(drawn(market)).toBe(isTooMuch ? roomAt(50_200n) : roomAt(50_201n) + draws);
      const brought = down(22_470n * lots * COIN, 10_000n * 50_030n) - tooMuch;
      const lost = up(2_470n * lots * COIN, 10_000n * 50_030n);
      expect([profits(market, short), profits(market, long)]).toEqual([
        [text(brought)],
        [text(-lost)],
      ]);
      expect(market.wallet(short, 'BTC').available - had).toBe(brought);
      expect(clearing(market) - before).toBe(lost - brought);
      const [closed] = market
        .emitted('positionClosed')
        .filter(({ position }) => position.uid === short);
      expect(closed!.position.realisedProfit).toBe(brought);
    },
  );

  // All was drawn at 50,200. 22,470 and 2,470 keep their value at mark, and the fund gets the rest.
  test('[POS-153] a gain brings at least its value at mark', ({ market }) => {
    market.index('BTC', '50000');
    drawAll(market, 50_200n);
    const { long, short } = leaning(market, '1', '72500');
    market.pin('BTCUSD', '50200');
    const draws = up(20_000n * 170n * COIN, 50_030n * 50_200n);
    expect(profits(market, short)).toEqual([text(down(22_470n * COIN, 50_030n) - draws)]);
    expect(profits(market, long)).toEqual([text(-up(2_470n * COIN, 50_030n))]);
    expect(down(22_470n * COIN, 50_030n) - draws).toBeGreaterThan(down(22_470n * COIN, 50_200n));
    expect(drawn(market)).toBe(roomAt(50_200n));
    // The margin of 0.05 less that loss.
    expect(market.house('insurance', 'BTC')).toBe(text(COIN / 20n - up(2_470n * COIN, 50_030n)));
  });

  // The mark is 45,000, far beyond bankruptcy. 20,000 dollars are fewer coins at 50,030 than at
  // 45,000; the difference stays with clearing and can be drawn again.
  test('[POS-94] what a close leaves to clearing can be drawn again', ({ market }) => {
    market.index('BTC', '50000');
    drawAll(market, 45_000n);
    const { long, short } = leaning(market, '1', '72500');
    market.pin('BTCUSD', '45000');
    expect(market.fills(long)).toEqual(['liquidation sell 1 at 50030']);
    expect(profits(market, short)).toEqual([text(down(22_470n * COIN, 50_030n))]);
    expect(drawn(market)).toBe(roomAt(45_000n) - down(20_000n * 5_030n * COIN, 50_030n * 45_000n));
  });

  // A short from 51,000 gains 970 at 50,030 and the long loses 2,470. The net loss of 1,500 is
  // worth more at 45,000. The long would pay the levy but has nothing left; the fund gets none of
  // its margin.
  test('[POS-159][POS-72] the house pays the levy of a position without margin', ({ market }) => {
    market.index('BTC', '50000');
    drawAll(market, 45_000n);
    const { long, short } = leaning(market, '1', '51000');
    const before = clearing(market);
    market.pin('BTCUSD', '45000');
    expect(market.fills(long)).toEqual(['liquidation sell 1 at 50030']);
    expect([profits(market, long), profits(market, short)]).toEqual([
      ['-0.05'],
      [text(down(970n * COIN, 50_030n))],
    ]);
    expect([drawn(market), market.house('insurance', 'BTC')]).toEqual([roomAt(45_000n), '0']);
    expect(clearing(market) - before).toBe(COIN / 20n - down(970n * COIN, 50_030n));
  });
});

describe('a position in takeover that would draw on clearing', () => {
  /**
   * Long 1 BTCUSD from 30,000 gained 0.4 at 50,000, with 0.1 bitcoin beside it: 0.5 × 47,500 =
   * 23,750. 20 ether from 3,000 lost 23,600 at 1,820. The remaining 150 cover maintenances of 138 +
   * 167.44, 67.77… of them for the bitcoins.
   */
  function gaining(market: Market, bid?: string): { readonly long: Uid; readonly short: Uid } {
    market.index('ETH', '3000');
    const long = market.joins({ BTC: '0.1006', USDT: '36' });
    const [short, other] = [
      market.joins({ BTC: '100' }),
      market.joins({ BTC: '100', USDT: '1000000' }),
    ];
    const late = market.joins({ BTC: '100' });
    for (const name of ['BTCUSD', 'ETHUSDT']) market.settings(long, name, '20', 'crossed');
    market.settings(short, 'BTCUSD', '50', 'crossed');
    market.trade(long, other, '1', 'BTCUSD', '30000');
    market.trade(late, short, '1', 'BTCUSD', '72500');
    market.trade(long, other, '20', 'ETHUSDT', '3000');
    if (bid !== undefined) expect(market.order(short, 'buy', '1', 'BTCUSD', bid)).toBe('accepted');
    market.index('ETH', '1820');
    return { long, short };
  }

  const SHARE = down(down(150n * 138n * COIN * 100n, 30_544n), 50_000n);
  /** 30,000 × 1.0006 / (1 − 0.4 + backing). */
  const BANKRUPTCY = up(30_018n * COIN * COIN, COIN - (COIN * 4n) / 10n + SHARE);

  /**
   * Short 1 from 40,000 at four times: bankrupt at 40,000 × 0.9994 / 0.75 = 53,301.33…, below
   * maintenance from 40,000 × 0.9954 / 0.75 = 53,088 on. The only long bought at 52,000.
   */
  function shortOf(market: Market): { readonly short: Uid; readonly long: Uid } {
    market.pin('BTCUSD', '40000');
    const [short, long, other] = [
      market.joins({ BTC: '1' }),
      market.joins({ BTC: '100' }),
      market.joins({ BTC: '100' }),
    ];
    market.settings(short, 'BTCUSD', '4', 'isolated');
    market.trade(other, short, '1', 'BTCUSD', '40000');
    market.pin('BTCUSD', '52000');
    market.trade(long, other, '1', 'BTCUSD', '52000');
    market.pin('BTCUSD', '53100');
    return { short, long };
  }

  const SHORT_BANKRUPTCY = down(4_000_000n * 9_994n * COIN, 7_500n * 100n);

  // By a gain below mark, or a loss above it: the long gained 42,500 with the short, and the short
  // lost 12,000 more than the long gained.
  test('[POS-156][POS-157] a takeover draws like any close within the allowance', ({ market }) => {
    market.index('BTC', '50000');
    const { long, short } = gaining(market);
    expect(market.fills(long)).toContain(`liquidation sell 1 at ${text(BANKRUPTCY)}`);
    expect(market.fills(short)).toEqual([`autoDeleverage buy 1 at ${text(BANKRUPTCY)}`]);
    const draws = up(42_500n * (50_000n * COIN - BANKRUPTCY) * COIN, BANKRUPTCY * 50_000n);
    expect(drawn(market)).toBe(draws);
    const other = shortOf(market);
    expect(market.fills(other.short)).toEqual([`liquidation buy 1 at ${text(SHORT_BANKRUPTCY)}`]);
    expect(market.fills(other.long)).toEqual([
      `autoDeleverage sell 1 at ${text(SHORT_BANKRUPTCY)}`,
    ]);
    expect(drawn(market)).toBe(
      draws + up(12_000n * (SHORT_BANKRUPTCY - 53_100n * COIN) * COIN, SHORT_BANKRUPTCY * 53_100n),
    );
  });

  // The fund would have to pay the levy, because it has all the backing. A bid of another account
  // below mark is not taken either.
  test.for([undefined, '49918'])(
    '[POS-157][POS-76] beyond the allowance a gaining takeover closes at mark, with a bid at %s',
    (bid, { market }) => {
      market.index('BTC', '50000');
      drawAll(market, 50_000n);
      const { long, short } = gaining(market, bid);
      expect(market.fills(long)).toContain('liquidation sell 1 at 50000');
      expect([market.fills(short), profits(market, short)]).toEqual([
        ['autoDeleverage buy 1 at 50000'],
        ['0.45'],
      ]);
      expect(drawn(market)).toBe(roomAt(50_000n));
      const [takenOver] = market
        .emitted('entryPosted')
        .filter(({ reason }) => reason === 'takeover');
      expect(takenOver!.lines).toContainEqual(
        expect.objectContaining({ coin: 'BTC', account: 'insurance', amount: SHARE }),
      );
    },
  );

  /**
   * The same with a long that sells above mark, and with the clearing allowance at 53,100 used up
   * to that at 53,103.
   */
  function shortBeside(
    market: Market,
    from: string,
    ask: string,
  ): ReturnType<typeof shortOf> & { readonly maker: Uid } {
    const [maker, other] = [market.joins({ BTC: '100' }), market.joins({ BTC: '100' })];
    drawAll(market, 53_103n);
    market.pin('BTCUSD', '52000');
    market.trade(maker, other, '1', 'BTCUSD', from);
    expect(market.order(maker, 'sell', '1', 'BTCUSD', ask)).toBe('accepted');
    return { ...shortOf(market), maker };
  }

  const clearingPaid = (market: Market): string[] =>
    market
      .emitted('entryPosted')
      .filter(({ reason }) => reason === 'takeover')
      .flatMap(({ lines }) =>
        lines
          .filter(({ account, amount }) => account === 'clearing' && amount < 0n)
          .map(({ amount }) => text(amount)),
      );

  // At 53,301 the short loses 13,301 and draws 13,301 × 201 / (53,301 × 53,100) = 0.00094461. The
  // long that sells draws as well. Fees of 0.00045027 and 0.0002 × 64,742 / 53,301 and the
  // allowance of 0.00106391 cover both for a long from 64,742. The other long gains at bankruptcy,
  // which leaves room for the short's draw.
  test.for([
    ['64742', true],
    ['64742.1', false],
  ] as const)(
    '[POS-158] beyond mark it meets no order that would cost it a levy: long from %s, trades %s',
    ([from, trades], { market }) => {
      market.index('BTC', '50000');
      const { short, long, maker } = shortBeside(market, from, '53301');
      const rest = text(SHORT_BANKRUPTCY);
      expect(market.fills(short)).toEqual([
        trades ? 'liquidation buy 1 at 53301' : `liquidation buy 1 at ${rest}`,
      ]);
      expect(market.fills(maker)).toEqual(trades ? ['normal sell 1 at 53301'] : []);
      expect(market.fills(long)).toEqual(trades ? [] : [`autoDeleverage sell 1 at ${rest}`]);
      expect(clearingPaid(market)).toEqual([]);
    },
  );

  // The fund has 0.25 − 0.2481203008 − 0.0004511279 from an earlier sale at 53,200, and pays up to
  // 53,100 × 1.004 = 53,312.4. At 53,310 both can pay up to 63,627.7.
  test.for([
    ['63627.7', true],
    ['63627.8', false],
  ] as const)(
    '[POS-158][POS-181] nor where the fund pays beyond bankruptcy: long from %s, trades %s',
    ([from, trades], { market }) => {
      market.index('BTC', '50000');
      market.pin('BTCUSD', '52000');
      expect(market.order(market.joins({ BTC: '100' }), 'sell', '1', 'BTCUSD', '53200')).toBe(
        'accepted',
      );
      const before = shortOf(market);
      expect(market.fills(before.short)).toEqual(['liquidation buy 1 at 53200']);
      expect(market.house('insurance', 'BTC')).toBe('0.0014285713');
      const { short, maker } = shortBeside(market, from, '53310');
      expect(market.fills(short)).toEqual([
        `liquidation buy 1 at ${trades ? '53310' : text(SHORT_BANKRUPTCY)}`,
      ]);
      expect(market.fills(maker)).toEqual(trades ? ['normal sell 1 at 53310'] : []);
      expect(clearingPaid(market)).toEqual([]);
    },
  );

  // Short 3 from 40,000, of which 1.25 are in the first tier. With the allowance at 53,100 used up
  // to that at 53,109, 0.00319139 are left: enough for 1.75 from a long from 76,036.6, and nothing
  // more.
  test.for([
    ['76036.6', ['reduce buy 1.75 at 53301', 'liquidation buy 1.25 at 53100']],
    ['76036.7', [`liquidation buy 3 at ${text(SHORT_BANKRUPTCY)}`]],
  ] as const)(
    '[POS-158][POS-179] nor in a tier reduction: long from %s',
    ([from, fills], { market }) => {
      market.index('BTC', '50000');
      drawAll(market, 53_109n);
      market.pin('BTCUSD', '40000');
      const [short, long, other, maker] = [
        market.joins({ BTC: '3' }),
        ...[1, 2, 3].map(() => market.joins({ BTC: '100' })),
      ] as [Uid, Uid, Uid, Uid];
      market.settings(short, 'BTCUSD', '4', 'isolated');
      market.trade(other, short, '3', 'BTCUSD', '40000');
      market.pin('BTCUSD', '52000');
      market.trade(long, other, '3', 'BTCUSD', '52000');
      market.trade(maker, other, '1.75', 'BTCUSD', from);
      expect(market.order(maker, 'sell', '1.75', 'BTCUSD', '53301')).toBe('accepted');
      market.pin('BTCUSD', '53100');
      expect(market.fills(short)).toEqual(fills);
      expect(clearingPaid(market)).toEqual([]);
    },
  );

  // 13,100 are lost and 1,100 gained at 53,100.
  test('[POS-157][POS-76] beyond the allowance a losing takeover above mark closes at mark', ({
    market,
  }) => {
    market.index('BTC', '50000');
    drawAll(market, 53_100n);
    const { short, long } = shortOf(market);
    expect(market.fills(short)).toEqual(['liquidation buy 1 at 53100']);
    const lost = up(13_100n * COIN, 53_100n);
    expect([profits(market, short), profits(market, long)]).toEqual([
      [text(-lost)],
      [text(down(1_100n * COIN, 53_100n))],
    ]);
    expect([drawn(market), market.house('insurance', 'BTC')]).toEqual([
      roomAt(53_100n),
      text(COIN / 4n - lost),
    ]);
  });
});
