import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readCommands } from '../../src/journal/reader.ts';
import { FOLDER } from '../../src/simulator/lives.ts';
import { SimulatedDisk } from '../../src/simulator/simulated-disk.ts';
import { createCounter } from './counter-machine.ts';
import { pathIn, startOn } from './folders.ts';
import { GOLDEN_COMMANDS } from './golden-commands.ts';

const GOLDEN = new URL('golden/', import.meta.url);
/** What the program said that wrote the golden journal. It never changes: a later program must come to the same. */
const GOLDEN_DIGEST = '32ddde39f7919c25';

function goldenDisk(): SimulatedDisk {
  const disk = new SimulatedDisk(1);
  for (const name of fs.readdirSync(GOLDEN)) disk.place(pathIn(name), fs.readFileSync(new URL(name, GOLDEN)));
  return disk;
}

describe('the golden journal', () => {
  test('[JRN-16] every command in it is read as it was written', async () => {
    const commands = [];
    for await (const { command } of readCommands(goldenDisk().mount(), FOLDER)) commands.push(command);
    expect(commands).toEqual(GOLDEN_COMMANDS);
  });

  test('[JRN-16] it replays to the digest it had, from its snapshot and from the beginning', async () => {
    const disk = goldenDisk();
    const fast = await startOn(disk.copy(1));
    expect([fast.snapshotSequence, fast.lastSequence, fast.machine.digest()]).toEqual([5, GOLDEN_COMMANDS.length, GOLDEN_DIGEST]);

    const machine = createCounter();
    for await (const { command, at } of readCommands(disk.mount(), FOLDER)) machine.execute(command, at);
    expect(machine.digest()).toBe(GOLDEN_DIGEST);
    expect(machine.stateHash()).toBe(fast.machine.stateHash());
  });
});
