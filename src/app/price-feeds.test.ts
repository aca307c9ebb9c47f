import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FEEDS_FOLDER, PriceFeeds } from './price-feeds.ts';

const TEXT = '1700000000,60000\n1700000001,60100\n1700000002,60200\n';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'rialto-feeds-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

test('[MKT-16] a file that was kept is there after a restart', () => {
  const { file, rows } = new PriceFeeds(data).keep(TEXT);
  expect(new PriceFeeds(data).rows(file)).toEqual(rows);
});

test.each([
  ['emptied', ''],
  ['cut short', TEXT.slice(0, 36)],
])('[MKT-16] a kept file that was %s since is followed by nobody, and is kept anew when it is given again', (_how, left) => {
  const { file, rows } = new PriceFeeds(data).keep(TEXT);
  const path = join(data, FEEDS_FOLDER, file);
  writeFileSync(path, left);
  const feeds = new PriceFeeds(data);
  expect(feeds.rows(file)).toBeUndefined();
  feeds.keep(TEXT);
  expect(readFileSync(path, 'utf8')).toBe(TEXT);
  expect(feeds.rows(file)).toEqual(rows);
});
