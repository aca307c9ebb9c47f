import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { disablePretenuring, PRETENURING_OFF } from './disable-pretenuring.ts';

test('[OPR-33] this Node knows the flag that allocates all objects in the young generation', () => {
  const flags: string[] = [];
  disablePretenuring((flag) => flags.push(flag));
  expect(flags).toEqual([PRETENURING_OFF]);
  expect(spawnSync(process.execPath, [PRETENURING_OFF, '-e', '0']).status).toBe(0);
  expect(spawnSync(process.execPath, [`${PRETENURING_OFF}-at-all`, '-e', '0']).status).not.toBe(0);
});
