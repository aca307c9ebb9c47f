/** The instruments listed by default, with steps, limits and tiers like those of the exchanges clients know. */
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { Instrument, Tier } from '../messages/listings.ts';
import type { Category } from '../messages/vocabulary.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

/** Rows of [up to value, largest leverage, maintenance rate]; each begins where the one before ends. */
type TierRows = readonly (readonly [string, string, string])[];
const tiers = (rows: TierRows): Tier[] =>
  rows.map(([toValue, leverageMax, maintenanceRate], at) => ({
    fromValue: decimal(rows[at - 1]?.[0] ?? '0'),
    toValue: decimal(toValue),
    leverageMax: decimal(leverageMax),
    maintenanceRate: decimal(maintenanceRate),
  }));

const MAJOR_TIERS = tiers([
  ['50000', '125', '0.004'],
  ['200000', '100', '0.005'],
  ['1000000', '50', '0.01'],
  ['5000000', '20', '0.025'],
  ['20000000', '10', '0.05'],
  ['100000000', '5', '0.1'],
  ['500000000', '2', '0.25'],
]);
const MINOR_TIERS = tiers([
  ['20000', '75', '0.0065'],
  ['100000', '50', '0.01'],
  ['500000', '20', '0.025'],
  ['2000000', '10', '0.05'],
  ['10000000', '5', '0.1'],
  ['50000000', '2', '0.25'],
]);

interface Steps {
  readonly price: string;
  readonly size: string;
  readonly min: string;
  readonly max: string;
}

function futures(
  category: Category,
  symbol: string,
  base: string,
  quote: string,
  marginCoin: string,
  steps: Steps,
  table: Tier[],
): Instrument {
  return {
    category,
    symbol,
    baseCoin: base,
    quoteCoin: quote,
    marginCoin,
    priceStep: decimal(steps.price),
    sizeStep: decimal(steps.size),
    sizeMin: decimal(steps.min),
    sizeMax: decimal(steps.max),
    marketSizeMax: decimal(steps.max),
    priceBandRate: decimal('0.5'),
    leverageMax: table[0]!.leverageMax,
    fundingHours: 8,
    tiers: table,
    followSizeMax: decimal(steps.max),
    followSizeMin: decimal(steps.min),
  };
}

const spot = (category: Category, base: string, quote: string, steps: Steps): Instrument => ({
  category,
  symbol: `${base}${quote}`,
  baseCoin: base,
  quoteCoin: quote,
  marginCoin: quote,
  priceStep: decimal(steps.price),
  sizeStep: decimal(steps.size),
  sizeMin: decimal(steps.min),
  sizeMax: decimal(steps.max),
  marketSizeMax: decimal(steps.max),
  priceBandRate: decimal('0.5'),
  leverageMax: decimal(category === 'MARGIN' ? '10' : '1'),
  fundingHours: 0,
  tiers: [],
});

const BTC: Steps = { price: '0.1', size: '0.0001', min: '0.0001', max: '1200' };
const ETH: Steps = { price: '0.01', size: '0.01', min: '0.01', max: '20000' };
const SOL: Steps = { price: '0.001', size: '0.1', min: '0.1', max: '300000' };
const XRP: Steps = { price: '0.0001', size: '1', min: '1', max: '20000000' };

const SPOT_BTC: Steps = { price: '0.01', size: '0.000001', min: '0.00001', max: '1000' };
const SPOT_ETH: Steps = { price: '0.01', size: '0.0001', min: '0.0001', max: '20000' };
const SPOT_SOL: Steps = { price: '0.01', size: '0.001', min: '0.01', max: '300000' };
const SPOT_XRP: Steps = { price: '0.0001', size: '0.01', min: '1', max: '20000000' };
const SPOT_ETHBTC: Steps = { price: '0.000001', size: '0.0001', min: '0.0001', max: '20000' };

const spotAndMargin = (base: string, quote: string, steps: Steps): Instrument[] => [
  spot('SPOT', base, quote, steps),
  spot('MARGIN', base, quote, steps),
];

export const DEFAULT_INSTRUMENTS: readonly Instrument[] = [
  futures('USDT-FUTURES', 'BTCUSDT', 'BTC', 'USDT', 'USDT', BTC, MAJOR_TIERS),
  futures('USDT-FUTURES', 'ETHUSDT', 'ETH', 'USDT', 'USDT', ETH, MAJOR_TIERS),
  futures('USDT-FUTURES', 'SOLUSDT', 'SOL', 'USDT', 'USDT', SOL, MINOR_TIERS),
  futures('USDT-FUTURES', 'XRPUSDT', 'XRP', 'USDT', 'USDT', XRP, MINOR_TIERS),
  futures('COIN-FUTURES', 'BTCUSD', 'BTC', 'USD', 'BTC', BTC, MAJOR_TIERS),
  futures('COIN-FUTURES', 'ETHUSD', 'ETH', 'USD', 'ETH', ETH, MAJOR_TIERS),
  futures('USDC-FUTURES', 'BTCPERP', 'BTC', 'USDC', 'USDC', BTC, MAJOR_TIERS),
  futures('USDC-FUTURES', 'ETHPERP', 'ETH', 'USDC', 'USDC', ETH, MAJOR_TIERS),
  ...spotAndMargin('BTC', 'USDT', SPOT_BTC),
  ...spotAndMargin('ETH', 'USDT', SPOT_ETH),
  ...spotAndMargin('SOL', 'USDT', SPOT_SOL),
  ...spotAndMargin('XRP', 'USDT', SPOT_XRP),
  ...spotAndMargin('ETH', 'BTC', SPOT_ETHBTC),
];

/** Where the demo world's prices begin, in USD. */
export const DEMO_INDEX_PRICES: Readonly<Record<string, string>> = { BTC: '60000', ETH: '3000', SOL: '150', XRP: '0.5' };
