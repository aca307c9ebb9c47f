/**
 * Every setting of a running exchange: its flag, its environment variable, its default. A flag has
 * priority over a variable.
 */
import { lstatSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Proxies } from '../gateway/auth/proxies.ts';
import { readSpan } from '../kernel/spans.ts';
import { MINUTE } from '../kernel/time.ts';
import { PAST_SPAN_MAX } from '../messages/past.ts';

export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly operatorPort: number;
  readonly data: string;
  /** One of the two built-in names, or the path of a file. */
  readonly world: string;
  /** If omitted, the seed file decides at the first start; later the market stays as it was. */
  readonly market: 'on' | 'off' | undefined;
  readonly seed: number;
  /** The exchange time at the first start; the real time if omitted. */
  readonly startTime?: number | undefined;
  /** Market history before the first start, in milliseconds. If omitted, the seed file decides. */
  readonly past?: number | undefined;
  /** `on`, `off`, or the path of a file that changes some limits. */
  readonly limits: string;
  /** Addresses and networks, separated by commas. */
  readonly trustedProxies?: string | undefined;
  readonly operatorToken: string | undefined;
  readonly log: string;
  /** `on` prints one JSON line at the start instead of a text. */
  readonly json: 'on' | 'off';
}

export interface SettingRow {
  readonly flag: string;
  /** Omitted if the flag alone means `on`. */
  readonly argument?: string;
  readonly variable: string;
  readonly help: string;
  readonly fallback?: string;
  /** Describes the effect of omitting the setting, if that is not a value. */
  readonly otherwise?: string;
}

export const settingRows = {
  host: {
    flag: '--host',
    argument: 'HOST',
    variable: 'RIALTO_HOST',
    help: 'address to listen on',
    fallback: '127.0.0.1',
  },
  port: {
    flag: '--port',
    argument: 'N',
    variable: 'RIALTO_PORT',
    help: 'public port; 0 picks a free one',
    fallback: '8080',
  },
  operatorPort: {
    flag: '--operator-port',
    argument: 'N',
    variable: 'RIALTO_OPERATOR_PORT',
    help: 'operator port; 0 picks a free one',
    fallback: '8081',
  },
  data: {
    flag: '--data',
    argument: 'DIR',
    variable: 'RIALTO_DATA',
    help: 'folder of the journal, snapshots and keys',
    fallback: './data',
  },
  world: {
    flag: '--world',
    argument: 'demo|empty|FILE',
    variable: 'RIALTO_WORLD',
    help: 'initial content of an empty data folder',
    fallback: 'demo',
  },
  market: {
    flag: '--market',
    argument: 'on|off',
    variable: 'RIALTO_MARKET',
    help: 'the simulated market',
    otherwise: 'as it was left; initially on for demo, off for empty',
  },
  seed: {
    flag: '--seed',
    argument: 'N',
    variable: 'RIALTO_SEED',
    help: 'seed of all random draws',
    fallback: '1',
  },
  startTime: {
    flag: '--start-time',
    argument: 'MS',
    variable: 'RIALTO_START_TIME',
    help: 'exchange time at the first start',
    otherwise: 'now',
  },
  past: {
    flag: '--past',
    argument: 'SPAN',
    variable: 'RIALTO_PAST',
    help: 'market history before a first start, such as 30d or 12h; 0 for none',
    otherwise: '30d for demo, 0 for empty',
  },
  limits: {
    flag: '--limits',
    argument: 'on|off|FILE',
    variable: 'RIALTO_LIMITS',
    help: 'rate limits; off for load tests; a file changes some of them',
    fallback: 'on',
  },
  trustedProxies: {
    flag: '--trusted-proxies',
    argument: 'LIST',
    variable: 'RIALTO_TRUSTED_PROXIES',
    help: 'reverse proxies whose X-Forwarded-For is trusted: addresses or networks such as 10.0.0.0/8, separated by commas',
    otherwise: 'none',
  },
  operatorToken: {
    flag: '--operator-token',
    argument: 'T',
    variable: 'RIALTO_OPERATOR_TOKEN',
    help: 'bearer token of the operator API',
    otherwise: 'generated and kept',
  },
  log: {
    flag: '--log',
    argument: 'LEVEL',
    variable: 'RIALTO_LOG',
    help: 'log level: silent, error, warn, info, debug',
    fallback: 'warn',
  },
  json: {
    flag: '--json',
    variable: 'RIALTO_JSON',
    help: 'print one JSON line with addresses and keys when ready',
    fallback: 'off',
  },
} as const satisfies Record<keyof Settings, SettingRow>;

export type SettingName = keyof typeof settingRows;
export type GivenSettings = Partial<Record<SettingName, string>>;

/** An invalid setting; the message is one line for a person. */
export class BadSetting extends Error {
  override readonly name = 'BadSetting';
}

interface Input {
  readonly value: string | undefined;
  /** The name as written: the flag or the variable. */
  readonly name: string;
}

function input(name: SettingName, flags: GivenSettings, environment: NodeJS.ProcessEnv): Input {
  const { flag, variable, fallback }: SettingRow = settingRows[name];
  if (flags[name] !== undefined) return { value: flags[name], name: flag };
  // An empty variable counts as not given: that is how shells and containers unset one.
  return environment[variable]
    ? { value: environment[variable], name: variable }
    : { value: fallback, name: flag };
}

const PORT_MAX = 65_535;
/** The year 9000, well before the exchange clock ends. */
const START_TIME_MAX = 221_845_392_000_000;

const MISSING: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR'];
/**
 * Nothing is known below a folder without access; the first access to the data folder reports the
 * reason.
 */
const MISSING_OR_CLOSED = [...MISSING, 'EACCES'];

/** Undefined if the path does not exist. */
function statsOf(
  path: string,
  name: string,
  missing = MISSING,
  read = statSync,
): Stats | undefined {
  try {
    return read(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (missing.includes(code)) return undefined;
    throw new BadSetting(`${name} ${path} cannot be used: ${message}`);
  }
}

/** A known word or an existing file. */
function wordOrFile(
  { value = '', name }: Input,
  words: readonly [string, string],
  file: string,
): string {
  if (words.includes(value)) return value;
  const choices = `${words.join(', ')} or ${file}`;
  if (value === '') throw new BadSetting(`${name} is ${choices}, not empty`);
  if (statsOf(value, name) === undefined)
    throw new BadSetting(`${name} is ${choices}, and the file ${resolve(value)} is missing`);
  return resolve(value);
}

/** Checks the nearest existing parent, which decides whether the folder can be created. */
function checkFolder(path: string, name: string, input: string): void {
  const stats = statsOf(path, name, MISSING_OR_CLOSED);
  if (stats?.isDirectory() === true) return;
  if (stats !== undefined) throw new BadSetting(`${name} is a folder, and ${input} is a file`);
  if (statsOf(path, name, MISSING_OR_CLOSED, lstatSync) !== undefined)
    throw new BadSetting(`${name} is a folder, and ${input} is a link to nothing`);
  if (dirname(path) !== path) checkFolder(dirname(path), name, dirname(path));
}

/** A missing folder is created later. `name` is the flag or variable as written. */
export function folderOf(value: string, name: string): string {
  if (value === '') throw new BadSetting(`${name} is a folder, not empty`);
  checkFolder(resolve(value), name, value);
  return resolve(value);
}

const folder = ({ value = '', name }: Input): string => folderOf(value, name);

/** Market history must start after 1970; without a start time, now is late enough. */
function pastOf({ value, name }: Input, startTime = Number.POSITIVE_INFINITY): number | undefined {
  if (value === undefined) return undefined;
  const spanMs = readSpan(value);
  if (spanMs === undefined || spanMs > PAST_SPAN_MAX)
    throw new BadSetting(
      `${name} is a length such as 30d or 12h, at most 1827d, or 0 for none, not "${value}"`,
    );
  if (spanMs > 0 && startTime - spanMs < MINUTE)
    throw new BadSetting(`${name} ${value} goes back to before 1970 with this --start-time`);
  return spanMs;
}

export function readSettings(flags: GivenSettings, environment: NodeJS.ProcessEnv): Settings {
  const text = (setting: SettingName, what: string): string => {
    const { value = '', name } = input(setting, flags, environment);
    if (value === '') throw new BadSetting(`${name} is ${what}, not empty`);
    return value;
  };
  const whole = (setting: SettingName, max: number): number => {
    const { value = '', name } = input(setting, flags, environment);
    if (!/^\d{1,15}$/.test(value) || Number.parseInt(value, 10) > max)
      throw new BadSetting(`${name} is a whole number from 0 to ${max}, not "${value}"`);
    return Number.parseInt(value, 10);
  };
  const choice = <const Words extends readonly string[]>(
    setting: SettingName,
    words: Words,
    fallback?: Words[number],
  ): Words[number] => {
    const { value = fallback ?? '', name } = input(setting, flags, environment);
    if (!words.includes(value))
      throw new BadSetting(`${name} is one of ${words.join(', ')}, not "${value}"`);
    return value;
  };
  const ports = { port: whole('port', PORT_MAX), operatorPort: whole('operatorPort', PORT_MAX) };
  if (ports.port === ports.operatorPort && ports.port !== 0)
    throw new BadSetting(
      `--port and --operator-port are both ${ports.port}; each API needs its own port`,
    );
  const world = wordOrFile(
    input('world', flags, environment),
    ['demo', 'empty'],
    'the file of a world',
  );
  const { value: trustedProxies, name: proxiesName } = input('trustedProxies', flags, environment);
  if (trustedProxies !== undefined && Proxies.read(trustedProxies) === undefined)
    throw new BadSetting(
      `${proxiesName} is a list of addresses or networks such as 10.0.0.0/8, between commas, not "${trustedProxies}"`,
    );
  const { value: operatorToken, name: tokenName } = input('operatorToken', flags, environment);
  if (operatorToken !== undefined && !/^[\x21-\x7e]{1,256}$/.test(operatorToken))
    throw new BadSetting(`${tokenName} is printable ASCII without spaces, at most 256 characters`);
  const startTime =
    input('startTime', flags, environment).value === undefined
      ? undefined
      : whole('startTime', START_TIME_MAX);
  return {
    host: text('host', 'an address to listen on'),
    ...ports,
    data: folder(input('data', flags, environment)),
    world,
    market:
      input('market', flags, environment).value === undefined
        ? undefined
        : choice('market', ['on', 'off']),
    seed: whole('seed', 2 ** 32 - 1),
    startTime,
    past: pastOf(input('past', flags, environment), startTime),
    limits: wordOrFile(input('limits', flags, environment), ['on', 'off'], 'a file of limits'),
    trustedProxies,
    operatorToken,
    log: choice('log', ['silent', 'error', 'warn', 'info', 'debug']),
    json: choice('json', ['on', 'off']),
  };
}
