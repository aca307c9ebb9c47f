import { Kysely, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { expect, test } from 'vitest';
import type { Uid } from '../../kernel/ids.ts';
import { shortenEras } from './block-migrations.ts';
import { OrderNames, RANGE_IDS, rangeOf } from './order-names.ts';
import type { AnyKysely } from './table.ts';

const UID = 1_000_000_001 as Uid;
const HASHES = 2 ** 26;

function nameBytes(name: string): Buffer {
  const bytes = Buffer.alloc(4 + name.length);
  bytes.writeUInt32LE(name.length);
  bytes.write(name, 4);
  return bytes;
}

/** Orders of three names, some of them far apart. */
const ORDERS: readonly (readonly [string, number])[] = [
  ['first', 1],
  ['first', 70 * RANGE_IDS],
  ['second', 3 * RANGE_IDS + 5],
  ['third', 63 * RANGE_IDS],
  ['third', 64 * RANGE_IDS],
  ['third', 1_000 * RANGE_IDS + 9],
];

function stored(): { readonly database: Database.Database; readonly names: OrderNames } {
  const database = new Database(':memory:');
  database.exec('create table order_names (number integer primary key)');
  const names = new OrderNames(database);
  for (const [name, id] of ORDERS) names.add(UID, id, nameBytes(name), 0);
  names.store();
  return { database, names };
}

const rangesOf = (name: string): number[] =>
  ORDERS.filter(([each]) => each === name).map(([, id]) => rangeOf(id));

test('[VIEW-10] a name leads to every range with an order of it, oldest first', () => {
  const { names } = stored();
  for (const name of ['first', 'second', 'third', 'none'])
    expect(names.rangesOf(UID, name)).toEqual(rangesOf(name));
});

test('[VIEW-10] names in eras of 64 ranges are found after the migration to eras of 8', async () => {
  const { database, names } = stored();
  const numbers = database.prepare('select number from order_names').all([]) as readonly {
    readonly number: number;
  }[];
  database.exec('delete from order_names');
  for (const { number } of numbers) {
    const [hash, range] = [
      Math.floor(number / 8) % HASHES,
      Math.floor(number / (8 * HASHES)) * 8 + (number % 8),
    ];
    const before = (Math.floor(range / 64) * HASHES + hash) * 64 + (range % 64);
    database.prepare('insert into order_names (number) values (?)').run([before]);
  }
  expect(names.rangesOf(UID, 'third')).not.toEqual(rangesOf('third'));

  await shortenEras.up(
    new Kysely<Record<string, Record<string, unknown>>>({
      dialect: new SqliteDialect({ database }),
    }) as AnyKysely,
  );
  for (const name of ['first', 'second', 'third', 'none'])
    expect(names.rangesOf(UID, name)).toEqual(rangesOf(name));
});

test('[VIEW-10] each of many names that are stored together leads to its range', () => {
  const { names } = stored();
  const [count, range] = [1_203, 5];
  for (let order = 0; order < count; order++)
    names.add(UID, range * RANGE_IDS + order, nameBytes(`n${order}`), 0);
  names.store();
  const lost = Array.from({ length: count }, (_, order) => `n${order}`).filter(
    (name) => names.rangesOf(UID, name)[0] !== range,
  );
  expect(lost).toEqual([]);
});

/** One order in each of ten thousand eras: some five billion ids. */
test('[VIEW-10] a name is found in the first era and after ten thousand others', () => {
  const { database, names } = stored();
  const [eras, rangesPerEra] = [10_000, 8];
  const others = Array.from({ length: eras }, (_, era) => era * HASHES * rangesPerEra);
  database
    .prepare('insert into order_names (number) select value from json_each(?)')
    .run([JSON.stringify(others)]);
  names.add(UID, eras * rangesPerEra * RANGE_IDS, nameBytes('first'), 0);
  names.store();

  expect(names.rangesOf(UID, 'first')).toEqual([...rangesOf('first'), eras * rangesPerEra]);
});
