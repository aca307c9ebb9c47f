/** Proves which files of rate limits are accepted and what they change. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { changedLimits } from './changed-limits.ts';

const folder = mkdtempSync(join(tmpdir(), 'rialto-limits-'));
const file = join(folder, 'limits.json');
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string): Readonly<Record<string, number | 'off'>> {
  writeFileSync(file, text);
  return Object.fromEntries(changedLimits({ limits: file }));
}

describe('rate limits from a file', () => {
  test('[LIM-08] changes the calls it names, by any path of the call, and no others', () => {
    expect(read('{"/api/v3/trade/place-batch": 50, "/api/v3/account/withdraw": "off"}')).toEqual({
      '/api/v3/trade/place-batch': 50,
      '/api/v3/account/withdrawal': 'off',
    });
    expect(read('{}')).toEqual({});
    for (const limits of ['on', 'off']) expect(changedLimits({ limits }).size).toBe(0);
  });

  test.each([
    ['{"/api/v3/trade/place-batch": 1}', 'accepted'],
    ['{"/api/v3/trade/place-batch": 10000}', 'accepted'],
    [
      '{"/api/v3/trade/place-batch": 0}',
      'the limit of /api/v3/trade/place-batch is a whole number from 1 to 10000, or "off"',
    ],
    [
      '{"/api/v3/trade/place-batch": 10001}',
      'the limit of /api/v3/trade/place-batch is a whole number from 1 to 10000, or "off"',
    ],
    [
      '{"/api/v3/trade/place-batch": 1.5}',
      'the limit of /api/v3/trade/place-batch is a whole number from 1 to 10000, or "off"',
    ],
    [
      '{"/api/v3/trade/place-batch": "5"}',
      'the limit of /api/v3/trade/place-batch is a whole number from 1 to 10000, or "off"',
    ],
    [
      '{"/api/v3/trade/place-batches": 5}',
      '/api/v3/trade/place-batches is not a call with a limit',
    ],
    ['{"/operator/v1/clock": 5}', '/operator/v1/clock is not a call with a limit'],
    ['[]', 'is not an object of paths and limits'],
    ['{', 'cannot be read'],
    ['{\n"/api/v3/trade/place-batch": x\n}', 'cannot be read'],
  ])('[RUN-153] %s: %s', (text, expected) => {
    const input = (): unknown => {
      try {
        return read(text) && 'accepted';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(input()).toContain(expected);
    expect(input()).not.toContain('\n');
  });
});
