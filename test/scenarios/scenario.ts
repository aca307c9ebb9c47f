/**
 * Plays stories that are written as tables. A line is an action and, after a bar, what it causes:
 *
 *   alice  deposits  10000 USDT           | alice has 10000 USDT
 *   index  BTC       60000                | mark BTCUSDT 60000
 *
 *   alice  buys      1 BTCUSDT at 60000   | rests
 *   bob    sells     1 BTCUSDT at market  | filled, trades 1 at 60000
 *                                         | alice is long 1 BTCUSDT at 60000
 *   clock  advances  8h
 *
 * Commas separate expectations. A line that starts with a bar adds expectations to the line above.
 *
 * An action must be accepted unless an expectation is `refused`. The first mention of a name
 * creates the user. The default coins and instruments are listed from the start. After the last
 * line the audit runs, and the commands are executed again, which must give the same state.
 *
 * A new phrase is a row in `actions.ts` or `expectations.ts`; phrases of trading are in
 * `trading-actions.ts` and `trading-expectations.ts`.
 */
import { expect } from 'vitest';
import { createEngine, type Engine, type Executed } from '../../src/core/engine.ts';
import { ByteReader, ByteWriter } from '../../src/kernel/bytes.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import { DEFAULT_COINS } from '../../src/listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../../src/listings/default-instruments.ts';
import { readCommand, writeCommand } from '../../src/messages/command-codec.ts';
import type { Command } from '../../src/messages/commands.ts';
import { ACTIONS } from './actions.ts';
import { EXPECTATIONS } from './expectations.ts';
import { OrderRecords } from './order-records.ts';
import { type Phrase, refusalOf } from './phrases.ts';

/** Wednesday, 1 January 2025, 00:00 UTC. It is 08:00 in UTC+8, where settlement days begin. */
export const STORY_START = 1_735_689_600_000 as Timestamp;

export interface World {
  readonly engine: Engine;
  /** The wall clock; `wall passes` moves it. */
  wall: Timestamp;
  readonly users: Map<string, Uid>;
  /** Every order so far, as events described it. */
  readonly orders: OrderRecords;
  /** Result of the last command of the current line; undefined before its first command. */
  last: Executed | undefined;
  /** All commands so far with their times, as in a journal. */
  readonly submitted: { readonly command: Command; readonly at: Timestamp }[];
  submit(command: Command): Executed;
  /** The user of that name; the first call creates it. */
  uid(name: string): Uid;
}

export function createWorld(): World {
  const engine = createEngine();
  const users = new Map<string, Uid>();
  const submitted: World['submitted'] = [];
  const orders = new OrderRecords();
  const world: World = {
    engine,
    orders,
    wall: STORY_START,
    users,
    last: undefined,
    submitted,
    submit: (command) => {
      const at = engine.exchangeTime(world.wall);
      submitted.push({ command, at });
      const executed = engine.execute(command, at);
      for (const event of executed.events) orders.take(event);
      return executed;
    },
    uid: (name) => {
      const known = users.get(name);
      if (known !== undefined) return known;
      const { outcome } = world.submit({
        type: 'createUser',
        name,
        level: 'VIP0',
        positionMode: 'oneWay',
      });
      if (!outcome.ok) throw new Error(`${name} could not be created: ${outcome.refusal.reason}`);
      const { uid } = outcome.value as { uid: Uid };
      users.set(name, uid);
      return uid;
    },
  };
  for (const coin of DEFAULT_COINS) world.submit({ type: 'listCoin', coin });
  for (const instrument of DEFAULT_INSTRUMENTS)
    world.submit({ type: 'listInstrument', instrument });
  return world;
}

function say(world: World, phrases: readonly Phrase[], text: string, line: string): void {
  const meant = phrases.find(({ pattern }) => pattern.test(text));
  if (meant === undefined) throw new Error(`no phrase for: ${text}`);
  try {
    meant.say(world, ...meant.pattern.exec(text)!.slice(1));
  } catch (failure) {
    if (failure instanceof Error)
      failure.message = `${failure.message}\n  at: ${line}\n  said: ${text}`;
    throw failure;
  }
}

/** A story cut into lines; lines that start with a bar stay with the line above. */
const linesOf = (story: string): string[] =>
  story
    .split(/\n(?!\s*\|)/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

function playLine(world: World, line: string): void {
  const [action = '', ...rest] = line.split('|').map((part) => part.trim().replace(/\s+/g, ' '));
  if (action === '') throw new Error(`no action before: ${line}`);
  const expected = rest
    .join(',')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  world.last = undefined;
  say(world, ACTIONS, action, line);
  const last = world.last as Executed | undefined;
  if (last !== undefined && !expected.some((part) => part.startsWith('refused'))) {
    expect(refusalOf(last) ?? 'accepted', line).toBe('accepted');
  }
  for (const part of expected) say(world, EXPECTATIONS, part, line);
}

/** The command after it was written to bytes and read back, as from a journal. */
export function throughBytes(command: Command): Command {
  const writer = new ByteWriter();
  writeCommand(writer, command);
  return readCommand(new ByteReader(writer.view()));
}

/** The audit finds nothing, and executing the commands again gives the same state. */
export function checkRun({ engine, submitted }: World): void {
  const { coins, violations } = engine.audit();
  expect(violations).toEqual([]);
  expect(coins.filter(({ difference }) => difference !== 0n)).toEqual([]);
  const again = createEngine();
  for (const { command, at } of submitted) again.execute(throughBytes(command), at);
  expect(again.stateHash()).toBe(engine.stateHash());
  expect(again.digest()).toBe(engine.digest());
}

/** Plays a story and checks it. Returns the world for further expectations. */
export function scenario(story: string, world = createWorld()): World {
  for (const line of linesOf(story)) playLine(world, line);
  checkRun(world);
  return world;
}
