import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createCounter, depositOf } from '../../test/simulation/counter-machine.ts';
import type { Timestamp } from '../kernel/time.ts';
import { createManualClock } from '../simulator/manual-clock.ts';
import { SimulatedDisk } from '../simulator/simulated-disk.ts';
import { PREPARED_NAME, pathOf } from './file-names.ts';
import { recover } from './recovery.ts';
import { createSequencer } from './sequencer.ts';

const FOLDER = 'journal';
const START = 1_700_000_000_000 as Timestamp;
const PIECE_BYTES = 256 * 1024;
const PIECES = 4;
const PAUSE_MS = 5;

const settle = async (): Promise<void> => {
  for (let turns = 0; turns < 20; turns++) await turn();
};

const BIG = depositOf('1', 'USDT', 'x'.repeat(30_000));

/**
 * A start prepares the next segment at once. Here that one is in use, and the one after it has been
 * begun.
 */
async function scene() {
  const platter = new SimulatedDisk(1);
  const clock = createManualClock(START);
  const { machine, journal } = await recover({
    disk: platter.mount(),
    folder: FOLDER,
    createMachine: createCounter,
    segmentBytes: PIECES * PIECE_BYTES,
    scheduler: clock,
    owner: { id: 'one', isAlive: () => false },
  });
  await settle();
  const fatalities: unknown[] = [];
  const onFatal = (fatality: unknown): void => void fatalities.push(fatality);
  const sequencer = createSequencer({
    machine,
    journal,
    clock,
    scheduler: clock,
    publish: () => undefined,
    onFatal,
  });
  const prepared = (): number =>
    platter.bytesOf(pathOf(FOLDER, PREPARED_NAME)).length / PIECE_BYTES;
  expect(prepared()).toBe(PIECES);
  while (prepared() === PIECES) {
    expect(await sequencer.submit(BIG)).toMatchObject({ ok: true });
    await settle();
  }
  return { sequencer, journal, clock, prepared, fatalities };
}

describe('segment preparation', () => {
  test('[JRN-39] writes piece by piece with pauses, and batches are written meanwhile', async () => {
    const { sequencer, clock, prepared } = await scene();
    expect(prepared()).toBe(1);
    clock.pass(PAUSE_MS - 1);
    await settle();
    expect(prepared()).toBe(1);
    expect(await sequencer.submit(depositOf('1'))).toMatchObject({ ok: true });
    clock.pass(1);
    await settle();
    expect(prepared()).toBe(2);
    for (let piece = 3; piece <= PIECES; piece++) {
      clock.pass(PAUSE_MS);
      await settle();
      expect(prepared()).toBe(piece);
    }
  });

  test('[JRN-39] does not pause while a batch waits for the segment', async () => {
    const { sequencer, journal, clock, prepared } = await scene();
    expect(journal.admits(journal.batchBytesMax, false)).toBe('yes');
    let taken = 0;
    while (journal.admits(journal.batchBytesMax, false) === 'yes') {
      expect(await sequencer.submit(BIG)).toMatchObject({ ok: true });
      await settle();
      taken++;
    }
    expect(taken).toBeGreaterThan(5);
    // The running pause ends on time; no other follows.
    clock.pass(PAUSE_MS);
    await settle();
    expect(journal.admits(journal.batchBytesMax, false)).toBe('yes');
    expect(prepared()).toBe(PIECES);
  });

  test('[JRN-39] ends at its pause when the journal closes, and prepares nothing more', async () => {
    const { sequencer, prepared, fatalities } = await scene();
    await sequencer.stop();
    expect(prepared()).toBeLessThan(PIECES);
    expect(fatalities).toEqual([]);
  });
});
