/** Rates and leverages that listings and settings keep as text, each read once. */
import { type Rate, money } from '../../kernel/money.ts';

/**
 * Leverages go up to a few hundred and listings say a few thousand rates; more texts than this are
 * read anew.
 */
const TEXTS_KEPT_MAX = 10_000;

const known = new Map<string, Rate>();

export function rateFromText(text: string): Rate {
  const rate = known.get(text);
  if (rate !== undefined) return rate;
  const read = money<Rate>(text);
  if (known.size < TEXTS_KEPT_MAX) known.set(text, read);
  return read;
}
