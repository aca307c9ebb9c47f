/**
 * Checks whether a text is a valid address on a chain, including its checksum. The chain decides,
 * not the coin: USDT on Tron has a Tron address. The command records the result, so replay never
 * asks the library again.
 */
import { createRequire } from 'node:module';
import { base58 } from '@scure/base';
import { ADDRESS_KINDS, type AddressKind } from '../../messages/vocabulary.ts';
import { readInvoice } from './invoices.ts';

/** The used part of the library, which has no types. */
interface Validator {
  validate(address: string, currency: string): boolean;
}
const validator = createRequire(import.meta.url)('multicoin-address-validator') as Validator;

/** Longer texts are refused unread; every chain's longest form is far shorter. */
const ADDRESS_LENGTH_MAX = 128;

const EVM = /^0x[0-9a-fA-F]{40}$/;
/** Classic addresses only: an X-address contains its tag, and ours has the tag in its own field. */
const XRP_CLASSIC = /^r/;

/**
 * A Solana address is a public key without a checksum. Only its length of 32 bytes can be checked,
 * and the library does not check it.
 */
const SOLANA = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const SOLANA_BYTES = 32;

type Rule = (address: string) => boolean;

const byLibrary =
  (currency: string): Rule =>
  (address) =>
    address.length <= ADDRESS_LENGTH_MAX && validator.validate(address, currency);

const isBitcoin = byLibrary('btc');
const isEthereum = byLibrary('eth');
const isTron = byLibrary('trx');
const isRipple = byLibrary('xrp');

const RULES: Readonly<Record<AddressKind, Rule>> = {
  // An address in one case has no checksum; in mixed case, the cases of its letters are the
  // checksum.
  evm: (address) => EVM.test(address) && isEthereum(address),
  bitcoin: isBitcoin,
  tron: isTron,
  solana: (address) => SOLANA.test(address) && base58.decode(address).length === SOLANA_BYTES,
  xrp: (address) => XRP_CLASSIC.test(address) && isRipple(address),
  lightning: (address) => readInvoice(address) !== undefined,
};

export const isAddressOf = (kind: AddressKind, address: string): boolean => RULES[kind](address);

/**
 * The kind of chain of an address, for records that no longer name the chain. No text is an address
 * of two kinds.
 */
export const kindOfAddress = (address: string): AddressKind | undefined =>
  ADDRESS_KINDS.find((kind) => isAddressOf(kind, address));
