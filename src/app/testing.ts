/**
 * An exchange for a test file of its own: started from code in a moment, on free ports, in a folder
 * that goes with it.
 */
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
  /** `demo` (the default), `empty`, or the path of a world. */
  readonly world?: string;
  /** Off by default: books are empty, and nothing happens that a test did not ask for. */
  readonly market?: 'on' | 'off';
  readonly seed?: number;
  /** Exchange time to begin at, in milliseconds. */
  readonly startTime?: number;
  /**
   * Market history before the start, such as `30d`: none by default, but what a world's file says.
   */
  readonly past?: string;
  /** Rate limits: `on` (the default), `off`, or the path of a file that changes some of them. */
  readonly limits?: string;
}

/** Every option there is: whoever misspells one expects what would not happen. */
const OPTIONS: Readonly<Record<keyof TestExchangeOptions, true>> = {
  world: true,
  market: true,
  seed: true,
  startTime: true,
  past: true,
  limits: true,
};

function checkNames(options: TestExchangeOptions): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown !== undefined)
    throw new Error(`startExchange: ${noSuchName('option', unknown, Object.keys(OPTIONS))}`);
}

/**
 * The exchange clock in the hands of a test. Everything due on the way has happened when a promise
 * is kept.
 */
export interface TestClock {
  now(): Promise<number>;
  freeze(): Promise<void>;
  release(): Promise<void>;
  advance(ms: number): Promise<void>;
  /** To a time in milliseconds, to the next funding or to the next day in UTC+8. */
  to(moment: number | 'nextFunding' | 'nextDay'): Promise<void>;
  /** Seconds that it shows for one that passes. */
  rate(rate: number): Promise<void>;
}

export interface TestExchange {
  readonly url: string;
  readonly operatorUrl: string;
  readonly operatorToken: string;
  /** The users of the world with their keys. */
  readonly users: readonly UserCredentials[];
  /** One of them by name. */
  user(name: string): UserCredentials;
  readonly clock: TestClock;
  readonly faults: TestFaults;
  /** Every call of the operator plane, typed. */
  readonly operator: ReturnType<typeof createOperatorClient>;
  /** The same world anew, with the same keys. */
  reset(): Promise<void>;
  /** Ends it and removes its folder. */
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

/** A disk in memory, where there is one with room: nothing of a test has to outlive a power cut. */
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
    historyIn: 'memory',
    onFatal: ({ reason }) =>
      queueMicrotask(() => {
        throw new Error(`the exchange has stopped: ${reason}`);
      }),
  });
}

export async function startExchange(options: TestExchangeOptions = {}): Promise<TestExchange> {
  checkNames(options);
  const data = mkdtempSync(join(quickFolder(), 'rialto-test-'));
  const exchange = await openIn(data, options).catch((error: unknown) => {
    rmSync(data, { recursive: true, force: true });
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
          `nobody is called ${name}; there are ${credentials.users.map((user) => user.name).join(', ')}`,
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
      rmSync(data, { recursive: true, force: true });
    },
  };
}
