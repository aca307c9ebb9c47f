/**
 * What a chain asks of the destination of a withdrawal, beside the numbers of its listing. A coin
 * whose rule differs has a row of its own.
 */
import type { AddressKind } from './vocabulary.ts';

export type DestinationRule =
  /** Money goes to an address. A tag or memo, where one is given or needed, has this form. */
  | { readonly kind: 'address'; readonly isTag: (tag: string) => boolean }
  /** An invoice is paid once. The recipient gets its amount, and the fee is added (WDR-06). */
  | { readonly kind: 'invoice' };

const tagged = (isTag: (tag: string) => boolean): DestinationRule => ({ kind: 'address', isTag });

/** Tags that are agreed with the recipient alone. */
const ANY_TAG = tagged(() => true);

const WHOLE_NUMBER = /^\d{1,10}$/;
const isWholeOf32Bits = (tag: string): boolean =>
  WHOLE_NUMBER.test(tag) && Number.parseInt(tag, 10) < 2 ** 32;

/** Coins are in upper case, address kinds are not, so one table has both. */
type CoinName = Uppercase<string>;

/** One row for each kind of address. A coin's own row applies wherever it has addresses. */
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
