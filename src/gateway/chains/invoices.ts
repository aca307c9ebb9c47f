/** Reads Lightning invoices (BOLT 11): amount, expiry and payment hash. */
import { decode } from 'light-bolt11-decoder';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { SECOND, TIME_MAX, type Timestamp } from '../../kernel/time.ts';
import type { Invoice } from '../../messages/withdrawals.ts';

/**
 * An invoice of the main network in one case. The character after the prefix is a digit; letters
 * name another network (`bcrt`).
 */
const INVOICE = /^(?:lnbc\d[0-9a-z]+|LNBC\d[0-9A-Z]+)$/;
/** A payment hash has 32 bytes; the library accepts any length. */
const PAYMENT_HASH = /^[0-9a-f]{64}$/;
/** Default expiry of an invoice. */
const EXPIRY_SECONDS = 3_600;
/** A milli-satoshi is the eleventh decimal of a bitcoin. */
const DECIMALS = 11;

interface Section {
  readonly name: string;
  readonly value?: unknown;
}

const valueIn = (sections: readonly Section[], name: string): unknown =>
  sections.find((section) => section.name === name)?.value;

/** Shifts decimal digits as text, because a double would lose precision. */
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

/** Undefined unless the text is a main-network invoice with a valid checksum. */
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
