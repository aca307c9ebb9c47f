/** Bare sockets for bytes that no client library sends. */
import { connect, type Socket } from 'node:net';

export interface BareAnswer {
  readonly head: string;
  readonly status: number;
  readonly body: string;
}

/** Sends bytes and collects the answer until the other side closes or is quiet for a while. */
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

/** Sends bytes, half-closes, and collects the answer until the other side ends. */
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

/** A connected socket that sends nothing. */
export function idleSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}
