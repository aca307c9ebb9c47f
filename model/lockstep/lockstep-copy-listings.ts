/** Operators change follow limits and contract specifications while contracts are copied. */
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { shown, units } from '../exchange/whole-units.ts';
import type { CopyStage } from './lockstep-copy-moves.ts';
import { COPY_FUTURES, COPY_LISTINGS } from './lockstep-copy-world.ts';
import { drawListing } from './lockstep-listings.ts';
import { naiveOf, specFrom } from './lockstep-world.ts';

/** Restores every contract, because an earlier run may have changed it. */
export function listCopiedAtFirst(): void {
  for (const instrument of COPY_FUTURES)
    Object.assign(
      instrument,
      naiveOf(
        COPY_LISTINGS.find(
          ({ category, symbol }) =>
            category === instrument.category && symbol === instrument.symbol,
        )!,
      ),
    );
}

/** Restores the first listing every other time. */
export function relistCopied({ random, naive, run, compare }: CopyStage): void {
  const instrument = random.pick(COPY_FUTURES);
  const { category, symbol } = instrument;
  const first = COPY_LISTINGS.find((each) => each.category === category && each.symbol === symbol)!;
  const least = units(first.followSizeMin) * BigInt(random.pick([1, 2, 5, 20]));
  const most = least + units(first.followSizeMin) * BigInt(random.pick([0, 1, 30, 1_000]));
  const followLimits = {
    followSizeMin: shown(least) as DecimalText,
    followSizeMax: shown(most) as DecimalText,
  };
  const other = { ...first, ...followLimits };
  const listed =
    random.below(2) === 0
      ? first
      : random.below(2) === 0
        ? other
        : { ...drawListing(random, first), ...followLimits };
  naive.begin();
  naive.mirroring.setLimits(symbol, {
    least: units(listed.followSizeMin),
    most: units(listed.followSizeMax),
  });
  naive.relist(instrument, specFrom(listed), false);
  naive.report.happened.push(
    listed === first
      ? 'contract restored'
      : listed === other
        ? 'follow limits changed'
        : 'contract changed',
  );
  compare(run({ type: 'listInstrument', instrument: listed }));
}
