/** What the statuses of the symbols in one book mean for trading in it. */
import type { Category } from '../../messages/vocabulary.ts';
import type { State } from '../state/state.ts';
import type { InstrumentSpec } from './instrument-spec.ts';
import { instrumentKey } from './instrument-key.ts';

const SHARED: readonly Category[] = ['SPOT', 'MARGIN'];

/** SPOT and MARGIN share a book, so nothing is matched in it while either of them is halted. */
export function isBookHalted(
  { instruments }: State,
  { futures, key, instrument }: Pick<InstrumentSpec, 'futures' | 'key' | 'instrument'>,
): boolean {
  if (futures) return instruments.get(key)?.status === 'halted';
  return SHARED.some(
    (category) => instruments.get(instrumentKey(category, instrument.symbol))?.status === 'halted',
  );
}
