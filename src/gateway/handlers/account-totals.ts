/** Balances of an account by coin and by account type: the wallet, futures, and isolated pairs. */
import { ACCOUNT_TYPES, type accountTotalRows } from '../../contract/account-totals.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, minus, moneyText, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import { ok } from '../../kernel/result.ts';
import { accountMargin, spendable } from '../../views/account-margins.ts';
import type { PairBalance } from '../../views/isolated-pairs.ts';
import type { ViewQueries } from '../../views/views.ts';
import { coinsOf, inCoin, sum, unrealisedIn, worth } from './assets.ts';
import type { HandlersOf } from './handler.ts';
import type { HandlerParts } from './parts.ts';

const netOf = ({ available, locked, borrowed, interest }: PairBalance): Amount =>
  minus(plus(available, locked), plus(borrowed, interest));

/** Isolated position margin and unrealised profit belong to futures, the rest of a coin to spot. */
function valuesOf(
  views: ViewQueries,
  uid: Uid,
): Readonly<Record<(typeof ACCOUNT_TYPES)[number], Amount>> {
  const { accounts, prices, isolatedPairs } = views;
  const account = accountMargin(views, uid);
  const worthOf = (coin: string, amount: Amount): Amount => worth(amount, prices.coinIndex(coin));
  const coins = coinsOf(views, uid, account).map((coin) => {
    const { equity, margin } = accounts.balance(uid, coin);
    const futures = plus(margin, unrealisedIn(account.marked, coin));
    return { spot: worthOf(coin, minus(equity, margin)), futures: worthOf(coin, futures) };
  });
  const pairs = isolatedPairs
    .pairs(uid)
    .flatMap((pair) => [...pair.coins].map(([coin, held]) => worthOf(coin, netOf(held))));
  return {
    spot: sum(coins.map(({ spot }) => spot)),
    futures: sum(coins.map(({ futures }) => futures)),
    funding: ZERO_AMOUNT,
    earn: ZERO_AMOUNT,
    bots: ZERO_AMOUNT,
    margin: sum(pairs),
  };
}

export const accountTotalHandlers = ({
  views,
}: HandlerParts): HandlersOf<typeof accountTotalRows> => ({
  listFundingAssets: ({ coin: asked }, { uid }) => {
    const margin = accountMargin(views, uid);
    return ok(
      views.accounts.balances(uid).flatMap(({ coin, locked }) => {
        const available = spendable(views, uid, coin, margin);
        const balance = plus(available, locked);
        if (balance === 0n || (asked !== undefined && coin !== asked)) return [];
        return [
          {
            coin,
            available: moneyText(available),
            frozen: moneyText(locked),
            balance: moneyText(balance),
          },
        ];
      }),
    );
  },

  listAccountBalances: (_, { uid }) => {
    const values = valuesOf(views, uid);
    const usdt = views.prices.coinIndex('USDT');
    return ok(
      ACCOUNT_TYPES.map((accountType) => ({
        accountType,
        usdtBalance: inCoin(values[accountType], usdt),
      })),
    );
  },
});
