import { expect, test } from 'vitest';
import { openLog } from './log.ts';

function linesOf(write: (log: ReturnType<typeof openLog>) => void, level = 'debug'): string[] {
  const lines: string[] = [];
  write(openLog(level, { write: (line: string) => void lines.push(line) }));
  return lines;
}

test('[REQ-52] credentials are hidden at the top and up to two levels down, in either spelling', () => {
  const credentials = {
    'access-key': 'TELLTALE',
    'ACCESS-SIGN': 'TELLTALE',
    'access-passphrase': 'TELLTALE',
    authorization: 'TELLTALE',
    secretKey: 'TELLTALE',
    passphrase: 'TELLTALE',
    operatorToken: 'TELLTALE',
  };
  const lines = linesOf((log) => {
    log.error({ ...credentials, shown: 'kept' }, 'at the top');
    log.error({ headers: credentials }, 'one level down');
    log.error({ request: { headers: credentials } }, 'two levels down');
  });
  expect(lines).toHaveLength(3);
  expect(lines.join('')).not.toContain('TELLTALE');
  expect(lines[0]).toContain('kept');
});

test('[REQ-52] below its level the log writes nothing', () => {
  expect(linesOf((log) => log.debug({}, 'a request'), 'warn')).toEqual([]);
});
