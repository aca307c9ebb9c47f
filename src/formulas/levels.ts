/**
 * A user's earned level: the best one reached by 30-day volume or by assets, all in USD (POS-26).
 */
import { type Amount, money } from '../kernel/money.ts';
import { LEVELS, type Level } from '../messages/vocabulary.ts';

export interface LevelCriteria {
  readonly spotVolume: Amount;
  readonly futuresVolume: Amount;
  readonly assets: Amount;
}

/** One criterion is enough; a missing one does not lead to the level. */
type Threshold = { readonly [Name in keyof LevelCriteria]?: Amount };

const from = (
  spotVolume: string,
  futuresVolume: string | undefined,
  assets: string | undefined,
): Threshold => ({
  spotVolume: money<Amount>(spotVolume),
  ...(futuresVolume === undefined ? {} : { futuresVolume: money<Amount>(futuresVolume) }),
  ...(assets === undefined ? {} : { assets: money<Amount>(assets) }),
});

/** VIP levels need volume or assets; PRO levels, for makers and institutions, need volume. */
export const LEVEL_THRESHOLDS: { readonly [Name in Level]: Threshold } = {
  VIP0: {},
  VIP1: from('500000', '5000000', '30000'),
  VIP2: from('2000000', '10000000', '50000'),
  VIP3: from('8000000', '20000000', '250000'),
  VIP4: from('30000000', '50000000', '750000'),
  VIP5: from('50000000', undefined, '2000000'),
  VIP6: from('75000000', undefined, '5000000'),
  VIP7: from('100000000', undefined, '10000000'),
  PRO1: from('150000000', '500000000', undefined),
  PRO2: from('300000000', '1000000000', undefined),
  PRO3: from('600000000', '2000000000', undefined),
  PRO4: from('1200000000', '4000000000', undefined),
  PRO5: from('2000000000', '8000000000', undefined),
  PRO6: from('4000000000', '16000000000', undefined),
};

const NAMES = ['spotVolume', 'futuresVolume', 'assets'] as const;

const reaches = (totals: LevelCriteria, threshold: Threshold): boolean =>
  NAMES.some((name) => {
    const needed = threshold[name];
    return needed !== undefined && totals[name] >= needed;
  });

export const levelFor = (totals: LevelCriteria): Level =>
  LEVELS.findLast((level) => reaches(totals, LEVEL_THRESHOLDS[level])) ?? 'VIP0';

export const higherLevel = (left: Level, right: Level): Level =>
  LEVELS.indexOf(left) > LEVELS.indexOf(right) ? left : right;
