import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { endAll, launchServer, type Server, startServer, temporaryFolder } from './server.ts';

afterEach(endAll);

/**
 * A connection that does not end is closed after five seconds. The rest is for closing files on a
 * busy machine.
 */
const DRAINED_MS_MAX = 12_000;
const DEPOSITS = 600;

interface Asked {
  readonly size: string;
  /** The code of the answer, or undefined. */
  code?: string;
}

/** Deposits of distinct sizes, sixty-four at a time. */
function askForDeposits(server: Server, uid: string, asked: Asked[]): Promise<unknown> {
  const one = async (entry: Asked): Promise<void> => {
    const answer = await server
      .operator('POST', '/operator/v1/deposits', { uid, coin: 'SOL', size: entry.size })
      .catch(() => undefined);
    if (answer !== undefined) entry.code = answer.code;
  };
  for (let n = 1; n <= DEPOSITS; n++) asked.push({ size: String(n) });
  return Promise.all(asked.map(one));
}

async function creditedSizes(server: Server, uid: string): Promise<string[]> {
  const lines = await server.operate<readonly { amount: string }[]>(
    'GET',
    `/operator/v1/ledger?uid=${uid}&coin=SOL&limit=1000`,
  );
  return lines.map(({ amount }) => amount);
}

const WAITING = 300;
const REQUEST = 'GET /api/v2/public/time HTTP/1.1\r\nHost: x\r\n\r\n';

/** The status that a waiting connection receives, or how it ended. */
const ask = (
  port: number,
): { readonly sent: Promise<unknown>; readonly answer: Promise<string> } => {
  const socket = connect(port, '127.0.0.1');
  const answer = new Promise<string>((resolve) => {
    socket.once('data', (bytes) => resolve(String(bytes).split('\r\n')[0]!));
    socket.once('error', ({ message }) => resolve(message)).once('close', () => resolve('closed'));
  });
  return { answer, sent: new Promise((resolve) => socket.write(REQUEST, resolve)) };
};

const numerically = (left: string, right: string): number => Number(left) - Number(right);

describe('stop', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '[RUN-22] %s under load: accepted calls are answered and kept, no others are executed, code 0',
    async (signal) => {
      const folder = temporaryFolder();
      const server = await startServer({ folder, flags: ['--limits', 'off'] });
      const { uid } = server.user('alice');
      const asked: Asked[] = [];
      const asking = askForDeposits(server, uid, asked);
      while (!asked.some(({ code }) => code === '00000')) await pause(1);
      const begun = performance.now();
      const { code, errors } = await server.end(signal);
      // Each late call is refused and logged in one line.
      const failures = errors.replaceAll(/^.*"a call was refused"\}\n/gm, '');
      expect({ code, failures }).toEqual({ code: 0, failures: '' });
      expect(performance.now() - begun).toBeLessThan(DRAINED_MS_MAX);
      await asking;

      const accepted = asked.filter((entry) => entry.code === '00000').map(({ size }) => size);
      expect(
        [...new Set(asked.map((entry) => entry.code))].filter(
          (input) => input !== '00000' && input !== '40015' && input !== undefined,
        ),
      ).toEqual([]);
      const again = await startServer({ folder });
      // Every answered deposit exists once; no refused or interrupted one exists.
      expect((await creditedSizes(again, uid)).toSorted(numerically)).toEqual(
        accepted.toSorted(numerically),
      );
      expect(accepted.length).toBeGreaterThan(0);
      await again.end(signal);
    },
  );

  test('[REQ-46] a request sent before the signal is executed or refused, and always answered', async () => {
    const server = await startServer({ folder: temporaryFolder(), flags: ['--limits', 'off'] });
    const { port } = new URL(server.url);
    const asked = Array.from({ length: WAITING }, () => ask(Number(port)));
    await Promise.all(asked.map(({ sent }) => sent));
    const ended = server.end('SIGTERM');
    const answers = new Set(await Promise.all(asked.map(({ answer }) => answer)));
    expect(
      [...answers].filter(
        (line) => !['HTTP/1.1 200 OK', 'HTTP/1.1 503 Service Unavailable'].includes(line),
      ),
    ).toEqual([]);
    expect((await ended).code).toBe(0);
  });

  test('[RUN-22] a second signal, as from a terminal and from npm, still ends it cleanly', async () => {
    const server = await startServer({ folder: temporaryFolder(), flags: ['--limits', 'off'] });
    const { uid } = server.user('alice');
    const asking = askForDeposits(server, uid, []);
    await pause(20);
    process.kill(server.pid, 'SIGINT');
    await pause(1);
    const { code, signal } = await server.end('SIGINT');
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    await asking;
  });

  test('[RUN-22] idle connections, and one with an unfinished request, do not delay it', async () => {
    const server = await startServer({ folder: temporaryFolder() });
    await server.health();
    const { port } = new URL(server.url);
    const idle = connect(Number(port), '127.0.0.1');
    const slow = connect(Number(port), '127.0.0.1');
    slow.write(
      'POST /api/v2/mix/account/set-leverage HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    for (const socket of [idle, slow]) socket.on('error', () => undefined);
    await pause(50);
    const begun = performance.now();
    expect((await server.end('SIGTERM')).code).toBe(0);
    expect(performance.now() - begun).toBeLessThan(DRAINED_MS_MAX);
  });

  test('[RUN-22] an unfinished start stops as well, and the next one finishes it', async () => {
    const folder = temporaryFolder();
    for (const delay of [150, 250]) {
      const { child, ended } = launchServer({ folder });
      await pause(delay);
      child.kill('SIGTERM');
      const { code, signal } = await ended;
      // Before the first line of the program, the signal itself ends the process.
      expect(code === 0 || signal === 'SIGTERM').toBe(true);
    }
    const server = await startServer({ folder });
    expect(server.credentials.users).toHaveLength(4);
    await server.end('SIGTERM');
  });
});

describe('a failing disk', () => {
  test('[RUN-24] a failed write ends the program with sequence and state hash; nothing acknowledged is lost', async () => {
    const folder = temporaryFolder();
    const server = await startServer({ folder, flags: ['--limits', 'off'] });
    const { uid } = server.user('alice');
    await server.operate('POST', '/operator/v1/deposits', { uid, coin: 'SOL', size: '1' });
    const { sequence } = await server.health();

    // From here on, the program cannot write beyond the first thousand bytes of any file.
    execFileSync('prlimit', ['--pid', String(server.pid), '--fsize=1000:1000']);
    const asked: Asked[] = [];
    await askForDeposits(server, uid, asked);
    const { code, errors } = await server.ended;
    expect(code).toBe(1);
    const input =
      errors.split('\n').find((line) => line.includes('accepts no more commands')) ?? '';
    expect(JSON.parse(input)).toMatchObject({
      sequence: expect.any(Number),
      stateHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    // The next segment being prepared may reach the limit before the first deposit does.
    expect((JSON.parse(input) as { sequence: number }).sequence).toBeGreaterThanOrEqual(sequence);
    expect(input).toContain('EFBIG');
    expect(asked.filter((entry) => entry.code === '00000')).toEqual([]);

    const again = await startServer({ folder });
    expect(await creditedSizes(again, uid)).toContain('1');
    expect(await again.operate('GET', '/operator/v1/audit')).toMatchObject({ ok: true });
    await again.end('SIGTERM');
  });
});
