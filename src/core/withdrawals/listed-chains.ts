/** Chains of a coin by their names, which are compared without case (WDR-04). */
import type { Chain, Coin } from '../../messages/listings.ts';

export function chainOf(coin: Pick<Coin, 'chains'> | undefined, said: string): Chain | undefined {
  const name = said.toUpperCase();
  return coin?.chains.find(({ chain }) => chain.toUpperCase() === name);
}
