/**
 * The instruments listed by default, with steps, limits and tiers like those of well-known
 * exchanges.
 */
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { Instrument, Tier } from '../messages/listings.ts';
import type { FuturesCategory } from '../messages/vocabulary.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

/**
 * Rows of [up to value, largest leverage, maintenance rate]; each begins where the previous one
 * ends.
 */
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

/** Properties shared by all contracts of a coin, in any margin type. */
interface Contract {
  readonly base: string;
  readonly steps: Steps;
  readonly tiers: Tier[];
}

function futures(
  category: FuturesCategory,
  symbol: string,
  quote: string,
  { base, steps, tiers }: Contract,
): Instrument {
  return {
    category,
    symbol,
    baseCoin: base,
    quoteCoin: quote,
    marginCoin: category === 'COIN-FUTURES' ? base : quote,
    priceStep: decimal(steps.price),
    sizeStep: decimal(steps.size),
    sizeMin: decimal(steps.min),
    sizeMax: decimal(steps.max),
    marketSizeMax: decimal(steps.max),
    priceBandRate: decimal('0.5'),
    leverageMax: tiers[0]!.leverageMax,
    fundingHours: 8,
    tiers,
    followSizeMax: decimal(steps.max),
    followSizeMin: decimal(steps.min),
  };
}

const spot = (
  category: 'SPOT' | 'MARGIN',
  base: string,
  quote: string,
  steps: Steps,
): Instrument => ({
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

const BTC: Contract = {
  base: 'BTC',
  steps: { price: '0.1', size: '0.0001', min: '0.0001', max: '1200' },
  tiers: MAJOR_TIERS,
};
const ETH: Contract = {
  base: 'ETH',
  steps: { price: '0.01', size: '0.01', min: '0.01', max: '20000' },
  tiers: MAJOR_TIERS,
};
const SOL: Contract = {
  base: 'SOL',
  steps: { price: '0.001', size: '0.1', min: '0.1', max: '300000' },
  tiers: MINOR_TIERS,
};
const XRP: Contract = {
  base: 'XRP',
  steps: { price: '0.0001', size: '1', min: '1', max: '20000000' },
  tiers: MINOR_TIERS,
};

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
  futures('USDT-FUTURES', 'BTCUSDT', 'USDT', BTC),
  futures('USDT-FUTURES', 'ETHUSDT', 'USDT', ETH),
  futures('USDT-FUTURES', 'SOLUSDT', 'USDT', SOL),
  futures('USDT-FUTURES', 'XRPUSDT', 'USDT', XRP),
  futures('COIN-FUTURES', 'BTCUSD', 'USD', BTC),
  futures('COIN-FUTURES', 'ETHUSD', 'USD', ETH),
  futures('USDC-FUTURES', 'BTCPERP', 'USDC', BTC),
  futures('USDC-FUTURES', 'ETHPERP', 'USDC', ETH),
  ...spotAndMargin('BTC', 'USDT', SPOT_BTC),
  ...spotAndMargin('ETH', 'USDT', SPOT_ETH),
  ...spotAndMargin('SOL', 'USDT', SPOT_SOL),
  ...spotAndMargin('XRP', 'USDT', SPOT_XRP),
  ...spotAndMargin('ETH', 'BTC', SPOT_ETHBTC),
];

/** Initial prices of the demo data, in USD. */
export const DEMO_INDEX_PRICES: Readonly<Record<string, string>> = {
  BTC: '60000',
  ETH: '3000',
  SOL: '150',
  XRP: '0.5',
};
