/**
 * Derives a deposit address for each user and chain: constant, and valid under the chain's
 * checksum. No private key exists.
 */
import { createHash } from 'node:crypto';
import { base58, base58xrp, bech32, createBase58check } from '@scure/base';
import { type Uid, uidFromText } from '../../kernel/ids.ts';
import type { Chain } from '../../messages/listings.ts';
import type { AddressKind } from '../../messages/vocabulary.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

const base58check = createBase58check(sha256);

/** Ripple's base58 alphabet with its standard checksum. */
function xrpAddress(account: Uint8Array): string {
  const body = Uint8Array.of(0, ...account);
  return base58xrp.encode(Uint8Array.of(...body, ...sha256(sha256(body)).subarray(0, 4)));
}

const ACCOUNT_BYTES = 20;
const TRON_PREFIX = 0x41;

type Encode = (bytes: Uint8Array) => string;
const short = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, ACCOUNT_BYTES);

/** Encodes 32 bytes as an address; undefined on a chain without permanent addresses. */
const ENCODINGS: Readonly<Record<AddressKind, Encode | undefined>> = {
  // Lower case has no checksum, and every wallet accepts it.
  evm: (bytes) => `0x${Buffer.from(short(bytes)).toString('hex')}`,
  bitcoin: (bytes) => bech32.encode('bc', [0, ...bech32.toWords(short(bytes))]),
  tron: (bytes) => base58check.encode(Uint8Array.of(TRON_PREFIX, ...short(bytes))),
  solana: (bytes) => base58.encode(bytes),
  xrp: (bytes) => xrpAddress(short(bytes)),
  // Each invoice is made for an amount.
  lightning: undefined,
};

/** Decodes a valid address of its chain to bytes; undefined for a form that we do not issue. */
const DECODINGS: Readonly<Record<AddressKind, (address: string) => Uint8Array | undefined>> = {
  evm: (address) => Buffer.from(address.slice(2), 'hex'),
  bitcoin: (address) => {
    const decoded = bech32.decodeUnsafe(address as `${string}1${string}`);
    return decoded && decoded.words[0] === 0
      ? bech32.fromWordsUnsafe(decoded.words.slice(1)) || undefined
      : undefined;
  },
  tron: (address) => base58check.decode(address).subarray(1),
  solana: (address) => base58.decode(address),
  xrp: (address) => base58xrp.decode(address).subarray(1, 1 + ACCOUNT_BYTES),
  lightning: () => undefined,
};

/**
 * Length of the user's number inside an address. A mask makes addresses of consecutive users look
 * unrelated.
 */
const UID_BYTES = 6;
const UID_START = ACCOUNT_BYTES - UID_BYTES;

/** Stores the uid in the address, so that the owner is found without a table. */
function withUid(bytes: Uint8Array, uid: Uid): Uint8Array {
  const number = Buffer.alloc(UID_BYTES);
  number.writeUIntBE(uid, 0, UID_BYTES);
  return bytes.map((byte, at) =>
    at >= UID_START && at < ACCOUNT_BYTES ? number[at - UID_START]! ^ bytes[at - UID_START]! : byte,
  );
}

function uidIn(bytes: Uint8Array): Uid | undefined {
  if (bytes.length < ACCOUNT_BYTES) return undefined;
  const number = bytes.slice(UID_START, ACCOUNT_BYTES).map((byte, at) => byte ^ bytes[at]!);
  return Buffer.from(number).readUIntBE(0, UID_BYTES) as Uid;
}

const bytesOf = (seed: string): Uint8Array =>
  Uint8Array.from(sha256(Buffer.from(`rialto ${seed}`)));

export interface DepositAddress {
  readonly address: string;
  /** Identifies the user where all users share an address. */
  readonly tag: string;
}

/** Undefined on a chain without permanent addresses. */
export function depositAddress(
  uid: Uid,
  { addressKind, needsTag }: Chain,
): DepositAddress | undefined {
  const encode = ENCODINGS[addressKind];
  if (encode === undefined) return undefined;
  if (needsTag) return { address: houseAddress(addressKind), tag: String(uid) };
  return { address: encode(withUid(bytesOf(`${uid} ${addressKind}`), uid)), tag: '' };
}

/** Chains where an address may be written in upper or lower case. */
const CASELESS: ReadonlySet<AddressKind> = new Set<AddressKind>(['evm', 'bitcoin']);

interface AddressInput {
  readonly address: string;
  readonly tag: string | undefined;
}

/**
 * The owner of a deposit address, existing or future; undefined if we did not issue it. The address
 * must be valid on its chain. Where users share an address, the tag identifies the owner.
 */
export function ownerOfAddress(chain: Chain, input: AddressInput): Uid | undefined {
  const { addressKind, needsTag } = chain;
  const address = CASELESS.has(addressKind) ? input.address.toLowerCase() : input.address;
  const bytes = needsTag ? undefined : DECODINGS[addressKind](address);
  const uid = needsTag ? uidFromText(input.tag ?? '') : bytes && uidIn(bytes);
  const own = uid === undefined ? undefined : depositAddress(uid, chain);
  return own?.address === address && (!needsTag || own.tag === input.tag) ? uid : undefined;
}

const addressNamed = (owner: string, kind: AddressKind): string =>
  ENCODINGS[kind]?.(bytesOf(`${owner} ${kind}`)) ?? '';

/** Source address of withdrawals; empty on a chain without permanent addresses. */
export const houseAddress = (kind: AddressKind): string => addressNamed('house', kind);

/** Source address of external deposits (WDR-52); empty on a chain without permanent addresses. */
export const outsideAddress = (kind: AddressKind): string => addressNamed('outside', kind);
