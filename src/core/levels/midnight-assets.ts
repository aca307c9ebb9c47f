/**
 * What a master and its sub-accounts owned when the day ended. Levels are reckoned slice by slice
 * (AGT-153), and money goes on moving meanwhile: whoever's is about to move, and who has not been
 * looked at yet, is counted just before. So everybody is reckoned by one moment, and money that is
 * passed on counts once.
 */
import type { Uid } from '../../kernel/ids.ts';
import {
  type Amount,
  minus,
  type Price,
  plus,
  type Rate,
  rateOf,
  ZERO_AMOUNT,
} from '../../kernel/money.ts';
import { masterOf } from '../accounts/sub-accounts.ts';
import type { CoreState } from '../derived/core-state.ts';
import { pairOwed } from '../margin/pair-debts.ts';
import { totalOf } from '../ledger/ledger.ts';
import { debtOf } from '../margin/debts.ts';
import { coinPriceOf } from '../derived/coin-prices.ts';
import type { State } from '../state/state.ts';

/** By coin, those of all that a wallet may hold. */
export function indexesOf(state: State): Map<string, Price> {
  const indexes = new Map<string, Price>();
  for (const coin of state.coins.keys()) {
    const price = coinPriceOf(state, coin);
    if (price !== undefined) indexes.set(coin, price);
  }
  return indexes;
}

/** Before money or a debt of somebody changes. */
export function keepAssets(core: CoreState, uid: Uid): void {
  const { round } = core.state.levels;
  if (round === undefined) return;
  const master = masterOf(core.state, uid);
  if (master < round.next || master >= round.end || round.assets.has(master)) return;
  round.assets.set(master, assetsOf(core, master, round.indexes));
}

/** Of all that stands behind one level; by the indexes of the same moment. */
export function assetsOf(
  { state, derived }: CoreState,
  master: Uid,
  indexes: ReadonlyMap<string, Price>,
): Amount {
  return [master, ...(derived.subAccounts.get(master) ?? [])].reduce(
    (sum, uid) => plus(sum, ownAssets(state, uid, indexes)),
    ZERO_AMOUNT,
  );
}

/**
 * All that stands in an account's wallets at index, less what it owes, be that more; a coin without
 * a price counts for nothing.
 */
function ownAssets(state: State, uid: Uid, indexes: ReadonlyMap<string, Price>): Amount {
  let assets = ZERO_AMOUNT;
  for (const [coin, wallet] of state.ledger.wallets.get(uid) ?? []) {
    const price = indexes.get(coin);
    if (price === undefined) continue;
    assets = plus(
      assets,
      rateOf(minus(totalOf(wallet), owedIn(state, uid, coin)), price as bigint as Rate, 'down'),
    );
  }
  return assets;
}

function owedIn(state: State, uid: Uid, coin: string): Amount {
  const { principal, interest } = debtOf(state, uid, coin);
  const pairs = [...(state.isolatedPairs.get(uid)?.keys() ?? [])];
  return pairs.reduce(
    (owed, symbol) => plus(owed, pairOwed(state, { uid, symbol }, coin)),
    plus(principal, interest),
  );
}
