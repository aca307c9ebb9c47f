import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { publicEndpoints } from '../../../src/contract/endpoints.ts';
import { answerFaults } from './checks.ts';
import { KnownIds } from './known-ids.ts';
import { takeAnswers, type WireAnswer } from './line.ts';

const row = publicEndpoints.getServerTime as Endpoint;
const answer = (body: string, status = 200, type = 'application/json'): WireAnswer => ({
  status,
  headers: new Map([['content-type', type]]),
  body,
});
const envelope = (code: string, data: unknown, msg = code === '00000' ? 'success' : 'no'): string =>
  JSON.stringify({ code, msg, requestTime: 1_789_000_000_000, data });

describe('an answer compared with the contract', () => {
  test('[REQ-60] an answer that keeps it has no faults', () => {
    expect(
      answerFaults({ row }, answer(envelope('00000', { serverTime: '1789000000000' }))),
    ).toEqual([]);
    expect(answerFaults({ row, codes: ['40017'] }, answer(envelope('40017', null), 400))).toEqual(
      [],
    );
    expect(answerFaults({ row }, answer(envelope('40017', null), 413))).toEqual([]);
  });

  test.each([
    ['no JSON', answer('<html>')],
    ['another type', answer(envelope('00000', { serverTime: '1' }), 200, 'text/html')],
    [
      'an extra member',
      answer('{"code":"00000","msg":"success","requestTime":1,"data":null,"stack":""}'),
    ],
    [
      'no time',
      answer('{"code":"00000","msg":"success","requestTime":"1","data":{"serverTime":"1"}}'),
    ],
    ['an extra field', answer(envelope('00000', { serverTime: '1', zone: 'UTC' }))],
    ['a field missing', answer(envelope('00000', {}))],
    ['an unknown code', answer(envelope('99999', null), 400)],
    ['a code of another dialect', answer(envelope('25204', null), 400)],
    ['another status', answer(envelope('40017', null), 500)],
    ['a refusal with data', answer(envelope('40017', {}), 400)],
    ['an internal error', answer(envelope('40010', null), 400)],
  ])('[REQ-60] %s is a fault', (_, given) => expect(answerFaults({ row }, given)).not.toEqual([]));

  test('[REQ-60] an unexpected code is a fault', () =>
    expect(
      answerFaults({ row, codes: ['40009'] }, answer(envelope('40017', null), 400)),
    ).not.toEqual([]));
});

test('[REQ-60] answers are read whole, however they are split, and interim ones are skipped', () => {
  const whole = Buffer.from(
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 404 Not Found\r\ncontent-length: 4\r\n\r\nnull',
  );
  for (let cut = 0; cut <= whole.length; cut++) {
    const first = takeAnswers(whole.subarray(0, cut));
    const second = takeAnswers(Buffer.concat([first.left, whole.subarray(cut)]));
    expect([...first.answers, ...second.answers].map(({ status, body }) => [status, body])).toEqual(
      [
        [200, '{}'],
        [404, 'null'],
      ],
    );
    expect(second.left).toHaveLength(0);
  }
  expect(() => takeAnswers(Buffer.from('hello\r\n\r\n'))).toThrow('no status line');
});

test('[REQ-60] an id that an answer only echoes does not count as owned by the caller', () => {
  const [own, others] = ['1000000000000000101', '1000000000000000202'];
  const ids = new KnownIds();
  ids.learn(
    'alice',
    `{"orderId":"${own}"},{"orderId":"${others}","code":"25204"}`,
    Buffer.from(`[{"orderId":"${others}"}]`),
  );
  expect(ids.of('alice')).toEqual([own]);
});
