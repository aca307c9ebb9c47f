import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runVerb, temporaryFolder } from './server.ts';

const HEADER = 'time,open,high,low,close,volume\n';
const CANDLES = '1704067200,100,101,99,100.5,1\n1704067260,100.5,100.5,99,99,1\n1704067380,99,99,98,98.25,1\n';

function fileOf(text: string): string {
  const path = join(temporaryFolder(), 'table.csv');
  writeFileSync(path, text);
  return path;
}

test('[RUN-76] data check says what a file holds', async () => {
  const { code, output } = await runVerb('data', 'check', fileOf(HEADER + CANDLES));
  expect({ code, output }).toEqual({
    code: 0,
    output: [
      'table.csv: 3 candles of 1m, from 2024-01-01T00:00:00Z to 2024-01-01T00:04:00Z',
      '1 candles are missing, at most 1m of them in a row',
      'the price goes from 100 to 98.25',
      '',
    ].join('\n'),
  });
});

test('[RUN-76] data check says why a file is refused, and keeps nothing', async () => {
  const path = fileOf(`${HEADER}${CANDLES}1704067440,0,99,98,98.25,1\n`);
  const { code, errors } = await runVerb('data', 'check', path);
  expect({ code, errors }).toEqual({ code: 1, errors: 'rialto: table.csv: line 5: the open is zero\n' });
  expect(readdirSync(join(path, '..'))).toEqual(['table.csv']);
});
