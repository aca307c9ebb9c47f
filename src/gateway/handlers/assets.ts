/** What an account is worth: its balances at index prices, whole and as margin. */
import {
  type Amount,
  least,
  money,
  moneyText,
  notional,
  type Price,
  plus,
  type Rate,
  rateOf,
  type Size,
  sizeFor,
  ZERO_AMOUNT,
} from '../../kernel/money.ts';
import type { Balance } from '../../views/accounts.ts';
import type { ViewQueries } from '../../views/views.ts';

/** What so much of a coin is worth in USD; nothing while its price is not known. */
function worth(amount: Amount, index: Price | undefined): Amount {
  return index === undefined ? ZERO_AMOUNT : notional(index, amount as bigint as Size, 'down');
}

const inCoin = (usd: Amount, index: Price | undefined): string => (index === undefined ? '0' : moneyText(sizeFor(usd, index, 'down')));

const sum = (amounts: readonly Amount[]): Amount => amounts.reduce((total, amount) => plus(total, amount), ZERO_AMOUNT);

/** Only what is owned counts as margin at a discount; what is owed counts whole. */
function asMargin(value: Amount, collateralRate: Rate): Amount {
  return value > 0n ? rateOf(value, collateralRate, 'down') : least(value, ZERO_AMOUNT);
}

/** Nothing is open yet that could win, lose or need margin. */
const NOTHING_OPEN = {
  unrealisedPnl: '0',
  usdtUnrealisedPnl: '0',
  btcUnrealizedPnl: '0',
  mmr: '0',
  imr: '0',
  mgnRatio: '0',
  positionMgnRatio: '0',
} as const;

const assetRow = (balance: Balance, usdValue: Amount) => ({
  coin: balance.coin,
  equity: moneyText(balance.equity),
  usdValue: moneyText(usdValue),
  balance: moneyText(sum([balance.available, balance.locked, balance.margin])),
  available: moneyText(balance.available),
  debt: moneyText(plus(balance.borrowed, balance.interest)),
  locked: moneyText(balance.locked),
});

/** `coin` narrows the list of assets; the totals are always those of the whole account. */
export function assetsOf(balances: readonly Balance[], { prices, listings }: ViewQueries, coin: string | undefined) {
  const valued = balances.map((balance) => ({ balance, value: worth(balance.equity, prices.coinIndex(balance.coin)) }));
  const equity = sum(valued.map(({ value }) => value));
  const effective = sum(
    valued.map(({ balance, value }) => asMargin(value, money<Rate>(listings.coin(balance.coin)?.collateralRate ?? '0'))),
  );
  return {
    accountEquity: moneyText(equity),
    usdtEquity: inCoin(equity, prices.coinIndex('USDT')),
    btcEquity: inCoin(equity, prices.coinIndex('BTC')),
    effEquity: moneyText(effective),
    ...NOTHING_OPEN,
    assets: valued
      .filter(({ balance }) => coin === undefined || balance.coin === coin)
      .map(({ balance, value }) => assetRow(balance, value)),
  };
}
