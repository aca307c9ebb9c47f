/** Finds a chain of a coin by its name, without regard to case (WDR-04). */
import type { Chain, Coin } from '../../messages/listings.ts';

export function chainOf(coin: Pick<Coin, 'chains'> | undefined, input: string): Chain | undefined {
  const name = input.toUpperCase();
  return coin?.chains.find(({ chain }) => chain.toUpperCase() === name);
}
