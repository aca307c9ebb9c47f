/**
 * Whether a text has the form of an address on a chain, checksum included. The chain decides, never
 * the coin: USDT on Tron has a Tron address. Behind this stands a library that can be replaced;
 * what it found is written into the command, so a journal never asks again.
 */
import { createRequire } from 'node:module';
import { base58 } from '@scure/base';
import { ADDRESS_KINDS, type AddressKind } from '../../messages/vocabulary.ts';
import { readInvoice } from './invoices.ts';

/** The part of the library that is used; it has no types of its own. */
interface Validator {
  validate(address: string, currency: string): boolean;
}
const validator = createRequire(import.meta.url)('multicoin-address-validator') as Validator;

/** The longest form of any of these chains is far shorter; what is longer is not looked at. */
const ADDRESS_LENGTH_MAX = 128;

const EVM = /^0x[0-9a-fA-F]{40}$/;
/** Classic addresses only: the other form carries its tag within, and ours travel beside it. */
const XRP_CLASSIC = /^r/;

/**
 * A Solana address is a public key and has no checksum: that it is of 32 bytes is all there is to
 * look at, and the library does not.
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
  // In one case there is no checksum to hold; in mixed case the case is the checksum.
  evm: (address) => EVM.test(address) && isEthereum(address),
  bitcoin: isBitcoin,
  tron: isTron,
  solana: (address) => SOLANA.test(address) && base58.decode(address).length === SOLANA_BYTES,
  xrp: (address) => XRP_CLASSIC.test(address) && isRipple(address),
  lightning: (address) => readInvoice(address) !== undefined,
};

export const isAddressOf = (kind: AddressKind, address: string): boolean => RULES[kind](address);

/**
 * The kind of chain that an address is of, when nothing else tells it any longer: no text is an
 * address of two kinds.
 */
export const kindOfAddress = (address: string): AddressKind | undefined =>
  ADDRESS_KINDS.find((kind) => isAddressOf(kind, address));
