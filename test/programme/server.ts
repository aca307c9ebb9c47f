/**
 * The built program as a child process, on free ports in its own folder, with real sockets and
 * signals.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
/** The folder of the build; another one if a build runs at the same time. */
const BUILD = process.env.PROGRAMME_BUILD ?? join(REPOSITORY, 'dist');

/** A start takes a third of a second, and over ten times as long on a busy machine. */
const READY_MS_MAX = 30_000;
const SOCKETS_MAX = 64;

export interface UserCredentials {
  readonly name: string;
  readonly uid: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly passphrase: string;
}

export interface Credentials {
  readonly operatorToken: string;
  readonly users: readonly UserCredentials[];
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly errors: string;
}

export interface Answer<Payload = unknown> {
  readonly status: number;
  readonly code: string;
  readonly msg: string;
  readonly data: Payload;
}

type Environment = Readonly<Record<string, string>>;

export interface ProgramOptions {
  readonly flags?: readonly string[];
  readonly environment?: Environment;
  /** A command that starts the program, for example with resource limits. */
  readonly through?: readonly string[];
}

export interface ServerOptions extends ProgramOptions {
  readonly folder: string;
  /** The path at which this process reads a file of the server, if the two see different disks. */
  readonly read?: (path: string) => string;
}

const children = new Set<ChildProcess>();
const folders = new Set<string>();

/** No child process outlives the tests, however they end. */
export function endAll(): void {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}
process.once('exit', endAll);

/** A new folder for one test; `endAll` removes it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-programme-'));
  folders.add(folder);
  return folder;
}

/** Drops `RIALTO_` variables, which would set options of the server. */
const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('RIALTO_')));

interface RunningChild {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly output: () => string;
  readonly errors: () => string;
}

/**
 * The flags of `npm start`. An order's objects live until it is durable and shown; a larger space
 * for young objects saves a quarter of the processor time.
 */
export const NODE_FLAGS = ['--enable-source-maps', '--max-semi-space-size=64'];

function launch({ flags = [], environment = {}, through = [] }: ProgramOptions): RunningChild {
  const line = [...through, process.execPath, ...NODE_FLAGS, join(BUILD, 'ops/cli.js'), ...flags];
  const child = spawn(line[0]!, line.slice(1), {
    cwd: REPOSITORY,
    env: { ...cleanEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  const text = { output: '', errors: '' };
  child.stdout!.setEncoding('utf8').on('data', (part: string) => {
    text.output += part;
  });
  child.stderr!.setEncoding('utf8').on('data', (part: string) => {
    text.errors += part;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      children.delete(child);
      resolve({ code, signal, ...text });
    });
  });
  return { child, ended, output: () => text.output, errors: () => text.errors };
}

/** Runs the server until it ends by itself, for starts that are refused. */
export const runServer = ({ flags = [], ...options }: ProgramOptions): Promise<Ended> =>
  launch({ ...options, flags: ['start', ...flags] }).ended;

/** Runs a verb of the command line. */
export const runVerb = (...flags: readonly string[]): Promise<Ended> => runVerbIn({}, ...flags);

/** Starts a verb without waiting, for tests that pause or interrupt it. */
export const launchVerb = (...flags: readonly string[]): RunningChild => launchVerbIn({}, ...flags);

/** The same with another environment: a time zone, a language, another heap. */
export const launchVerbIn = (environment: Environment, ...flags: readonly string[]): RunningChild =>
  launch({ flags, environment });
export const runVerbIn = (environment: Environment, ...flags: readonly string[]): Promise<Ended> =>
  launchVerbIn(environment, ...flags).ended;

/** Starts a server without waiting, for starts that are interrupted. */
export function launchServer({
  folder,
  flags = [],
  ...options
}: Omit<ServerOptions, 'read'>): RunningChild {
  // Books stay empty unless a test asks for the market.
  const market = flags.includes('--market') ? [] : ['--market', 'off'];
  return launch({
    ...options,
    flags: ['start', '--data', folder, '--port', '0', '--operator-port', '0', ...market, ...flags],
  });
}

const READY = /^ready (\S+) operator (\S+)$/m;

function waitUntilReady({ output, errors, ended, child }: RunningChild): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const fail = (what: string): void =>
      reject(new Error(`the server ${what} before it was ready:\n${output()}${errors()}`));
    const late = setTimeout(() => fail('took too long'), READY_MS_MAX);
    const look = (): void => {
      const ready = READY.exec(output());
      if (ready === null) return;
      clearTimeout(late);
      child.stdout!.off('data', look);
      resolve(ready);
    };
    child.stdout!.on('data', look);
    ended.then(
      ({ code }) => fail(`ended with code ${code}`),
      (error: unknown) => reject(error as Error),
    );
    look();
  });
}

export const credentialsIn = (folder: string): Credentials =>
  JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8')) as Credentials;

/** Calls once over a kept connection. Without an answer the outcome is unknown. */
export function send(
  agent: Agent,
  url: string,
  method: string,
  headers: Environment,
  body = '',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const type =
      body === ''
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(url, { agent, method, headers: { ...type, ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('error', reject);
      response.on('end', () => {
        if (!response.complete) return reject(new Error('the answer is incomplete'));
        resolve({
          status: response.statusCode ?? 0,
          ...(JSON.parse(text) as Omit<Answer, 'status'>),
        });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export type Keys = Pick<UserCredentials, 'apiKey' | 'secretKey' | 'passphrase'>;

export function signedHeaders(
  { apiKey, secretKey, passphrase }: Keys,
  method: string,
  target: string,
  body = '',
): Environment {
  const timestamp = String(Date.now());
  const sign = createHmac('sha256', secretKey)
    .update(`${timestamp}${method}${target}${body}`)
    .digest('base64');
  return {
    'ACCESS-KEY': apiKey,
    'ACCESS-SIGN': sign,
    'ACCESS-TIMESTAMP': timestamp,
    'ACCESS-PASSPHRASE': passphrase,
  };
}

export interface Health {
  readonly status: string;
  readonly sequence: number;
  readonly durable: number;
  readonly stateHash: string;
  readonly stateHashSequence: number;
}

export class Server {
  readonly url: string;
  readonly operatorUrl: string;
  readonly folder: string;
  readonly credentials: Credentials;
  readonly agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX });
  readonly #running: RunningChild;

  constructor(
    running: RunningChild,
    folder: string,
    url: string,
    operatorUrl: string,
    credentials: Credentials,
  ) {
    this.#running = running;
    this.folder = folder;
    this.url = url;
    this.operatorUrl = operatorUrl;
    this.credentials = credentials;
  }

  get pid(): number {
    return this.#running.child.pid!;
  }

  get output(): string {
    return this.#running.output();
  }

  get errors(): string {
    return this.#running.errors();
  }

  get ended(): Promise<Ended> {
    return this.#running.ended;
  }

  /** Sends a signal and waits until the process ends. */
  async end(signal: NodeJS.Signals): Promise<Ended> {
    this.#running.child.kill(signal);
    const ended = await this.#running.ended;
    this.agent.destroy();
    return ended;
  }

  user(name: string): UserCredentials {
    const found = this.credentials.users.find((user) => user.name === name);
    if (found === undefined) throw new Error(`no ${name} in ${this.folder}/credentials.json`);
    return found;
  }

  /** Calls the operator plane and returns any answer. */
  operator<Payload>(
    method: string,
    path: string,
    body?: unknown,
    token = this.credentials.operatorToken,
  ): Promise<Answer<Payload>> {
    const text = body === undefined ? '' : JSON.stringify(body);
    return send(
      this.agent,
      this.operatorUrl + path,
      method,
      { authorization: `Bearer ${token}` },
      text,
    ) as Promise<Answer<Payload>>;
  }

  /** Calls the operator plane; the call must succeed. */
  async operate<Payload>(method: string, path: string, body?: unknown): Promise<Payload> {
    const answer = await this.operator<Payload>(method, path, body);
    if (answer.code !== '00000')
      throw new Error(`${method} ${path}: ${answer.status} ${answer.code} ${answer.msg}`);
    return answer.data;
  }

  /** Makes a signed call of the public plane and returns any answer. */
  call<Payload>(
    keys: Keys,
    method: string,
    target: string,
    body?: unknown,
  ): Promise<Answer<Payload>> {
    const text = body === undefined ? '' : JSON.stringify(body);
    return send(
      this.agent,
      this.url + target,
      method,
      signedHeaders(keys, method, target, text),
      text,
    ) as Promise<Answer<Payload>>;
  }

  health(): Promise<Health> {
    return this.operate('GET', '/operator/v1/health');
  }

  /** The text of `/metrics`. */
  async metrics(): Promise<string> {
    const headers = { authorization: `Bearer ${this.credentials.operatorToken}` };
    return await (await fetch(`${this.operatorUrl}/metrics`, { headers })).text();
  }
}

export async function startServer(options: ServerOptions): Promise<Server> {
  const running = launchServer(options);
  const [, url = '', operatorUrl = ''] = await waitUntilReady(running);
  const { folder, read = (path) => path } = options;
  return new Server(running, folder, url, operatorUrl, credentialsIn(read(folder)));
}

/**
 * A command of the largest size: the maximum number of prices with the most digits. About six
 * hundred fill a segment.
 */
export const LARGE_PRICES: readonly unknown[] = Array.from({ length: 500 }, () => ({
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  index: `${'60000'.padStart(20, '0')}.${'0'.repeat(18)}`,
  force: true,
}));

let pattern: Promise<string> | undefined;

async function makePattern(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-programme-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { code, errors } = await (await startServer({ folder })).end('SIGTERM');
  if (code !== 0)
    throw new Error(`the server that made a folder ended with code ${code}:\n${errors}`);
  return folder;
}

/**
 * A new folder for one test with the demo world, stopped cleanly. It is made once for each test
 * file and then copied.
 */
export async function stoppedFolder(): Promise<string> {
  pattern ??= makePattern();
  const folder = temporaryFolder();
  cpSync(await pattern, folder, { recursive: true });
  return folder;
}
