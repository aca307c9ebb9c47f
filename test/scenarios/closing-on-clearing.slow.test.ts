/**
 * What positions of coin-margined contracts draw on clearing when they are closed against each
 * other outside the book.
 */
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

/** Three friends pass positions around until the house stands for no more at this mark. */
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
 * Long from 52,500 at twenty times: less is left than must be from 52,500 × 1.0046 / 1.05 = 50,230
 * on, and nothing at 52,500 × 1.0006 / 1.05 = 50,030. There is nobody in the book, and of those who
 * are short the one from so much further away has gained most.
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
  // The short from 72,500 gains 22,470 by being closed at 50,030 and the long loses 2,470. These
  // 20,000 for each bitcoin are 0.0013537694 more at 50,030 than at a mark of 50,200. At 50,201 all
  // was drawn, which leaves 0.0003968111 at 50,200: just enough for 0.2931.
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

  // All has been drawn at 50,200: 22,470 and 2,470 are worth so much at mark, and the fund has what
  // the close does not cost.
  test('[POS-153] a gain brings no less than it is worth at mark', ({ market }) => {
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

  // The mark has gone to 45,000, far beyond bankruptcy: 20,000 are less there than at 45,000, which
  // is left, and can be drawn again.
  test('[POS-94] what is left to clearing counts back', ({ market }) => {
    market.index('BTC', '50000');
    drawAll(market, 45_000n);
    const { long, short } = leaning(market, '1', '72500');
    market.pin('BTCUSD', '45000');
    expect(market.fills(long)).toEqual(['liquidation sell 1 at 50030']);
    expect(profits(market, short)).toEqual([text(down(22_470n * COIN, 50_030n))]);
    expect(drawn(market)).toBe(roomAt(45_000n) - down(20_000n * 5_030n * COIN, 50_030n * 45_000n));
  });

  // A short from 51,000 gains 970 at 50,030 and the long loses 2,470: 1,500 more are lost than
  // gained, which are more at 45,000 than there. That is the long's to leave, who has nothing left;
  // the fund has nothing of his margin then.
  test('[POS-159][POS-72] the house pays the levy of a position whose margin is gone', ({
    market,
  }) => {
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

describe('somebody who is taken over and would draw on clearing himself', () => {
  /**
   * Long 1 BTCUSD from 30,000, which has gained 0.4 at 50,000, with 0.1 bitcoin beside it: 0.5 ×
   * 47,500 = 23,750. Of 20 ether from 3,000 are lost 23,600 at 1,820, and 138 + 167.44 have to be
   * kept up by the 150 that are left, 67.77… of which stand behind the bitcoins.
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
  /** 30,000 × 1.0006 / (1 − 0.4 + what stands behind it). */
  const BANKRUPTCY = up(30_018n * COIN * COIN, COIN - (COIN * 4n) / 10n + SHARE);

  /**
   * Short 1 from 40,000 at four times, with nothing left at 40,000 × 0.9994 / 0.75 = 53,301.33…;
   * less than must be is left from 40,000 × 0.9954 / 0.75 = 53,088 on. The only one who is long
   * bought at 52,000.
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

  // By a gain below mark, or by a loss above it: the long has gained 42,500 with the short, and the
  // short has lost 12,000 more than the long has gained.
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

  // What he left to clearing the fund would have to pay to him: it has all that stood behind him. A
  // friend's bid below mark is not taken either.
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
   * The same, with somebody long from a price who sells above mark, and what of clearing may be
   * drawn at 53,100 after as much as at 53,103.
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

  // At 53,301 the short loses 13,301 and draws 13,301 × 201 / (53,301 × 53,100) = 0.00094461. What
  // the long loses who sells to him draws as well: fees of 0.00045027 and 0.0002 × 64,742 / 53,301
  // and the 0.00106391 of room bear both for one from 64,742. The only other long gains at
  // bankruptcy, which leaves room for the short's.
  test.for([
    ['64742', true],
    ['64742.1', false],
  ] as const)(
    '[POS-158] beyond mark it trades with no order that brings it a levy: long from %s, trades %s',
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

  // The fund has 0.25 − 0.2481203008 − 0.0004511279 of somebody who was sold to at 53,200 before,
  // and pays up to 53,100 × 1.004 = 53,312.4. At 53,310 both bear up to 63,627.7.
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

  // Short 3 from 40,000, of which 1.25 are in the first tier. After as much as at 53,109 there is
  // room at 53,100 for 0.00319139, and so for 1.75 from somebody long from 76,036.6, who leaves
  // none for the rest.
  test.for([
    ['76036.6', ['reduce buy 1.75 at 53301', 'liquidation buy 1.25 at 53100']],
    ['76036.7', [`liquidation buy 3 at ${text(SHORT_BANKRUPTCY)}`]],
  ] as const)(
    '[POS-158][POS-179] nor where it is reduced: long from %s',
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
