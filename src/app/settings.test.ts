import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  BadSetting,
  type GivenSettings,
  readSettings,
  type SettingName,
  settingRows,
} from './settings.ts';

const refusal = (flags: GivenSettings, environment: Record<string, string> = {}): string => {
  try {
    readSettings(flags, environment);
  } catch (error) {
    if (error instanceof BadSetting) return error.message;
    throw error;
  }
  return 'accepted';
};

/**
 * A value other than the default for each setting, as a person writes it and as the program reads
 * it.
 */
const OTHERS: { readonly [Name in SettingName]: readonly [string, unknown] } = {
  host: ['0.0.0.0', '0.0.0.0'],
  port: ['1', 1],
  operatorPort: ['65535', 65_535],
  data: ['/elsewhere', '/elsewhere'],
  world: ['empty', 'empty'],
  market: ['off', 'off'],
  seed: ['4294967295', 4_294_967_295],
  past: ['12h', 43_200_000],
  limits: ['off', 'off'],
  startTime: ['1700000000000', 1_700_000_000_000],
  trustedProxies: ['10.0.0.0/8,::1', '10.0.0.0/8,::1'],
  operatorToken: ['t', 't'],
  log: ['debug', 'debug'],
  json: ['on', 'on'],
};
const names = Object.keys(OTHERS) as SettingName[];

describe('settings', () => {
  test('[RUN-01][RUN-06][RUN-09][RUN-19] defaults: loopback, 8080 and 8081, ./data, the demo world, limits on', () => {
    expect(readSettings({}, {})).toEqual({
      host: '127.0.0.1',
      port: 8080,
      operatorPort: 8081,
      data: resolve('data'),
      world: 'demo',
      market: undefined,
      seed: 1,
      startTime: undefined,
      past: undefined,
      limits: 'on',
      trustedProxies: undefined,
      operatorToken: undefined,
      log: 'warn',
      json: 'off',
    });
  });

  test('[RUN-20] the market is on or off as set; without a setting the world decides', () => {
    expect(readSettings({ world: 'empty' }, {}).market).toBeUndefined();
    expect(readSettings({ world: 'empty', market: 'on' }, {}).market).toBe('on');
  });

  test.each(names)(
    '[RUN-04] %s: flag and variable are equal, the flag has priority, an empty variable is ignored',
    (name) => {
      const [text, value] = OTHERS[name];
      const { variable } = settingRows[name];
      expect(readSettings({ [name]: text }, {})[name]).toBe(value);
      expect(readSettings({}, { [variable]: text })[name]).toBe(value);
      expect(
        readSettings({ [name]: text }, { [variable]: 'a variable that is overridden' })[name],
      ).toBe(value);
      expect(readSettings({}, { [variable]: '' })[name]).toEqual(readSettings({}, {})[name]);
    },
  );

  test.each([
    ['port', '65535', '65536', '--port is a whole number from 0 to 65535, not "65536"'],
    ['port', '0', '-1', '--port is a whole number from 0 to 65535, not "-1"'],
    [
      'operatorPort',
      '0',
      '8081x',
      '--operator-port is a whole number from 0 to 65535, not "8081x"',
    ],
    [
      'seed',
      '4294967295',
      '4294967296',
      '--seed is a whole number from 0 to 4294967295, not "4294967296"',
    ],
    [
      'startTime',
      '221845392000000',
      '221845392000001',
      '--start-time is a whole number from 0 to 221845392000000, not "221845392000001"',
    ],
    [
      'past',
      '1827d',
      '1828d',
      '--past is a length such as 30d or 12h, at most 1827d, or 0 for none, not "1828d"',
    ],
    [
      'past',
      '0',
      '30',
      '--past is a length such as 30d or 12h, at most 1827d, or 0 for none, not "30"',
    ],
    ['market', 'off', 'false', '--market is one of on, off, not "false"'],
    ['world', 'demo', '', '--world is demo, empty or the file of a world, not empty'],
    ['limits', 'on', '', '--limits is on, off or a file of limits, not empty'],
    ['log', 'silent', 'loud', '--log is one of silent, error, warn, info, debug, not "loud"'],
    ['host', '::1', '', '--host is an address to listen on, not empty'],
    ['data', '.', '', '--data is a folder, not empty'],
    ['data', 'not-there-yet', 'package.json', '--data is a folder, and package.json is a file'],
    [
      'trustedProxies',
      '10.0.0.7',
      '10.0.0.7/33',
      '--trusted-proxies is a list of addresses or networks such as 10.0.0.0/8, between commas, not "10.0.0.7/33"',
    ],
    [
      'operatorToken',
      '~!',
      'a b',
      '--operator-token is printable ASCII without spaces, at most 256 characters',
    ],
    [
      'operatorToken',
      'x'.repeat(256),
      'x'.repeat(257),
      '--operator-token is printable ASCII without spaces, at most 256 characters',
    ],
  ] as const)('[RUN-05] %s may be "%.16s" and not "%.16s"', (name, accepted, refused, sentence) => {
    expect(refusal({ [name]: accepted })).toBe('accepted');
    expect(refusal({ [name]: refused })).toBe(sentence);
  });

  test('[RUN-05] each API needs its own port, chosen by the system or by a setting', () => {
    expect(refusal({ port: '8082', operatorPort: '8082' })).toBe(
      '--port and --operator-port are both 8082; each API needs its own port',
    );
    expect(refusal({ port: '8081' })).toBe(
      '--port and --operator-port are both 8081; each API needs its own port',
    );
    expect(refusal({ port: '0', operatorPort: '0' })).toBe('accepted');
  });

  test('[RUN-05] an invalid variable is named by its own name', () => {
    expect(refusal({}, { RIALTO_OPERATOR_PORT: '70000' })).toBe(
      'RIALTO_OPERATOR_PORT is a whole number from 0 to 65535, not "70000"',
    );
    expect(refusal({}, { RIALTO_WORLD: 'mars' })).toBe(
      `RIALTO_WORLD is demo, empty or the file of a world, and the file ${resolve('mars')} is missing`,
    );
    expect(refusal({}, { RIALTO_OPERATOR_TOKEN: 'a\tb' })).toBe(
      'RIALTO_OPERATOR_TOKEN is printable ASCII without spaces, at most 256 characters',
    );
  });

  test('[PAST-14] market history starts at least a minute after 1970', () => {
    expect(refusal({ past: '1d', startTime: '86460000' })).toBe('accepted');
    expect(refusal({ past: '1d', startTime: '86459999' })).toBe(
      '--past 1d goes back to before 1970 with this --start-time',
    );
    expect(refusal({ past: '0', startTime: '0' })).toBe('accepted');
  });

  test('[RUN-80] a missing file for --world or --limits is named with its full path', () => {
    expect(refusal({ world: 'package.json', limits: 'package.json' })).toBe('accepted');
    expect(refusal({ world: 'no-world.json' })).toBe(
      `--world is demo, empty or the file of a world, and the file ${resolve('no-world.json')} is missing`,
    );
    expect(refusal({ limits: 'no-limits.json' })).toBe(
      `--limits is on, off or a file of limits, and the file ${resolve('no-limits.json')} is missing`,
    );
  });

  test('[RUN-81] a data folder is possible below a folder, and not below a file or at a dangling link', () => {
    const place = mkdtempSync(join(tmpdir(), 'rialto-settings-'));
    try {
      writeFileSync(join(place, 'file'), '');
      symlinkSync(join(place, 'nothing'), join(place, 'link'));
      expect(refusal({ data: join(place, 'some', 'folder') })).toBe('accepted');
      expect(refusal({ data: join(place, 'file', 'some', 'folder') })).toBe(
        `--data is a folder, and ${join(place, 'file')} is a file`,
      );
      expect(refusal({ data: join(place, 'link') })).toBe(
        `--data is a folder, and ${join(place, 'link')} is a link to nothing`,
      );
      expect(refusal({ data: join(place, 'x'.repeat(256)) })).toMatch(
        /^--data \/.* cannot be used: ENAMETOOLONG: [^\n]*$/,
      );
      expect(refusal({ data: join(place, 'x'.repeat(255)) })).toBe('accepted');
    } finally {
      rmSync(place, { recursive: true });
    }
  });
});
