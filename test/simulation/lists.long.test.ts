/**
 * Compares every list of the contract with a model: a plain array, filtered, sorted and sliced.
 * Asks while rows are in memory, after they are stored, after each kind of start, and during
 * commands.
 */
import { expect, test } from 'vitest';
import { Inquiry } from '../../model/lists/inquiry.ts';
import { LISTS } from '../../model/lists/lists.ts';
import { askThroughStarts } from '../../model/lists/starts.ts';
import { operatorEndpoints, publicEndpoints } from '../../src/contract/endpoints.ts';
import { seededRandom } from '../../src/kernel/random.ts';

const SEEDS = [1, 27];
const LENGTH = { firstSteps: 600, steps: 150 };
const QUESTIONS = 5;
const SINGLE_READS = 20;
const RACES = 1;

const inquireInto = (seed: number, counts: Map<string, number>): Promise<void> =>
  askThroughStarts(seed, LENGTH, (run, program) => {
    const inquiry = new Inquiry(run, program, seededRandom(seed).fork('questions'), counts);
    return async () => {
      for (const list of LISTS) await inquiry.questions(list, QUESTIONS);
      for (let count = 0; count < SINGLE_READS; count++) await inquiry.singleReads();
      for (let count = 0; count < RACES; count++) await inquiry.race(LISTS);
      await inquiry.walk(LISTS);
    };
  });

test('[LIST-01][LIST-02][LIST-03][LIST-05][LIST-07][LIST-08][LIST-09][LIST-10][LIST-11][LIST-12][LIST-13][LIST-20][LIST-21][LIST-22][VIEW-10][VIEW-31][VIEW-32][VIEW-36] every list equals the model, filtered, sorted and cut, on any page', async () => {
  const counts = new Map<string, number>();
  for (const seed of SEEDS) await inquireInto(seed, counts);

  const filters = LISTS.flatMap(({ name, filters: optional, needed = [] }) =>
    [...optional, ...needed].map((filter) => `${name} by ${filter}`),
  );
  const pages = LISTS.flatMap(({ name, older, newer, page, size: [size] }) =>
    [older, newer, page, size].flatMap((each) => (each === undefined ? [] : `${name} by ${each}`)),
  );
  const times = LISTS.flatMap(({ name, window }) =>
    window === undefined ? [] : [`${name} by startTime`, `${name} by endTime`],
  );
  const walks = LISTS.flatMap(({ name, older }) => (older === undefined ? [] : `${name} walked`));
  const refusals = ['40020', '40029', '40053', '40705', '40707', '40732', '40913', '70008'].map(
    (code) => `refused with ${code}`,
  );
  const singles = [
    'getOrder',
    'getFuturesOrder',
    'getSpotOrder',
    'listTriggerSubOrders',
    'getAllPositions',
    'getCurrentPositions',
  ];
  const rest = [
    'row exactly at the start',
    'row exactly at the end',
    'rows with equal times',
    'old row still open',
    'old row queried by name',
    'raced, as before',
    'raced, as after',
  ];
  const reached = [
    ...LISTS.map(({ name }) => `${name} rows`),
    ...filters,
    ...pages,
    ...times,
    ...walks,
    ...refusals,
    ...singles.map((name) => `${name} shown`),
    ...rest,
  ];
  expect(reached.filter((what) => !counts.has(what))).toEqual([]);
});

test('[LIST-07] every endpoint with pages of rows is covered', () => {
  const endpoints = Object.entries({ ...publicEndpoints, ...operatorEndpoints });
  const paged = endpoints
    .filter(([, { request }]) => 'limit' in request.fields || 'pageSize' in request.fields)
    .map(([name]) => name);
  const asked: readonly string[] = LISTS.map(({ name }) => name);
  // Books and candles have no single rows.
  const isOfFigures = (name: string): boolean => /Depth|Book|Candles/.test(name);
  // The crowd places no spot triggers (VIEW-70 has its own tests), and the user list pages by uid
  // (OPR-45).
  const elsewhere = ['listOpenSpotTriggerOrders', 'listSpotTriggerOrderHistory', 'listUsers'];
  const left = paged.filter((name) => !asked.includes(name) && !isOfFigures(name));
  expect(left.toSorted()).toEqual(elsewhere);
});
