import { describe, expect, test } from 'vitest';
import { commandTable } from '../../src/messages/commands.ts';
import { commandTypesInGolden, expectedEnd, replayGolden } from './golden-journal.ts';

const REMEDY = 'see "Change what a command does" in CONTRIBUTING.md, then run `npm run golden`';

describe('the golden journal', () => {
  test('[JRN-16] it replays, batch by batch, to its recorded digest and state', async () => {
    expect(await replayGolden(), REMEDY).toEqual(expectedEnd());
  });

  test('[JRN-16] it contains every command of the table', async () => {
    const types = await commandTypesInGolden();
    expect(
      Object.keys(commandTable).filter((type) => !types.has(type as keyof typeof commandTable)),
      'a new command goes into the golden journal: run `npm run golden`',
    ).toEqual([]);
  });
});
