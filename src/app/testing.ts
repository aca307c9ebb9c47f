/** Starts an exchange for one test file: from code, on free ports, in a folder of its own. */
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOperatorClient } from '../client/client.ts';
import { openLog } from '../gateway/log.ts';
import { given } from '../kernel/given.ts';
import { noSuchName } from '../kernel/near-names.ts';
import { type Exchange, startExchange as openExchange } from './exchange.ts';
import type { UserCredentials } from './keyring.ts';
import { readSettings } from './settings.ts';
import { type TestFaults, testFaults } from './test-faults.ts';

export interface TestExchangeOptions {
  /** `demo` (the default), `empty`, or the path of a seed file. */
  readonly world?: string;
  /** Off by default: books are empty, and only the test causes events. */
  readonly market?: 'on' | 'off';
  readonly seed?: number;
  /** Exchange time at the start, in milliseconds. */
  readonly startTime?: number;
  /**
   * Market history before the start, such as `30d`. By default none, or what the seed file sets.
   */
  readonly past?: string;
  /** Rate limits: `on` (the default), `off`, or the path of a file that changes some of them. */
  readonly limits?: string;
  /**
   * A folder to keep, for `rialto inspect` and `rialto verify`. By default a temporary one, removed
   * by `stop`.
   */
  readonly data?: string;
}

/** All options, so that a misspelt one is refused. */
const OPTIONS: Readonly<Record<keyof TestExchangeOptions, true>> = {
  world: true,
  market: true,
  seed: true,
  startTime: true,
  past: true,
  limits: true,
  data: true,
};

function checkNames(options: TestExchangeOptions): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown !== undefined)
    throw new Error(`startExchange: ${noSuchName('option', unknown, Object.keys(OPTIONS))}`);
}

/**
 * Controls the exchange clock. Everything due during a move has happened when its promise resolves.
 */
export interface TestClock {
  now(): Promise<number>;
  freeze(): Promise<void>;
  release(): Promise<void>;
  advance(ms: number): Promise<void>;
  /** To a time in milliseconds, to the next funding or to the next day in UTC+8. */
  to(moment: number | 'nextFunding' | 'nextDay'): Promise<void>;
  /** Exchange seconds per real second. */
  rate(rate: number): Promise<void>;
}

export interface TestExchange {
  readonly url: string;
  readonly operatorUrl: string;
  readonly operatorToken: string;
  /** The users of the seed data with their keys. */
  readonly users: readonly UserCredentials[];
  /** A user by name. */
  user(name: string): UserCredentials;
  readonly clock: TestClock;
  readonly faults: TestFaults;
  /** Every call of the operator API, typed. */
  readonly operator: ReturnType<typeof createOperatorClient>;
  /** Loads the same seed data again, with the same keys. */
  reset(): Promise<void>;
  /** Stops it and removes its folder, unless the folder was given. */
  stop(): Promise<void>;
}

function clockOf(operator: TestExchange['operator']): TestClock {
  const move = async (asked: {
    advanceMs?: string;
    to?: string;
    frozen?: boolean;
    rate?: string;
  }): Promise<void> => {
    await operator.call('moveClock', asked);
  };
  return {
    now: async () => Number.parseInt((await operator.call('getClock', {})).now, 10),
    freeze: () => move({ frozen: true }),
    release: () => move({ frozen: false }),
    advance: (ms) => move({ advanceMs: String(ms) }),
    to: (moment) => move({ to: String(moment) }),
    rate: (rate) => move({ rate: String(rate) }),
  };
}

/** Prefers a disk in memory with enough space: tests need no durability against power cuts. */
function quickFolder(): string {
  if (!existsSync(MEMORY_DISK)) return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    return bavail * bsize > MEMORY_DISK_ROOM ? MEMORY_DISK : tmpdir();
  } catch {
    return tmpdir();
  }
}

const MEMORY_DISK = '/dev/shm';
/** Ten exchanges with two journal segments each. */
const MEMORY_DISK_ROOM = 512 * 1024 * 1024;

async function openIn(data: string, options: TestExchangeOptions): Promise<Exchange> {
  const { world = 'demo', market = 'off', seed = 1, startTime, limits = 'on' } = options;
  const past = options.past ?? (world === 'demo' ? '0' : undefined);
  const input = {
    data,
    world,
    market,
    limits,
    seed: String(seed),
    port: '0',
    operatorPort: '0',
    log: 'error',
  };
  const settings = readSettings(
    { ...input, ...given({ past, startTime: startTime?.toString() }) },
    {},
  );
  return await openExchange({
    settings,
    log: openLog(settings.log),
    historyIn: options.data === undefined ? 'memory' : 'file',
    onFatal: ({ reason }) =>
      queueMicrotask(() => {
        throw new Error(`the exchange has stopped: ${reason}`);
      }),
  });
}

export async function startExchange(options: TestExchangeOptions = {}): Promise<TestExchange> {
  checkNames(options);
  const data = options.data ?? mkdtempSync(join(quickFolder(), 'rialto-test-'));
  const clear = (): void => {
    if (options.data === undefined) rmSync(data, { recursive: true, force: true });
  };
  const exchange = await openIn(data, options).catch((error: unknown) => {
    clear();
    throw error;
  });
  const { publicUrl, operatorUrl, credentials } = exchange;
  const operator = createOperatorClient({ baseUrl: operatorUrl, token: credentials.operatorToken });
  return {
    url: publicUrl,
    operatorUrl,
    operatorToken: credentials.operatorToken,
    users: credentials.users,
    user: (name) => {
      const found = credentials.users.find((user) => user.name === name);
      if (found === undefined)
        throw new Error(
          `there is no user ${name}; there are ${credentials.users.map((user) => user.name).join(', ')}`,
        );
      return found;
    },
    clock: clockOf(operator),
    faults: testFaults(operator),
    operator,
    reset: async () => {
      await operator.call('reset', {});
    },
    stop: async () => {
      await exchange.stop();
      clear();
    },
  };
}
