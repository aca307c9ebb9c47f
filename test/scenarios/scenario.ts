/**
 * Stories as tables. Each line is something that is done, and after a bar what follows from it:
 *
 *   alice  deposits  10000 USDT   | alice has 10000 USDT
 *   index  BTC       60000        | mark BTCUSDT 60000
 *   alice  buys      1 BTCUSDT at 60000   | rests
 *   bob    sells     1 BTCUSDT at market  | filled, trades 1 at 60000, alice is long 1 BTCUSDT at 60000
 *   clock  advances  8h
 *
 * A line without `refused` must be accepted. Users exist from their first mention, the default
 * coins and instruments from the start. After the last line the whole life is audited and executed
 * again, which must end in the same state. New phrases are rows in `actions.ts` and
 * `expectations.ts`, those of trading in files of their own.
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

/** 1 January 2025, 00:00 UTC: a Wednesday, eight in the morning where settlement days begin. */
export const STORY_START = 1_735_689_600_000 as Timestamp;

export interface World {
  readonly engine: Engine;
  /** The wall clock, which a story moves by `wall passes`. */
  wall: Timestamp;
  readonly users: Map<string, Uid>;
  /** Every order so far, as the events told of it. */
  readonly orders: OrderRecords;
  /** What the line's command did; undefined before the first. */
  last: Executed | undefined;
  /** All commands so far with their times, as a journal would keep them. */
  readonly lived: { readonly command: Command; readonly at: Timestamp }[];
  submit(command: Command): Executed;
  /** The user of that name, created when he was never heard of. */
  uid(name: string): Uid;
}

export function createWorld(): World {
  const engine = createEngine();
  const users = new Map<string, Uid>();
  const lived: World['lived'] = [];
  const orders = new OrderRecords();
  const world: World = {
    engine,
    orders,
    wall: STORY_START,
    users,
    last: undefined,
    lived,
    submit: (command) => {
      const at = engine.exchangeTime(world.wall);
      lived.push({ command, at });
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

function playLine(world: World, line: string): void {
  const [action = '', ...rest] = line.split('|').map((part) => part.trim().replace(/\s+/g, ' '));
  const expected = rest
    .join('|')
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

/** A command as it is after a journal: through its bytes and back. */
export function throughBytes(command: Command): Command {
  const writer = new ByteWriter();
  writeCommand(writer, command);
  return readCommand(new ByteReader(writer.view()));
}

/** Money adds up, and the life lived again from its journal ends in the same state. */
export function checkRun({ engine, lived }: World): void {
  const { coins, violations } = engine.audit();
  expect(violations).toEqual([]);
  expect(coins.filter(({ difference }) => difference !== 0n)).toEqual([]);
  const again = createEngine();
  for (const { command, at } of lived) again.execute(throughBytes(command), at);
  expect(again.stateHash()).toBe(engine.stateHash());
  expect(again.digest()).toBe(engine.digest());
}

/** Plays a story and checks it; the world as it then is can be looked at further. */
export function scenario(story: string, world = createWorld()): World {
  for (const line of story.split('\n')) if (line.trim() !== '') playLine(world, line.trim());
  checkRun(world);
  return world;
}
