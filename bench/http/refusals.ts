/**
 * Checks that a server refuses wrong signatures before it is measured, because a server that
 * accepts anything proves nothing.
 */
import { connect } from 'node:net';

/** Long enough for a busy machine; a server answers within a millisecond. */
const ANSWER_MS_MAX = 30_000;
const STATUS = /^HTTP\/1\.1 (\d{3}) /;

/** The answer's status for one request, as sent over the wire. */
function statusOf(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request, 'latin1'));
    let input = '';
    socket.setEncoding('latin1');
    socket.setTimeout(ANSWER_MS_MAX, () =>
      socket.destroy(new Error(`port ${port} did not answer in ${ANSWER_MS_MAX / 1000} s`)),
    );
    socket.on('data', (text) => {
      input += String(text);
      const status = STATUS.exec(input)?.[1];
      if (status === undefined) return;
      socket.destroy();
      resolve(status);
    });
    socket.once('error', reject);
    socket.once('close', () =>
      reject(new Error(`port ${port} closed the connection without an answer`)),
    );
  });
}

export async function expectRefused(port: number, request: string): Promise<void> {
  const status = await statusOf(port, request);
  if (!status.startsWith('4'))
    throw new Error(`port ${port} answers a wrong signature with ${status}`);
}
