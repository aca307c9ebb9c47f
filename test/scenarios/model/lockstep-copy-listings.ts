/** Operators who list contracts with other follow limits while they are copied. */
import type { DecimalText } from '../../../src/kernel/decimal-text.ts';
import type { CopyStage } from './lockstep-copy-moves.ts';
import { COPY_FUTURES, COPY_LISTINGS } from './lockstep-copy-world.ts';
import { shown, units } from './whole-units.ts';

/** Every other time as at first. */
export function relistFollowLimits({ random, naive, run, compare }: CopyStage): void {
  const { category, symbol } = random.pick(COPY_FUTURES);
  const first = COPY_LISTINGS.find((each) => each.category === category && each.symbol === symbol)!;
  const least = units(first.followSizeMin) * BigInt(random.pick([1, 2, 5, 20]));
  const most = least + units(first.followSizeMin) * BigInt(random.pick([0, 1, 30, 1_000]));
  const isFirst = random.below(2) === 0;
  const limits = isFirst ? { least: units(first.followSizeMin), most: units(first.followSizeMax) } : { least, most };
  const instrument = isFirst ? first : { ...first, followSizeMin: shown(least) as DecimalText, followSizeMax: shown(most) as DecimalText };
  naive.begin();
  naive.mirroring.setLimits(symbol, limits);
  naive.report.answers.push('accepted');
  naive.report.happened.push(isFirst ? 'follow limits as at first' : 'follow limits changed');
  compare(run({ type: 'listInstrument', instrument }));
}
