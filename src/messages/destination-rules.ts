/**
 * The rules of chains for the destination of a withdrawal. The numbers of a chain are in its
 * listing. A coin with a different rule has its own row.
 */
import type { AddressKind } from './vocabulary.ts';

export type DestinationRule =
  /** An address. A tag or memo must pass `isTag`. */
  | { readonly kind: 'address'; readonly isTag: (tag: string) => boolean }
  /** An invoice is paid once. The recipient gets its amount, and the fee is added (WDR-06). */
  | { readonly kind: 'invoice' };

const tagged = (isTag: (tag: string) => boolean): DestinationRule => ({ kind: 'address', isTag });

/** The chain has no rule for tags. */
const ANY_TAG = tagged(() => true);

const WHOLE_NUMBER = /^\d{1,10}$/;
const isWholeOf32Bits = (tag: string): boolean =>
  WHOLE_NUMBER.test(tag) && Number.parseInt(tag, 10) < 2 ** 32;

/** Coins are in upper case, address kinds are not, so one table has both. */
type CoinName = Uppercase<string>;

/** One row for each kind of address. The row of a coin takes precedence, except for invoices. */
const DESTINATION_RULES: Readonly<Record<AddressKind, DestinationRule>> & {
  readonly [coin: CoinName]: DestinationRule;
} = {
  evm: ANY_TAG,
  bitcoin: ANY_TAG,
  tron: ANY_TAG,
  solana: ANY_TAG,
  xrp: tagged(isWholeOf32Bits),
  lightning: { kind: 'invoice' },
};

export function destinationRule(coin: string, addressKind: AddressKind): DestinationRule {
  const ofChain = DESTINATION_RULES[addressKind];
  return ofChain.kind === 'invoice' ? ofChain : (DESTINATION_RULES[coin as CoinName] ?? ofChain);
}
