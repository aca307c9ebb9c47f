import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { openLog } from '../log.ts';
import { servingPathOn } from './node-self-test.ts';
import { OTHER_NODES } from './other-nodes.test-support.ts';
import type { CreateServer } from './server.ts';

async function pathOn(node: CreateServer | undefined): Promise<readonly [string, number]> {
  const lines: string[] = [];
  const path = await servingPathOn(
    node,
    openLog('warn', { write: (line: string) => void lines.push(line) }),
  );
  return [path, lines.filter((line) => line.includes(process.versions.node)).length];
}

test('[REQ-76] this Node has the expected private fields, and the log stays empty', async () => {
  expect(await pathOn(undefined)).toEqual(['direct', 0]);
  expect(await pathOn(createServer as CreateServer)).toEqual(['direct', 0]);
});

test.each(Object.entries(OTHER_NODES))(
  '[REQ-76] on a Node %s the plain path serves, and the log reports it',
  async (_, node) => expect(await pathOn(node)).toEqual(['plain', 1]),
);
