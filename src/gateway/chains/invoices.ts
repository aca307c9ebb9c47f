/**
 * Lightning invoices (BOLT11): what they ask for, until when, and the hash that makes them one of a
 * kind.
 */
import { decode } from 'light-bolt11-decoder';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { SECOND, TIME_MAX, type Timestamp } from '../../kernel/time.ts';
import type { Invoice } from '../../messages/withdrawals.ts';

/**
 * Of the main network, amount and all, in one case. A digit comes next, of the amount or the one
 * that ends the prefix: letters name another network (`bcrt`).
 */
const INVOICE = /^(?:lnbc\d[0-9a-z]+|LNBC\d[0-9A-Z]+)$/;
/** A payment has a hash of 32 bytes; the library reads whatever length is said. */
const PAYMENT_HASH = /^[0-9a-f]{64}$/;
/** What an invoice that does not say it lasts for. */
const EXPIRY_SECONDS = 3_600;
/** Milli-satoshis are eleven decimals of a bitcoin. */
const DECIMALS = 11;

interface Section {
  readonly name: string;
  readonly value?: unknown;
}

const valueIn = (sections: readonly Section[], name: string): unknown =>
  sections.find((section) => section.name === name)?.value;

/** Digits moved behind the point: never through a double. */
function bitcoinText(milliSatoshis: string): DecimalText {
  const digits = milliSatoshis.padStart(DECIMALS + 1, '0');
  const text = `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
  return text.replace(/\.?0+$/, '') as DecimalText;
}

function sectionsOf(text: string): readonly Section[] | undefined {
  try {
    return decode(text.toLowerCase()).sections as readonly Section[];
  } catch {
    return undefined;
  }
}

/** Undefined for what is no invoice of the main network, or one whose checksum does not hold. */
export function readInvoice(text: string): Invoice | undefined {
  const sections = INVOICE.test(text) ? sectionsOf(text) : undefined;
  if (sections === undefined) return undefined;
  const [paymentHash, timestamp, amount] = ['payment_hash', 'timestamp', 'amount'].map((name) =>
    valueIn(sections, name),
  );
  const expiry = valueIn(sections, 'expiry') ?? EXPIRY_SECONDS;
  if (
    typeof paymentHash !== 'string' ||
    !PAYMENT_HASH.test(paymentHash) ||
    typeof timestamp !== 'number' ||
    typeof expiry !== 'number'
  )
    return undefined;
  const expiresAt = Math.min((timestamp + expiry) * SECOND, TIME_MAX) as Timestamp;
  return typeof amount === 'string'
    ? { paymentHash, amount: bitcoinText(amount), expiresAt }
    : { paymentHash, expiresAt };
}
