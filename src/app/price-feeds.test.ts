import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FEEDS_FOLDER, feedText, PriceFeeds } from './price-feeds.ts';

const TEXT = '1700000000,60000\n1700000001,60100\n1700000002,60200\n';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'rialto-feeds-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

test('[MKT-16] a stored file exists after a restart', () => {
  const { file, rows } = new PriceFeeds(
    data,
    () => true,
    () => 0,
  ).keep(TEXT);
  expect(
    new PriceFeeds(
      data,
      () => true,
      () => 0,
    ).rows(file),
  ).toEqual(rows);
});

test.each([
  ['emptied', ''],
  ['cut short', TEXT.slice(0, 36)],
])(
  '[MKT-16] a stored file that was %s since is not followed, and is stored again when given again',
  (_how, left) => {
    const { file, rows } = new PriceFeeds(
      data,
      () => true,
      () => 0,
    ).keep(TEXT);
    const path = join(data, FEEDS_FOLDER, file);
    writeFileSync(path, left);
    const feeds = new PriceFeeds(
      data,
      () => true,
      () => 0,
    );
    expect(feeds.rows(file)).toBeUndefined();
    feeds.keep(TEXT);
    expect(readFileSync(path, 'utf8')).toBe(TEXT);
    expect(feeds.rows(file)).toEqual(rows);
  },
);

test('[MKT-16] a file that no scene follows leaves memory, and is read again when a scene follows it', () => {
  const followed = new Set<string>();
  const feeds = new PriceFeeds(
    data,
    (file) => followed.has(file),
    () => 0,
  );
  const first = feeds.keep(TEXT);
  followed.add(first.file);
  for (let price = 1; price <= 20; price++) feeds.keep(`1700000000,${price}\n`);
  // The one that is followed, and the last one given.
  expect(feeds.held).toBe(2);
  followed.clear();
  feeds.keep('1700000000,21\n');
  expect(feeds.held).toBe(1);
  expect(feeds.rows(first.file)).toEqual(first.rows);
});

test('[MKT-22] a file that no scene follows is removed a minute after it was given', () => {
  const followed = new Set<string>();
  let now = 0;
  const open = (): PriceFeeds =>
    new PriceFeeds(
      data,
      (file) => followed.has(file),
      () => now,
    );
  const onDisk = (): readonly string[] => readdirSync(join(data, FEEDS_FOLDER)).toSorted();
  const feeds = open();
  feeds.removeUnfollowed();
  const [first, second] = [feeds.keep(TEXT).file, feeds.keep('1700000000,1\n').file];
  followed.add(first);
  now = 59_999;
  feeds.removeUnfollowed();
  expect(onDisk()).toEqual([first, second].toSorted());
  now = 60_000;
  const third = feeds.keep('1700000000,2\n').file;
  expect(onDisk()).toEqual([first, third].toSorted());
  // After a restart no file waits for its scene.
  writeFileSync(join(data, FEEDS_FOLDER, `${third}.tmp`), '1700');
  open().removeUnfollowed();
  expect(onDisk()).toEqual([first]);
  // A file that is given again exists again.
  followed.clear();
  open().removeUnfollowed();
  expect(open().keep(TEXT).file).toBe(first);
  expect(onDisk()).toEqual([first]);
});

test.each([
  ['is missing', '/nowhere/prices.csv'],
  ['is a folder', tmpdir()],
  ['is an endless file', '/dev/zero'],
  ['cannot be read', '/proc/self/mem'],
])('[MKT-16] a path that %s is not a price file', (_, path) => {
  expect(feedText(path)).toBeUndefined();
});
