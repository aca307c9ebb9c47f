import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';
import { refusalText } from './start-refusals.ts';

const settings = readSettings({ port: '80', operatorPort: '81' }, {});
const fromListening = (code: string, fields: object): Error =>
  Object.assign(new Error(`listen ${code}: said by the machine`), { code, syscall: 'listen', ...fields });

test('[RUN-05] a port that needs a right names its flag, and an address that is not here names the host', () => {
  const why = 'may not be listened on by this user (listen EACCES: said by the machine); a port above 1023 needs no right';
  expect(refusalText(fromListening('EACCES', { port: 80 }), settings)).toBe(`--port 80 ${why}`);
  expect(refusalText(fromListening('EACCES', { port: 81 }), settings)).toBe(`--operator-port 81 ${why}`);
  expect(refusalText(fromListening('EADDRNOTAVAIL', { port: 80 }), settings)).toMatch(/^--host 127\.0\.0\.1 is no address/);
  expect(refusalText(new Error('nobody has foreseen it'), settings)).toBeUndefined();
});
