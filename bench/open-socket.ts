/** Opens a connection to a server on this machine. */
import { connect, type Socket } from 'node:net';

export const openSocket = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
