import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';
import { refusalText } from './start-refusals.ts';

const settings = readSettings({ port: '80', operatorPort: '81' }, {});
const fromListening = (code: string, fields: object): Error =>
  Object.assign(new Error(`listen ${code}: the system's text`), {
    code,
    syscall: 'listen',
    ...fields,
  });

test('[RUN-05] a port that needs a right names its flag, and a foreign address names the host', () => {
  const why =
    "cannot be opened by this user (listen EACCES: the system's text); a port above 1023 needs no permission";
  expect(refusalText(fromListening('EACCES', { port: 80 }), settings)).toBe(`--port 80 ${why}`);
  expect(refusalText(fromListening('EACCES', { port: 81 }), settings)).toBe(
    `--operator-port 81 ${why}`,
  );
  expect(refusalText(fromListening('EADDRNOTAVAIL', { port: 80 }), settings)).toMatch(
    /^--host 127\.0\.0\.1 cannot be opened/,
  );
  const notFound = Object.assign(new Error('getaddrinfo ENOTFOUND nowhere'), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
  });
  expect(refusalText(notFound, settings)).toMatch(
    /^--host 127\.0\.0\.1 cannot be opened .*: getaddrinfo ENOTFOUND nowhere$/,
  );
  expect(refusalText(new Error('an unexpected error'), settings)).toBeUndefined();
});

test('[RUN-06][RUN-08] a port in use is named, and a folder without access is not a port error', () => {
  const taken = 'is in use; choose another with --port and --operator-port (0 picks a free one)';
  expect(refusalText(fromListening('EADDRINUSE', { port: 81 }), settings)).toBe(`port 81 ${taken}`);
  const message = "EACCES: permission denied, mkdir '/elsewhere'";
  const refused = Object.assign(new Error(message), { code: 'EACCES', syscall: 'mkdir' });
  const folder = resolve('data');
  expect(refusalText(refused, settings)).toBe(
    `--data ${folder} cannot be created or written: ${message}`,
  );
});
