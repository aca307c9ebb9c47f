/**
 * Measures `node:http` alone: servers that only answer, that check a signature, and that also read
 * JSON.
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RawTask {
  /** The client's secret key, to check signatures. */
  readonly secretKey: string;
  /** The same headers and the same number of bytes as the exchange's answer. */
  readonly getAnswer: string;
  readonly postAnswer: string;
}

export interface RawPorts {
  /** Answers a GET. */
  readonly get: number;
  /** Checks the signature of a GET. */
  readonly signedGet: number;
  /** Reads the body of a POST. */
  readonly post: number;
  /** Reads the body of a POST, checks its signature and reads its JSON. */
  readonly signedPost: number;
}

/** As many as the exchange sends. */
const HEADERS = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  'x-mbx-used-remain-limit',
  'content-type',
  'application/json',
  'cache-control',
  'no-store',
];

type Receive = (request: IncomingMessage, response: ServerResponse) => void;

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, [...HEADERS, 'content-length', String(Buffer.byteLength(text))]);
  response.end(text);
}

function withBody(request: IncomingMessage, use: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => use(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
}

async function portOf(receive: Receive): Promise<number> {
  const server: Server = createServer({ keepAliveTimeout: 60_000 }, receive);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

async function serve({ secretKey, getAnswer, postAnswer }: RawTask): Promise<RawPorts> {
  const key = createSecretKey(Buffer.from(secretKey));
  const isSigned = (
    { headers, method = '', url = '' }: IncomingMessage,
    body?: Buffer,
  ): boolean => {
    const hmac = createHmac('sha256', key).update(
      String(headers['access-timestamp']) + method + url,
    );
    if (body !== undefined) hmac.update(body);
    return timingSafeEqual(hmac.digest(), Buffer.from(String(headers['access-sign']), 'base64'));
  };
  return {
    get: await portOf((_, response) => answer(response, 200, getAnswer)),
    signedGet: await portOf((request, response) =>
      answer(response, isSigned(request) ? 200 : 401, getAnswer),
    ),
    post: await portOf((request, response) =>
      withBody(request, () => answer(response, 200, postAnswer)),
    ),
    signedPost: await portOf((request, response) =>
      withBody(request, (body) => {
        const signed = isSigned(request, body);
        const parsed: unknown = JSON.parse(body.toString());
        answer(response, signed && parsed !== null ? 200 : 401, postAnswer);
      }),
    ),
  };
}

process.once('message', (task: RawTask) => {
  void serve(task).then((ports) => process.send?.(ports));
});
