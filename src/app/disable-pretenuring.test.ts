import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { disablePretenuring, PRETENURING_OFF } from './disable-pretenuring.ts';

test('[OPR-33] objects are born young by a flag that this Node knows', () => {
  const flags: string[] = [];
  disablePretenuring((flag) => flags.push(flag));
  expect(flags).toEqual([PRETENURING_OFF]);
  expect(spawnSync(process.execPath, [PRETENURING_OFF, '-e', '0']).status).toBe(0);
  expect(spawnSync(process.execPath, [`${PRETENURING_OFF}-at-all`, '-e', '0']).status).not.toBe(0);
});
