import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { BORN_YOUNG, bearObjectsYoung } from './young-objects.ts';

test('[OPR-33] objects are born young by a flag that this Node knows', () => {
  const flags: string[] = [];
  bearObjectsYoung((flag) => flags.push(flag));
  expect(flags).toEqual([BORN_YOUNG]);
  expect(spawnSync(process.execPath, [BORN_YOUNG, '-e', '0']).status).toBe(0);
  expect(spawnSync(process.execPath, [`${BORN_YOUNG}-at-all`, '-e', '0']).status).not.toBe(0);
});
