/** Checks a coin before it is listed. */

import { MONEY_DECIMALS } from '../../kernel/money.ts';
import { CHAINS_PER_COIN_MAX } from '../../messages/bounds.ts';
import type { RowPlace } from '../../messages/command-fields.ts';
import type { Chain, Coin } from '../../messages/listings.ts';
import { type Rejection, rejection } from '../../messages/rejections.ts';
import { countFault, listed, numbersFault } from './listing-numbers.ts';

/** A day of blocks of the fastest chains. */
const CONFIRMATIONS_MAX = 1_000_000;

const COIN = /^[A-Z0-9]{1,20}$/;

const CHAIN = /^[A-Za-z0-9._-]{1,32}$/;

/** The unit of index prices and the quote of inverse contracts. No account holds it. */
export const UNIT_OF_ACCOUNT = 'USD';

const chainFault = (chain: Chain, at: RowPlace): Rejection | undefined => {
  if (!CHAIN.test(chain.chain)) return rejection('fieldInvalid', `${at}.chain`, chain.chain);
  return (
    numbersFault(
      chain,
      {
        withdrawFee: 'amount',
        withdrawMin: 'amount',
        depositMin: 'amount',
        withdrawStep: 'positive',
      },
      at,
    ) ??
    countFault(`${at}.withdrawDecimals`, chain.withdrawDecimals, 0, MONEY_DECIMALS) ??
    countFault(`${at}.depositConfirmations`, chain.depositConfirmations, 0, CONFIRMATIONS_MAX) ??
    countFault(`${at}.withdrawConfirmations`, chain.withdrawConfirmations, 0, CONFIRMATIONS_MAX)
  );
};

/** The index of the first repeated name, or -1. */
const duplicateAt = (names: readonly string[]): number =>
  names.findIndex((name, at) => names.indexOf(name) < at);

function chainsFault(chains: readonly Chain[]): Rejection | undefined {
  if (chains.length > CHAINS_PER_COIN_MAX)
    return rejection('tooManyItems', 'chains', `${CHAINS_PER_COIN_MAX}`);
  // Withdrawals find a chain without regard to case (WDR-04).
  const duplicate = duplicateAt(chains.map(({ chain }) => chain.toUpperCase()));
  if (duplicate >= 0)
    return rejection(
      'fieldInvalid',
      `chains[${duplicate}].chain`,
      `${chains[duplicate]!.chain} is named twice`,
    );
  for (const [at, chain] of chains.entries()) {
    const fault = chainFault(chain, `chains[${at}]`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

export function coinFault(coin: Coin): Rejection | undefined {
  if (!COIN.test(coin.coin) || coin.coin === UNIT_OF_ACCOUNT)
    return rejection('fieldInvalid', 'coin', coin.coin);
  const fault = numbersFault(coin, {
    collateralRate: 'share',
    leverage: 'leverage',
    leverageMax: 'leverage',
    automaticLimitUsd: 'amount',
    singleLimitUsd: 'amount',
    hourlyInterestRate: 'share',
    secondApprovalUsd: 'amount',
    houseDailyLimitUsd: 'amount',
  });
  if (fault !== undefined) return fault;
  if (listed(coin.leverage) > listed(coin.leverageMax))
    return rejection('fieldOutOfRange', 'leverage', `1 to ${coin.leverageMax}`);
  if (listed(coin.automaticLimitUsd) > listed(coin.singleLimitUsd)) {
    return rejection('fieldOutOfRange', 'automaticLimitUsd', `0 to ${coin.singleLimitUsd}`);
  }
  return dailyLimitsFault(coin) ?? chainsFault(coin.chains);
}

function dailyLimitsFault({ dailyLimitsUsd = [] }: Coin): Rejection | undefined {
  const duplicate = duplicateAt(dailyLimitsUsd.map(({ level }) => level));
  if (duplicate >= 0)
    return rejection(
      'fieldInvalid',
      `dailyLimitsUsd[${duplicate}].level`,
      `${dailyLimitsUsd[duplicate]!.level} is named twice`,
    );
  for (const [at, limit] of dailyLimitsUsd.entries()) {
    const fault = numbersFault(limit, { limit: 'amount' }, `dailyLimitsUsd[${at}]`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
