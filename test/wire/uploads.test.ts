/** Recordings whose table comes in the body of the request. */
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UPLOADS_MAX } from '../../src/gateway/http/upload.ts';
import {
  type Answer,
  answerOf,
  OPERATOR_TOKEN,
  operate,
  startTestExchange,
  type TestExchange,
} from './exchange.ts';
import { bareAnswer, converse, idleSocket } from './sockets.ts';

const PATH = '/operator/v1/recordings/upload';
const TOKEN = `Authorization: Bearer ${OPERATOR_TOKEN}`;
const BYTES_MAX = 64 * 1024 * 1024;
/** 2024-01-01 00:00 UTC. */
const FROM = 1_704_067_200_000;

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await startTestExchange();
});
afterAll(() => exchange.close());

/** Four minutes; the price goes from 40000 to 40004. */
const ROWS = [0, 1, 2, 3].map((at) => {
  const open = 40_000 + at;
  return `${FROM + at * 60_000},${open},${open + 1},${open},${open + 1},3`;
});
const TABLE = ROWS.join('\n');

async function upload(body: string | Uint8Array, query = 'symbol=BTCUSDT'): Promise<Answer> {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const url = `${exchange.operatorUrl}${PATH}?${query}`;
  return answerOf(await fetch(url, { method: 'POST', headers, body }));
}

const kept = (): string[] => readdirSync(exchange.recorded);
const head = (length: string, query = '?symbol=BTCUSDT', token = TOKEN): string =>
  `POST ${PATH}${query} HTTP/1.1\r\nHost: x\r\n${token}\r\n${length}\r\n\r\n`;

test('[OPR-37] a table in the body is imported like a file, packed or not', async () => {
  const plain = await upload(TABLE);
  expect(plain).toMatchObject({
    code: '00000',
    data: { kind: 'candles', rows: 4, price: '40004' },
  });
  const packed = await upload(gzipSync(TABLE), 'symbol=BTCUSDT&category=SPOT');
  expect(packed.data).toEqual(plain.data);
  const hash = (plain.data as { hash: string }).hash;
  expect(kept()).toEqual([hash]);
  expect((await operate(exchange, 'GET', '/operator/v1/recordings')).data).toMatchObject([
    { hash, uses: [{ as: 'past' }, { as: 'past' }] },
  ]);
});

test.each([
  ['symbol=BTCUSDT&name=day.csv', `${TABLE}\n${FROM},1,1,1,1,1`, 'body error: day.csv: line 5: '],
  ['symbol=BTCUSDT', `${TABLE}\n${FROM},1,1,1,1,1`, 'body error: body: line 5: the time'],
  ['symbol=BTCUSDT', '', 'body error: body: the file is empty'],
  ['symbol=BTCUSDT', gzipSync(TABLE).subarray(0, 40), 'body: the archive is damaged'],
  ['symbol=NOUSDT', TABLE, 'NOUSDT does not exist'],
  ['symbol=BTCUSDT&as=both', TABLE, 'divide'],
  ['symbol=BTCUSDT&colums=time', TABLE, 'colums'],
  ['', TABLE, 'symbol'],
])(
  '[OPR-37][DATA-10] an upload with %s is refused and leaves nothing',
  async (query, body, reason) => {
    const before = kept();
    const answer = await upload(body, query);
    expect(answer).toMatchObject({ data: null, msg: expect.stringContaining(reason) });
    expect(kept()).toEqual(before);
  },
);

/** As many bytes, most of which are lines of spaces. */
function padded(bytes: number): Buffer {
  const body = Buffer.alloc(bytes, 0x20);
  for (let at = 0; at < bytes; at += 60_000) body[at] = 0x0a;
  body.write(TABLE, 'latin1');
  body[TABLE.length] = 0x0a;
  return body;
}

test('[REQ-74][DATA-06] an upload of exactly 64 MiB is taken', async () => {
  expect(await upload(padded(BYTES_MAX))).toMatchObject({ code: '00000', data: { rows: 4 } });
});

test('[REQ-74] one byte more is refused by its announced length, before it is sent', async () => {
  const answer = bareAnswer(
    await converse(exchange.operatorPort, head(`Content-Length: ${BYTES_MAX + 1}`)),
  );
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([413, '40017']);
});

test('[REQ-74] one byte more is refused where no length is announced', async () => {
  const before = kept();
  const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const url = `${exchange.operatorUrl}${PATH}?symbol=BTCUSDT`;
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    const call = request(url, { method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (part) => (text += String(part)));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    call.on('error', reject);
    // The request stays open: only its bytes can be what is refused.
    call.write(padded(BYTES_MAX + 1));
  });
  expect([answer.status, JSON.parse(answer.text).code]).toEqual([413, '40017']);
  expect(kept()).toEqual(before);
});

test('[REQ-74] token and fields are checked before the body comes', async () => {
  const asked = async (query: string, token: string): Promise<number> =>
    bareAnswer(await converse(exchange.operatorPort, head('Content-Length: 9999999', query, token)))
      .status;
  expect(await asked('?symbol=BTCUSDT', 'X: y')).toBe(401);
  expect(await asked('?symbol=BTCUSDT&as=never', TOKEN)).toBe(400);
  expect(await asked('?symbol=NOUSDT', TOKEN)).toBe(400);
});

test('[REQ-74] a refused upload is read to its end, so that its sender gets the answer', async () => {
  expect(await upload(padded(8 * 1024 * 1024), 'symbol=NOUSDT')).toMatchObject({ status: 400 });
});

test('[REQ-74] other calls go on beside four uploads, a fifth is refused, a broken one leaves nothing', async () => {
  const before = kept();
  const arriving = await Promise.all(
    Array.from({ length: UPLOADS_MAX }, () => idleSocket(exchange.operatorPort)),
  );
  for (const socket of arriving) socket.write(`${head('Content-Length: 1000')}${ROWS[0]}\n`);
  while (kept().length < before.length + UPLOADS_MAX) await pause(5);
  expect(await upload(TABLE)).toMatchObject({ status: 429 });
  expect((await operate(exchange, 'GET', '/operator/v1/health')).code).toBe('00000');
  for (const socket of arriving) socket.destroy();
  while (kept().length > before.length) await pause(5);
  expect(await upload(TABLE)).toMatchObject({ code: '00000' });
  expect(kept()).toEqual(before);
});

test('[REQ-60] an upload in chunks of one byte is read like any other', async () => {
  const chunks = Array.from(TABLE)
    .map((byte) => `1\r\n${byte}\r\n`)
    .join('');
  const sent = `${head('Transfer-Encoding: chunked')}${chunks}0\r\n\r\n`;
  const answer = bareAnswer(await converse(exchange.operatorPort, sent, 2_000));
  expect(JSON.parse(answer.body)).toMatchObject({ code: '00000', data: { rows: 4 } });
});
