import { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { ArrivingRequest } from './body.ts';
import { DirectRequest } from './node-internals.ts';

/** The maximum number of one-byte chunks in a body. */
const PIECES = 65_536;
const WAITING = 20;

function memoryAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function arriving(): { readonly request: ArrivingRequest; readonly bodies: Buffer[] } {
  const request = new DirectRequest(new Socket());
  const bodies: Buffer[] = [];
  request.awaitBody({
    whole: (body) => void bodies.push(body),
    tooLarge: () => expect.unreachable('64 KiB are not too large'),
    gone: () => expect.unreachable('the caller stayed connected'),
  });
  return { request, bodies };
}

/** Pushes each byte as a chunk with its own memory, as Node's parser does. */
function pushPieces(request: ArrivingRequest): void {
  for (let at = 0; at < PIECES; at++) request.push(Buffer.alloc(1, at % 251));
}

test('[REQ-67] twenty bodies of 64 KiB in one-byte chunks take little more memory than their bytes', () => {
  const all = Array.from({ length: WAITING }, arriving);
  const before = memoryAfterCollection();
  for (const { request } of all) pushPieces(request);
  // 20 × 65,536 bytes are 1.3 MB; up to 255 chunks of each body are not joined yet.
  expect(memoryAfterCollection() - before).toBeLessThan(10_000_000);
  for (const { request } of all) request.push(null);
  expect(all.map(({ bodies }) => bodies.length)).toEqual(all.map(() => 1));
});

test('[REQ-67] each byte of a chunked body keeps its position', () => {
  const { request, bodies } = arriving();
  pushPieces(request);
  request.push(null);
  expect(bodies[0]).toHaveLength(PIECES);
  expect(bodies[0]!.every((byte, at) => byte === at % 251)).toBe(true);
});
