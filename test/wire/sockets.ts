/** Bare sockets, for what no client library would send. */
import { connect, type Socket } from 'node:net';

export interface BareAnswer {
  readonly head: string;
  readonly status: number;
  readonly body: string;
}

/**
 * Sends bytes and collects whatever comes back until the other side closes, or until it has been
 * quiet for a while.
 */
export function converse(port: number, bytes: string | Buffer, quietMs = 300): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let input = '';
    let quiet: NodeJS.Timeout | undefined;
    const finish = (): void => {
      clearTimeout(quiet);
      socket.destroy();
      resolve(input);
    };
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      input += chunk.toString('latin1');
      clearTimeout(quiet);
      quiet = setTimeout(finish, quietMs);
    });
    socket.on('close', finish);
    socket.on('error', (error: NodeJS.ErrnoException) =>
      input === '' && error.code !== 'ECONNRESET' ? reject(error) : finish(),
    );
  });
}

/** Sends bytes, ends its own side, and collects what comes back until the other side ends too. */
export function askAndEnd(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let input = '';
    socket.on('data', (chunk) => {
      input += chunk.toString('latin1');
    });
    socket.once('end', () => resolve(input));
    socket.once('error', reject);
    socket.end(bytes);
  });
}

export function bareAnswer(text: string): BareAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  return {
    head,
    status: Number.parseInt(head.split(' ')[1] ?? '0', 10),
    body: rest.join('\r\n\r\n'),
  };
}

/** A socket that is connected and says nothing. */
export function idleSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}
