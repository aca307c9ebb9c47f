import { describe, expect, test } from 'vitest';
import { EXPECTED_COVERAGE } from '../../../test/simulation/expected-coverage.ts';
import { createEngine } from '../../core/engine.ts';
import { seededRandom } from '../../kernel/random.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Command } from '../../messages/commands.ts';
import { Coverage } from '../coverage.ts';
import { drawCrowd } from './crowd.ts';
import { relistCoin, relistInstrument } from './listings.ts';

const at = 1_700_000_000_000 as Timestamp;
const RELISTINGS = 400;

function relistMany(): { readonly coverage: Coverage; readonly asAtFirst: number } {
  const random = seededRandom(1);
  const crowd = drawCrowd(random);
  const [engine, coverage] = [createEngine(), new Coverage()];
  const execute = (command: Command): void => coverage.observe(engine.execute(command, at), engine);
  for (const command of crowd.beginning) execute(command);
  let asAtFirst = 0;
  for (let count = 0; count < RELISTINGS; count++) {
    const command = (count % 2 === 0 ? relistInstrument : relistCoin)({
      random,
      state: engine.state,
      at,
      wall: at,
      crowd,
    });
    if (
      crowd.beginning.some(
        (first) => first.type === command.type && contentOf(first) === contentOf(command),
      )
    )
      asAtFirst++;
    execute(command);
  }
  return { coverage, asAtFirst };
}

/** A listing command without its operator. */
const contentOf = (command: Command): string =>
  JSON.stringify(
    command.type === 'listCoin'
      ? command.coin
      : command.type === 'listInstrument'
        ? command.instrument
        : undefined,
  );

describe('listings that operators change', () => {
  const { coverage, asAtFirst } = relistMany();
  const relisted = coverage.entries().filter(([what]) => what.startsWith('relisted '));

  test('[SIM-10][SIM-153][SIM-154] every changeable field of a listing changes, and no other', () => {
    expect(relisted.map(([what]) => what)).toEqual(
      EXPECTED_COVERAGE.filter((what) => what.startsWith('relisted ')).toSorted(),
    );
  });

  test('[SIM-10] about every second listing is the original one', () => {
    expect(asAtFirst / RELISTINGS).toBeGreaterThan(0.4);
    expect(asAtFirst / RELISTINGS).toBeLessThan(0.65);
  });

  test('[SIM-10] the exchange accepts nearly all of them, and refuses sizes that exclude each other', () => {
    const refused = coverage.entries().filter(([what]) => what.startsWith('refused '));
    expect(refused.map(([what]) => what)).toEqual(['refused fieldOutOfRange']);
    expect(coverage.of('refused fieldOutOfRange')).toBeLessThan(RELISTINGS / 10);
  });
});
