import { describe, expect, test } from 'vitest';
import { type CounterMachine, depositOf, POISON } from '../../test/simulation/counter-machine.ts';
import { isPending, scene, settle } from './sequencer.test-support.ts';

describe('sequencer', () => {
  test('[JRN-23] a command that breaks an invariant is not journaled, and nothing later is acknowledged', async () => {
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
        reason: 'BrokenInvariant: the poison coin is never deposited',
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

  /** A digest too long for the footer, so the journal fails before it writes anything. */
  const speechless = (machine: CounterMachine): void => {
    machine.digest = () => 'x'.repeat(65);
  };
  const SPEECHLESS = 'BrokenInvariant: a machine digest is a short text';

  test('[JRN-23] a batch that cannot be finished stops the engine, and nothing more is acknowledged', async () => {
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

  test('[JRN-23] a full batch that cannot be finished also stops the engine before the next command runs', async () => {
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

  test('[REQ-64] `afterWriting` runs after all answers of the batch, or at once if none is being written', async () => {
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

  test('[REQ-64] `afterWriting` also runs when the disk fails, and later commands are refused', async () => {
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

  test('[JRN-26] stop refuses new commands, answers accepted ones, and closes the journal', async () => {
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

  test('[JRN-26] two stops at once wait for the same end', async () => {
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
