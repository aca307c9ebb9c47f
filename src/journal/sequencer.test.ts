import { describe, expect, test } from 'vitest';
import { depositOf, REFUSED_SIZE } from '../../test/simulation/counter-machine.ts';
import type { ClientOid } from '../kernel/ids.ts';
import { DAY, HOUR } from '../kernel/time.ts';
import type { CommandOf } from '../messages/commands.ts';
import { commandIn, JOURNAL_START, listFolder, readBatches, readCommands } from './reader.ts';
import { FOLDER, isPending, START, scene, settle } from './sequencer.test-support.ts';

describe('sequencer', () => {
  test('[JRN-01] a command runs at once, but is answered and published only when it is durable', async () => {
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

  test('[JRN-01] the views receive a batch before its commands are answered', async () => {
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

  test('[JRN-18] commands that arrive during a write go into the next batch, one record each', async () => {
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

  test('[JRN-29] the engine executes what the journal reads back, with any field order or stray characters', async () => {
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

  test('[JRN-29] a command that cannot be read back is not executed', async () => {
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

  test('[JRN-19] the queue accepts its maximum and refuses the next command, which is not executed', async () => {
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

  test('[JRN-19] bytes in flight are limited too: one batch being written, one being filled', async () => {
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

  test('[JRN-19] a command too large for a batch is refused and not executed; one that just fits runs', async () => {
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

  test('[JRN-22][ORD-69] after the deadline the answer is "outcome unknown"; the effect is still published', async () => {
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

  test('[JRN-22] commands of the next batch time out too, each after its own wait', async () => {
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

  test('[JRN-14] engine time stops when the wall clock jumps back, and follows when it jumps forward', async () => {
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

  test('[JRN-14] commands keep a moved time, also after a restart with a slower clock', async () => {
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
});
