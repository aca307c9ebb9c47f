/** Where deposits go: an address for each user and chain, always the same, valid under the chain's own checksum. Nobody holds its key. */
import { createHash } from 'node:crypto';
import { base58, base58xrp, bech32, createBase58check } from '@scure/base';
import type { Uid } from '../../kernel/ids.ts';
import type { Chain } from '../../messages/listings.ts';
import type { AddressKind } from '../../messages/vocabulary.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

const base58check = createBase58check(sha256);

/** Ripple's alphabet with the checksum that all of them share. */
function xrpAddress(account: Uint8Array): string {
  const body = Uint8Array.of(0, ...account);
  return base58xrp.encode(Uint8Array.of(...body, ...sha256(sha256(body)).subarray(0, 4)));
}

const ACCOUNT_BYTES = 20;
const TRON_PREFIX = 0x41;

type Encode = (bytes: Uint8Array) => string;
const short = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, ACCOUNT_BYTES);

/** From 32 bytes. An invoice is made for an amount, so Lightning has no address to give. */
const ENCODINGS: Readonly<Record<Exclude<AddressKind, 'lightning'>, Encode>> = {
  // In one case it carries no checksum, and every wallet takes it.
  evm: (bytes) => `0x${Buffer.from(short(bytes)).toString('hex')}`,
  bitcoin: (bytes) => bech32.encode('bc', [0, ...bech32.toWords(short(bytes))]),
  tron: (bytes) => base58check.encode(Uint8Array.of(TRON_PREFIX, ...short(bytes))),
  solana: (bytes) => base58.encode(bytes),
  xrp: (bytes) => xrpAddress(short(bytes)),
};

const addressFrom = (seed: string, kind: AddressKind): string | undefined =>
  kind === 'lightning' ? undefined : ENCODINGS[kind](sha256(Buffer.from(`rialto ${seed}`)));

export interface DepositAddress {
  readonly address: string;
  /** Where all users share an address, the tag tells them apart. */
  readonly tag: string;
}

/** Undefined on a chain that has no lasting addresses. */
export function depositAddress(uid: Uid, { addressKind, needsTag }: Chain): DepositAddress | undefined {
  const address = addressFrom(needsTag ? `house ${addressKind}` : `${uid} ${addressKind}`, addressKind);
  return address === undefined ? undefined : { address, tag: needsTag ? String(uid) : '' };
}

/** Kinds of which one address may be written in either case. */
const CASELESS: ReadonlySet<AddressKind> = new Set<AddressKind>(['evm', 'bitcoin']);

interface SaidAddress {
  readonly address: string;
  readonly tag: string | undefined;
}

/** Money sent there would leave only to come back, less the fee. Where users share an address it is the tag that makes it one's own. */
export function isOwnDepositAddress(uid: Uid, chain: Chain, said: SaidAddress): boolean {
  const own = depositAddress(uid, chain);
  if (own === undefined) return false;
  const address = CASELESS.has(chain.addressKind) ? said.address.toLowerCase() : said.address;
  return address === own.address && (!chain.needsTag || said.tag === own.tag);
}

/** Where withdrawals come from; empty on a chain that has no lasting addresses. */
export const houseAddress = (kind: AddressKind): string => addressFrom(`house ${kind}`, kind) ?? '';
