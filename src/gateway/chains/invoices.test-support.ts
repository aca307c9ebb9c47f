/**
 * Makes Lightning invoices for tests. They have no signature, because the reader checks only the
 * checksum.
 */
import { bech32 } from '@scure/base';

export interface InvoiceRequest {
  /**
   * In invoice notation: `1m` is a thousandth of a bitcoin, `10u` ten millionths. Empty means any
   * amount.
   */
  readonly amount?: string;
  /** Makes the payment hash unique. */
  readonly number?: number;
  /** Seconds since 1970. */
  readonly madeAt?: number;
  readonly expirySeconds?: number;
  readonly network?: string;
  /** Length of the payment hash in groups of five bits. */
  readonly hashWords?: number;
}

const SIGNATURE_WORDS = 104;
const HASH_WORDS = 52;
const [HASH_TAG, EXPIRY_TAG] = [1, 6];

/** A number as groups of five bits, the highest first. */
const wordsOf = (value: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => Math.floor(value / 32 ** (count - 1 - at)) % 32);

const field = (tag: number, words: readonly number[]): number[] => [
  tag,
  ...wordsOf(words.length, 2),
  ...words,
];

export function invoice(request: InvoiceRequest = {}): string {
  const {
    amount = '1m',
    number = 1,
    madeAt = 1_735_689_600,
    expirySeconds,
    network = 'bc',
    hashWords = HASH_WORDS,
  } = request;
  const hash = bech32.toWords(
    Uint8Array.from({ length: 32 }, (_, at) => (at < 4 ? (number >> (8 * at)) & 255 : 7)),
  );
  const words = [
    ...wordsOf(madeAt, 7),
    ...field(HASH_TAG, hash.slice(0, hashWords)),
    ...(expirySeconds === undefined ? [] : field(EXPIRY_TAG, wordsOf(expirySeconds, 6))),
    ...Array<number>(SIGNATURE_WORDS).fill(0),
  ];
  return bech32.encode(`ln${network}${amount}`, words, false);
}
