import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { readHeaders } from './headers.ts';

describe('headers', () => {
  test('[REQ-01] names are compared without case, and unused headers are left out', () => {
    const headers = readHeaders([
      'Host',
      'x',
      'ACCESS-KEY',
      'rk_1',
      'access-sign',
      'abc',
      'X-Other',
      '1',
      'Content-Type',
      '',
    ]);
    expect(headers).toMatchObject({
      host: 'x',
      'access-key': 'rk_1',
      'access-sign': 'abc',
      'content-type': '',
    });
    expect(headers).not.toHaveProperty('x-other');
    expect(headers?.expect).toBeUndefined();
  });

  test('[AUTH-03] a header given twice, in any spelling, is left to Node', () => {
    expect(readHeaders(['ACCESS-KEY', 'a', 'Access-Key', 'b'])).toBeUndefined();
    expect(readHeaders(['X-Other', 'a', 'X-Other', 'b'])).toBeDefined();
  });

  test('[REQ-01] the reader agrees with Node’s own headers', () => {
    const sent = [
      'Host',
      'x',
      'Origin',
      'http://page',
      'LOCALE',
      'zh-CN',
      'Transfer-Encoding',
      'chunked',
      'Expect',
      '100-continue',
    ];
    const request = new IncomingMessage(new Socket());
    (
      request as unknown as { _addHeaderLines(lines: readonly string[], count: number): void }
    )._addHeaderLines(sent, sent.length);
    expect(readHeaders(sent)).toMatchObject(request.headers);
  });
});
