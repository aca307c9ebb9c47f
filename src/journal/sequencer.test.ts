import { describe, expect, test } from 'vitest';
import {
  type CounterMachine,
  createCounter,
  depositOf,
  POISON,
  REFUSED_SIZE,
} from '../../test/simulation/counter-machine.ts';
import type { ClientOid } from '../kernel/ids.ts';
import { DAY, HOUR, type Timestamp } from '../kernel/time.ts';
import type { CommandOf } from '../messages/commands.ts';
import { createManualClock, type ManualClock } from '../simulator/manual-clock.ts';
import { SimulatedDisk } from '../simulator/simulated-disk.ts';
import type { Disk } from './disk.ts';
import type { Executed } from './machine.ts';
import { commandIn, JOURNAL_START, listFolder, readBatches, readCommands } from './reader.ts';
import { recover } from './recovery.ts';
import { createSequencer, type Fatality, type Sequencer } from './sequencer.ts';

const FOLDER = 'journal';
const START = 1_700_000_000_000 as Timestamp;

/** A disk whose syncs wait until they are let through. */
function gated(disk: Disk): { readonly disk: Disk; open(): void; close(): void } {
  let waiting: (() => void)[] = [];
  let shut = false;
  const gate = (): Promise<void> =>
    shut ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve();
  const open = async (path: string, mode: 'create' | 'write' | 'read') => {
    const file = await disk.open(path, mode);
    return { ...file, sync: () => gate().then(() => file.sync()) };
  };
  return {
    disk: { ...disk, open },
    open: () => {
      shut = false;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    close: () => {
      shut = true;
    },
  };
}

interface Scene {
  readonly sequencer: Sequencer;
  readonly machine: CounterMachine;
  readonly clock: ManualClock;
  readonly published: Executed[];
  readonly fatalities: Fatality[];
  readonly platter: SimulatedDisk;
  readonly gate: { open(): void; close(): void };
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 60; turn++) await Promise.resolve();
};

async function scene(
  options: {
    queueMax?: number;
    deadlineMs?: number;
    segmentBytes?: number;
    publish?: (batch: readonly Executed[]) => void;
  } = {},
  platter = new SimulatedDisk(1),
): Promise<Scene> {
  const clock = createManualClock(START);
  const gate = gated(platter.mount());
  const { machine, journal } = await recover({
    disk: gate.disk,
    folder: FOLDER,
    createMachine: createCounter,
    segmentBytes: options.segmentBytes ?? 64 * 1024,
    scheduler: clock,
    owner: { id: 'one', isAlive: () => false },
  });
  await settle();
  const published: Executed[] = [];
  const fatalities: Fatality[] = [];
  const {
    publish = (batch: readonly Executed[]) => published.push(...batch),
    queueMax,
    deadlineMs,
  } = options;
  const sequencer = createSequencer({
    machine,
    journal,
    clock,
    scheduler: clock,
    publish,
    onFatal: (fatality) => fatalities.push(fatality),
    ...(queueMax === undefined ? {} : { queueMax }),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
  return {
    sequencer,
    machine: machine as CounterMachine,
    clock,
    published,
    fatalities,
    platter,
    gate,
  };
}

/** Whether a promise is still pending. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  void promise.then(() => {
    pending = false;
  });
  await settle();
  return pending;
}

describe('sequencer', () => {
  test('[JRN-01] nothing is answered or published before the record is durable, though it is executed at once', async () => {
    const { sequencer, machine, published, gate } = await scene();
    gate.close();
    const answer = sequencer.submit(depositOf('5'));
    expect(machine.sequence).toBe(1);
    expect(await isPending(answer)).toBe(true);
    expect(published).toEqual([]);
    expect(sequencer.status()).toEqual({ sequence: 1, durable: 0, queued: 1, room: true });
    gate.open();
    expect(await answer).toEqual({ ok: true, value: { orderId: 1 } });
    expect(published.map(({ sequence }) => sequence)).toEqual([1]);
    expect(sequencer.status()).toEqual({ sequence: 1, durable: 1, queued: 0, room: true });
  });

  test('[JRN-01] the views hear of a batch before anybody in it is answered', async () => {
    const order: string[] = [];
    const { sequencer } = await scene({
      publish: (batch) =>
        order.push(`published ${batch.map(({ sequence }) => sequence).join(' ')}`),
    });
    const answered = [1, 2, 3].map(async (size) => {
      await sequencer.submit(depositOf(String(size)));
      order.push(`answered ${size}`);
    });
    await Promise.all(answered);
    expect(order).toEqual(['published 1 2 3', 'answered 1', 'answered 2', 'answered 3']);
  });

  test('[JRN-18] what arrives while a batch is written goes into the next one, and every command has one record', async () => {
    const { sequencer, platter, gate } = await scene();
    gate.close();
    const answers: Promise<{ readonly ok: boolean }>[] = [sequencer.submit(depositOf('1'))];
    await settle();
    answers.push(
      sequencer.submit(depositOf(REFUSED_SIZE)),
      sequencer.submit({ type: 'tick' }),
      sequencer.submit(depositOf('4')),
    );
    gate.open();
    const outcomes = await Promise.all(answers);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true, true]);

    const disk = platter.mount();
    const { segments } = await listFolder(disk, FOLDER);
    const batches: string[][] = [];
    for await (const { records } of readBatches(disk, FOLDER, segments, JOURNAL_START))
      batches.push(records.map(({ command }) => commandIn(command).type));
    expect(batches).toEqual([['deposit'], ['deposit', 'tick', 'deposit']]);
    const read = [];
    for await (const { sequence } of readCommands(disk, FOLDER)) read.push(sequence);
    expect(read).toEqual([1, 2, 3, 4]);
  });

  test('[JRN-29] what is executed is what the journal reads back, whatever the order of fields or the stray characters in a text', async () => {
    const { sequencer, machine, platter } = await scene();
    const { type, uid, coin, size } = depositOf('5');
    await sequencer.submit({ clientOid: 'a\ud800b' as ClientOid, size, coin, uid, type });
    await sequencer.submit({
      size,
      type,
      clientOid: undefined,
      coin,
      uid,
    } as unknown as CommandOf<'deposit'>);
    const digest = machine.digest();
    await sequencer.stop();
    const again = await scene({}, platter);
    expect(again.machine.digest()).toBe(digest);
  });

  test('[JRN-29] a command that could not be read back is not executed', async () => {
    const { sequencer, machine, fatalities } = await scene();
    const nonsense = {
      type: 'setPositionMode',
      uid: 1_000_000_001,
      positionMode: 'sideways',
    } as unknown as CommandOf<'setPositionMode'>;
    expect(() => sequencer.submit(nonsense)).toThrow();
    expect(machine.sequence).toBe(0);
    expect(fatalities).toEqual([]);
    expect(await sequencer.submit(depositOf('1'))).toMatchObject({ ok: true });
  });

  test('[JRN-19] the queue takes as many commands as it may hold and refuses the next, which is not executed', async () => {
    const { sequencer, machine, gate } = await scene({ queueMax: 3 });
    gate.close();
    const answers = [1, 2, 3].map((size) => sequencer.submit(depositOf(String(size))));
    expect(await sequencer.submit(depositOf('4'))).toMatchObject({
      refusal: { reason: 'tooManyRequests' },
    });
    expect(machine.sequence).toBe(3);
    gate.open();
    await Promise.all(answers);
    expect(await sequencer.submit(depositOf('4'))).toMatchObject({ ok: true });
  });

  test('[JRN-19] the bytes in flight are bounded as well: one batch on its way, one being filled', async () => {
    const { sequencer, machine, gate } = await scene({ segmentBytes: 8 * 1024 });
    gate.close();
    const big = depositOf('1', 'USDT', 'x'.repeat(700));
    const answers = [];
    // A batch of 1920 bytes holds two of these with its footer.
    for (let count = 0; count < 4; count++) {
      answers.push(sequencer.submit(big));
      await settle();
    }
    const taken = machine.sequence;
    expect(taken).toBe(3);
    expect(await answers[3]).toMatchObject({ refusal: { reason: 'tooManyRequests' } });
    gate.open();
    await Promise.all(answers);
    expect(await sequencer.submit(big)).toMatchObject({ ok: true });
  });

  test('[JRN-19] a command that fits no batch is refused and not executed; one that just fits is taken', async () => {
    const { sequencer, machine } = await scene({ segmentBytes: 8 * 1024 });
    const outcomes = [];
    for (let length = 1690; length <= 1790; length += 10)
      outcomes.push((await sequencer.submit(depositOf('1', 'USDT', 'x'.repeat(length)))).ok);
    expect(outcomes[0]).toBe(true);
    expect(outcomes.at(-1)).toBe(false);
    expect(outcomes.filter((ok) => ok)).toHaveLength(machine.sequence);
    expect(await sequencer.submit(depositOf('1', 'USDT', 'x'.repeat(1790)))).toMatchObject({
      refusal: { reason: 'bodyTooLarge' },
    });
  });

  test('[JRN-22][ORD-69] who has waited for the deadline is told that the outcome is unknown; the effect is still published', async () => {
    const { sequencer, published, clock, gate } = await scene({ deadlineMs: 1_000 });
    gate.close();
    const early = sequencer.submit(depositOf('5'));
    await settle();
    clock.pass(900);
    const late = sequencer.submit(depositOf('6'));
    expect(await isPending(early)).toBe(true);
    clock.pass(250);
    expect(await early).toMatchObject({ refusal: { reason: 'outcomeUnknown' } });
    expect(await isPending(late)).toBe(true);
    gate.open();
    expect(await late).toMatchObject({ ok: true });
    expect(published.map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(sequencer.status().durable).toBe(2);
  });

  test('[JRN-22] so is everybody in the batch behind, each after his own wait, though nobody else comes', async () => {
    const { sequencer, published, clock, gate } = await scene({ deadlineMs: 1_000 });
    gate.close();
    const writing = sequencer.submit(depositOf('5'));
    await settle();
    clock.pass(300);
    const behind = sequencer.submit(depositOf('6'));
    clock.pass(700);
    expect(await writing).toMatchObject({ refusal: { reason: 'outcomeUnknown' } });
    expect(await isPending(behind)).toBe(true);
    clock.pass(500);
    expect(await behind).toMatchObject({ refusal: { reason: 'outcomeUnknown' } });
    gate.open();
    await settle();
    expect(published.map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  test('[JRN-14] when the wall clock jumps back, engine time stands; when it jumps forward, it follows', async () => {
    const { sequencer, machine, clock } = await scene();
    await sequencer.submit({ type: 'tick' });
    expect(machine.at).toBe(START);
    for (const [jump, at] of [
      [-DAY, START],
      [HOUR, START],
      [DAY, START + HOUR],
      [-1_000, START + HOUR],
      [1_001, START + HOUR + 1],
    ] as const) {
      clock.jump(jump);
      await sequencer.submit({ type: 'tick' });
      expect(machine.at).toBe(at);
    }
  });

  test('[JRN-14] time moved by a command is carried by those after it, also through a restart with a clock that is behind', async () => {
    const { sequencer, machine, platter } = await scene();
    await sequencer.submit({ type: 'moveClock', wall: START, advanceMs: DAY });
    await sequencer.submit({ type: 'tick' });
    expect(machine.at).toBe(START + DAY);
    await sequencer.stop();
    const again = await scene({}, platter);
    again.clock.jump(-HOUR);
    await again.sequencer.submit({ type: 'tick' });
    expect(again.machine.at).toBe(START + DAY);
  });

  test('[JRN-23] a command that breaks an invariant never reaches the journal, and nothing after it is acknowledged', async () => {
    const { sequencer, machine, published, fatalities, platter, gate } = await scene();
    expect(await sequencer.submit(depositOf('1'))).toMatchObject({ ok: true });
    gate.close();
    const onItsWay = sequencer.submit(depositOf('2'));
    await settle();
    const waiting = sequencer.submit(depositOf('3'));
    expect(await sequencer.submit(depositOf('4', POISON))).toMatchObject({
      refusal: { reason: 'notServing' },
    });
    expect(await onItsWay).toMatchObject({ refusal: { reason: 'outcomeUnknown' } });
    expect(await waiting).toMatchObject({ refusal: { reason: 'outcomeUnknown' } });
    expect(await sequencer.submit(depositOf('5'))).toMatchObject({
      refusal: { reason: 'notServing' },
    });
    expect(fatalities).toEqual([
      {
        sequence: 4,
        stateHash: machine.stateHash(),
        reason: 'BrokenInvariant: poison is not deposited',
      },
    ]);
    gate.open();
    await settle();
    expect(published.map(({ sequence }) => sequence)).toEqual([1]);
    platter.kill();
    const again = await scene({}, platter);
    expect(again.machine.sequence).toBe(2);
    expect(again.machine.total(POISON)).toBe(0n);
  });

  test('[JRN-23] a view that fails stops the engine like a broken invariant', async () => {
    const { sequencer, fatalities } = await scene({
      publish: () => {
        throw new Error('the view is confused');
      },
    });
    expect(await sequencer.submit(depositOf('1'))).toMatchObject({
      refusal: { reason: 'outcomeUnknown' },
    });
    expect(await sequencer.submit(depositOf('1'))).toMatchObject({
      refusal: { reason: 'notServing' },
    });
    expect(fatalities.map(({ reason }) => reason)).toEqual(['Error: the view is confused']);
  });

  /** More than a footer has room for: the journal breaks off before it has written anything. */
  const speechless = (machine: CounterMachine): void => {
    machine.digest = () => 'x'.repeat(65);
  };
  const SPEECHLESS = 'BrokenInvariant: a machine digest is a short text';

  test('[JRN-23] a batch that cannot even be put together stops the engine, and nothing is acknowledged from then on', async () => {
    const { sequencer, machine, published, fatalities, gate } = await scene();
    gate.close();
    const onItsWay = sequencer.submit(depositOf('1'));
    await settle();
    const waiting = sequencer.submit(depositOf('2'));
    speechless(machine);
    gate.open();
    expect(await onItsWay).toMatchObject({ refusal: { reason: 'outcomeUnknown' } });
    expect(await waiting).toMatchObject({ refusal: { reason: 'outcomeUnknown' } });
    expect(published).toEqual([]);
    expect(fatalities.map(({ reason }) => reason)).toEqual([SPEECHLESS]);
    expect(await sequencer.submit(depositOf('3'))).toMatchObject({
      refusal: { reason: 'notServing' },
    });
  });

  test('[JRN-23] so does one that has to make room for the next command, which is not executed', async () => {
    const { sequencer, machine, fatalities } = await scene({ segmentBytes: 8 * 1024 });
    // A batch of 1920 bytes holds two of these with its footer.
    const big = depositOf('1', 'USDT', 'x'.repeat(700));
    const held = [sequencer.submit(big), sequencer.submit(big)];
    speechless(machine);
    expect(await sequencer.submit(big)).toMatchObject({ refusal: { reason: 'notServing' } });
    for (const answer of held)
      expect(await answer).toMatchObject({ refusal: { reason: 'outcomeUnknown' } });
    expect(machine.sequence).toBe(2);
    expect(fatalities.map(({ reason }) => reason)).toEqual([SPEECHLESS]);
  });

  test('[REQ-64] who waits for a batch goes on when everybody in it has been answered, and at once when none is being written', async () => {
    const { sequencer, gate } = await scene();
    const order: string[] = [];
    sequencer.afterWriting(() => order.push('nothing is written'));
    expect(order).toEqual(['nothing is written']);
    gate.close();
    const answers = ['1', '2'].map((size) =>
      sequencer.submit(depositOf(size)).then(() => order.push(`answered ${size}`)),
    );
    await settle();
    const goOn = (): void => void order.push('went on');
    for (let asked = 0; asked < 3; asked++) sequencer.afterWriting(goOn);
    expect(await isPending(answers[0]!)).toBe(true);
    gate.open();
    await Promise.all(answers);
    await settle();
    await settle();
    expect(order).toEqual(['nothing is written', 'answered 1', 'answered 2', 'went on']);
  });

  test('[REQ-64] who waits for a batch goes on when the disk fails: what he does then is refused', async () => {
    const { sequencer, platter, gate, fatalities } = await scene();
    gate.close();
    const answer = sequencer.submit(depositOf('1'));
    await settle();
    let refused: Promise<unknown> | undefined;
    sequencer.afterWriting(() => {
      refused = sequencer.submit(depositOf('2'));
    });
    expect(refused).toBeUndefined();
    platter.setFaults((_call, operation) => (operation === 'sync' ? 'EIO' : undefined));
    gate.open();
    expect(await answer).toMatchObject({ refusal: { reason: 'outcomeUnknown' } });
    await settle();
    expect(fatalities).toHaveLength(1);
    expect(await refused).toMatchObject({ refusal: { reason: 'notServing' } });
    let wentOn = false;
    sequencer.afterWriting(() => {
      wentOn = true;
    });
    expect(wentOn).toBe(true);
  });

  test('[JRN-26] stop refuses what is new, answers what was taken, and closes the journal behind it', async () => {
    const { sequencer, platter, gate } = await scene();
    gate.close();
    const taken = sequencer.submit(depositOf('1'));
    const stopped = sequencer.stop();
    expect(await sequencer.submit(depositOf('2'))).toMatchObject({
      refusal: { reason: 'notServing' },
    });
    expect(await isPending(stopped)).toBe(true);
    gate.open();
    expect(await taken).toMatchObject({ ok: true });
    await stopped;
    platter.crash();
    const again = await scene({}, platter);
    expect(again.machine.sequence).toBe(1);
  });

  test('[JRN-26] whoever stops it twice at once waits twice for the same end', async () => {
    const { sequencer, platter, gate } = await scene();
    gate.close();
    const taken = sequencer.submit(depositOf('1'));
    const stopped = [sequencer.stop(), sequencer.stop()];
    expect(await isPending(Promise.race(stopped))).toBe(true);
    gate.open();
    expect(await taken).toMatchObject({ ok: true });
    await Promise.all(stopped);
    platter.crash();
    const again = await scene({}, platter);
    expect(again.machine.sequence).toBe(1);
  });
});
