/**
 * Pasts for tests: bitcoin at 60,000 and ether at 3,000, as futures, on spot, and one quoted in the
 * other.
 */
import type { Id } from '../../kernel/ids.ts';
import { money } from '../../kernel/money.ts';
import { DAY, HOUR, startOf, type Timestamp } from '../../kernel/time.ts';
import type { Past, PastBook } from '../../messages/past.ts';

const BITCOIN: PastBook = {
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  priceStep: money('0.1'),
  sizeStep: money('0.0001'),
  last: money('60000'),
  index: money('60000'),
  quoteDollars: money('1'),
  fundingHours: 8,
  fundingRateMax: money('0.003'),
};
const ETHER: PastBook = {
  ...BITCOIN,
  category: 'SPOT',
  symbol: 'ETHUSDT',
  baseCoin: 'ETH',
  priceStep: money('0.01'),
  last: money('3000'),
  index: money('3000'),
  fundingHours: 0,
};
const CROSS: PastBook = {
  ...ETHER,
  symbol: 'ETHBTC',
  quoteCoin: 'BTC',
  priceStep: money('0.000001'),
  last: money('0.05'),
  index: money('0.05'),
  quoteDollars: money('60000'),
};

/** 14 May 2024, 12:34:56.789 UTC: within a minute, an hour, a week and a month. */
export const PAST_END = Date.UTC(2024, 4, 14, 12, 34, 56, 789) as Timestamp;

export const pastOf = (seed: number, spanMs = 30 * DAY, end: Timestamp = PAST_END): Past => ({
  seed,
  begin: startOf(end - spanMs, HOUR),
  end,
  tradeIdFirst: 1 as Id,
  books: [BITCOIN, ETHER, CROSS],
});
