/**
 * Compares every market figure without rows of its own with a model: tickers, books, candles, open
 * interest and funding times. Asks both planes at moments at which a figure changes, and after
 * every kind of start.
 */
import { expect, test } from 'vitest';
import { LENGTHS } from '../../model/figures/candles.ts';
import { type Market, marketsOf } from '../../model/figures/markets.ts';
import { questionsAbout } from '../../model/figures/questions.ts';
import { tradesOfDay } from '../../model/figures/tickers.ts';
import { Asking } from '../../model/lists/asking.ts';
import { askThroughStarts } from '../../model/lists/starts.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import { DAY, HOUR, MINUTE, nextStart, startOf } from '../../src/kernel/time.ts';

const SEEDS = [35, 27];
const LENGTH = { firstSteps: 400, steps: 60 };
const MOMENTS = 3;

/** The moment at which a trade becomes a day old or a candle begins, or one beside it. */
function drawMoment(random: Random, markets: readonly Market[], now: number): number {
  const days = markets.flatMap((market) =>
    tradesOfDay(market, now).map(({ at }) => startOf(at, MINUTE) + DAY),
  );
  const starts = [MINUTE, HOUR, DAY].map((length) => nextStart(now, length));
  const moment = days.length > 0 && random.below(2) === 0 ? random.pick(days) : random.pick(starts);
  return Math.max(now, moment + random.pick([-1, 0, 0, 1]));
}

class Inquiry extends Asking {
  /** Asks now and at later moments without a command in between. */
  async ask(turn: string): Promise<void> {
    const markets = marketsOf(this.run);
    for (let moment = 0; moment < MOMENTS; moment++) {
      for (const market of markets)
        if (market.trades.length > 0 || this.random.below(5) === 0)
          await this.#askAbout(market, turn);
      const { now } = this.run;
      this.run.pass(drawMoment(this.random, markets, now) - now);
    }
  }

  async #askAbout(market: Market, turn: string): Promise<void> {
    const { now } = this.run;
    for (const { name, asked, right, reached } of questionsAbout(this.random, market, now)) {
      const answered = await this.program.ask(name, asked, 1);
      const input = { name, asked, turn, now, sequence: this.run.engine.sequence };
      expect({ ...input, answered }).toMatchObject({ ...input, answered: { data: right } });
      this.count(name);
      for (const what of reached) this.count(what);
    }
    const minutes = new Set(market.trades.map(({ at }) => startOf(at, MINUTE) - now + DAY));
    if (minutes.has(0)) this.count('a trade a day old');
    if (minutes.has(1)) this.count('a trade almost a day old');
    if (market.trades.length > 0 && tradesOfDay(market, now).length === 0)
      this.count('a day without a trade');
  }
}

const inquireInto = (seed: number, counts: Map<string, number>): Promise<void> =>
  askThroughStarts(seed, LENGTH, (run, program) => {
    const inquiry = new Inquiry(run, program, seededRandom(seed).fork('figures'), counts);
    return (turn) => inquiry.ask(turn);
  });

test('[VIEW-08][VIEW-22][VIEW-23][VIEW-24][VIEW-32][VIEW-35][PRC-03][PRC-08][POS-60][POS-88][LIST-08] every figure of a market equals the model at every moment', async () => {
  const counts = new Map<string, number>();
  for (const seed of SEEDS) await inquireInto(seed, counts);

  const kinds = ['MARKET', 'MARK', 'INDEX'];
  const reached = [
    ...[
      'listTickers',
      'getFuturesTicker',
      'listSpotTickers',
      'getFuturesPrices',
      'getOpenInterest',
      'getFuturesOpenInterest',
    ],
    ...[
      'getOrderBook',
      'getFuturesDepth',
      'getSpotOrderBook',
      'getFundingRate',
      'getFuturesFundingRate',
      'getFuturesFundingTime',
    ],
    ...[
      'listCandles',
      'listFuturesCandles',
      'listSpotCandles',
      'listMarkCandles',
      'listIndexCandles',
    ],
    ...kinds.flatMap((kind) => Object.keys(LENGTHS).map((length) => `${kind} of ${length}`)),
    ...kinds.map((kind) => `${kind} still open`),
    ...[
      'candles were cut',
      'a candle at the start',
      'a candle at the end',
      'a book was cut',
      'a complete book',
      'a side was empty',
    ],
    ...['a whole book requested', 'open interest', 'funding of a symbol that is off'],
    ...['a trade almost a day old', 'a trade a day old', 'a day without a trade'],
  ];
  expect(reached.filter((what) => !counts.has(what))).toEqual([]);
});
