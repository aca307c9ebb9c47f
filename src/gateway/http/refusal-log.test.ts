import { expect, test } from 'vitest';
import type { Uid } from '../../kernel/ids.ts';
import { ANONYMOUS } from '../caller.ts';
import { openLog } from '../log.ts';
import { RefusalLog, type RefusedCall } from './refusal-log.ts';

const CALL: RefusedCall = {
  method: 'POST',
  path: '/api/v3/trade/place-order',
  code: '40762',
  reason: 'The order amount exceeds the balance',
  address: '127.0.0.1',
  uid: 1_000_000_004 as Uid,
};

function opened(level = 'warn') {
  const lines: Record<string, unknown>[] = [];
  const time = { now: 0 };
  const log = openLog(level, {
    write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const refusals = new RefusalLog(log, { monotonic: () => time.now });
  const note = (times: number, call = CALL): void => {
    for (let at = 0; at < times; at++) refusals.note(() => call);
  };
  return { lines, time, note };
}

test('[REQ-73] a refused call is one line with its code, its reason and its user', () => {
  const { lines, note } = opened();
  note(1);
  note(1, { ...CALL, path: `/${'x'.repeat(300)}`, uid: ANONYMOUS });
  expect(lines).toEqual([
    { level: 40, time: expect.any(Number), ...CALL, uid: '1000000004', msg: 'a call was refused' },
    expect.objectContaining({ path: `/${'x'.repeat(199)}`, msg: 'a call was refused' }),
  ]);
  expect(lines[1]).not.toHaveProperty('uid');
});

test('[REQ-73] nothing is written if the log is at level error', () => {
  const { lines, note } = opened('error');
  note(1);
  expect(lines).toEqual([]);
});

test('[LIM-12] ten lines are written in a second, and the next line counts the omitted calls', () => {
  const { lines, time, note } = opened();
  note(10);
  expect(lines).toHaveLength(10);
  note(3);
  time.now = 999;
  note(1);
  expect(lines).toHaveLength(10);
  time.now = 1_000;
  note(2);
  expect(lines).toHaveLength(12);
  expect(lines.map(({ unlogged }) => unlogged)).toEqual([...Array<undefined>(10), 4, undefined]);
});
