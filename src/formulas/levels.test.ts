import { describe, expect, test } from 'vitest';
import { type Amount, money, ZERO_AMOUNT } from '../kernel/money.ts';
import { LEVELS } from '../messages/vocabulary.ts';
import { higherLevel, LEVEL_THRESHOLDS, type LevelCriteria, levelFor } from './levels.ts';

const NOTHING: LevelCriteria = {
  spotVolume: ZERO_AMOUNT,
  futuresVolume: ZERO_AMOUNT,
  assets: ZERO_AMOUNT,
};
const amount = (text: string): Amount => money<Amount>(text);

describe('the level of', () => {
  test.each([
    ['VIP0', {}],
    [
      'VIP0',
      {
        spotVolume: '499999.9999999999',
        futuresVolume: '4999999.9999999999',
        assets: '29999.9999999999',
      },
    ],
    ['VIP1', { spotVolume: '500000' }],
    ['VIP1', { futuresVolume: '5000000' }],
    ['VIP1', { assets: '30000' }],
    ['VIP3', { spotVolume: '2000000', assets: '250000' }],
    ['VIP4', { futuresVolume: '499999999' }],
    ['VIP7', { spotVolume: '100000000' }],
    ['VIP7', { assets: '9000000000000' }],
    ['PRO1', { futuresVolume: '500000000' }],
    ['PRO6', { spotVolume: '4000000000' }],
  ] as const)('[AGT-32] %s: %o', (level, input) => {
    const totals = {
      ...NOTHING,
      ...Object.fromEntries(Object.entries(input).map(([name, text]) => [name, amount(text)])),
    };
    expect(levelFor(totals)).toBe(level);
  });

  test('[AGT-32] each next level needs more of every criterion', () => {
    for (const name of ['spotVolume', 'futuresVolume', 'assets'] as const) {
      const needed = LEVELS.flatMap((level) => LEVEL_THRESHOLDS[level][name] ?? []);
      expect(needed.length).toBeGreaterThan(5);
      for (let at = 1; at < needed.length; at++) expect(needed[at]! > needed[at - 1]!).toBe(true);
    }
  });

  test('[AGT-35] of two levels the higher counts, and PRO is above VIP', () => {
    expect([
      higherLevel('VIP3', 'VIP1'),
      higherLevel('VIP1', 'VIP3'),
      higherLevel('VIP7', 'PRO1'),
    ]).toEqual(['VIP3', 'VIP3', 'PRO1']);
  });
});
