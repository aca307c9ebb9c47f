/** Reads a world file, or reports its first error and its place in one line. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { wireError } from '../../contract/errors.ts';
import { readWorld, type WorldFile } from '../../contract/world.ts';
import { readJson } from '../../gateway/http/json-reader.ts';
import { BadWorld } from './bad-world.ts';

/** A referenced name that no user has. */
function danglingName(world: WorldFile): string | undefined {
  const names = new Set(world.users.map(({ name }) => name));
  const agents = new Set(world.agents.map(({ user }) => user));
  for (const [at, { parent, agent }] of world.users.entries()) {
    if (parent !== undefined && !names.has(parent))
      return `users[${at}].parent: no user is called ${parent}`;
    if (agent !== undefined && !agents.has(agent))
      return `users[${at}].agent: ${agent} is not among the agents`;
  }
  const traders = new Set(world.traders.map(({ user }) => user));
  for (const [list, rows] of Object.entries({
    traders: world.traders,
    followers: world.followers,
    agents: world.agents,
  }))
    for (const [at, { user }] of rows.entries())
      if (!names.has(user)) return `${list}[${at}].user: no user is called ${user}`;
  for (const [at, { trader }] of world.followers.entries())
    if (!traders.has(trader)) return `followers[${at}].trader: ${trader} is not among the traders`;
  return undefined;
}

/** A referred user is created before the user that names it, so cycles are refused. */
function circle({ users }: WorldFile): string | undefined {
  const named = new Map(users.map((user) => [user.name, user]));
  const made = new Set<string>();
  const reaches = (from: string, goal: string, passed: Set<string>): boolean => {
    const user = named.get(from);
    if (user === undefined || made.has(from) || passed.has(from)) return false;
    passed.add(from);
    return [user.parent, user.agent].some(
      (next) => next !== undefined && (next === goal || reaches(next, goal, passed)),
    );
  };
  for (const [at, { name, parent, agent }] of users.entries()) {
    for (const [field, next] of Object.entries({ parent, agent }))
      if (next !== undefined && (next === name || reaches(next, name, new Set())))
        return `users[${at}].${field}: ${name} refers to itself`;
    made.add(name);
  }
  return undefined;
}

/**
 * The name of each row of a list, by its place in the file. Of two rows with one name, only the
 * second would take effect.
 */
const namesIn = (
  world: WorldFile,
): Readonly<Record<string, readonly [field: string, names: readonly string[]]>> => ({
  users: ['name', world.users.map(({ name }) => name)],
  coins: ['coin', world.coins.map(({ coin }) => coin)],
  instruments: ['symbol', world.instruments.map(({ category, symbol }) => `${category} ${symbol}`)],
  traders: ['user', world.traders.map(({ user }) => user)],
  followers: ['trader', world.followers.map(({ user, trader }) => `${trader} of ${user}`)],
  agents: ['user', world.agents.map(({ user }) => user)],
  makers: ['symbol', world.makers.map(({ category, symbol }) => `${category} ${symbol}`)],
});

function namedTwice(world: WorldFile): string | undefined {
  for (const [list, [field, names]] of Object.entries(namesIn(world))) {
    const seen = new Set<string>();
    for (const [at, name] of names.entries()) {
      if (seen.has(name)) return `${list}[${at}].${field}: ${name} is named twice`;
      seen.add(name);
    }
  }
  return undefined;
}

function sharedKey({ users }: WorldFile): string | undefined {
  const keys = users.map(({ key }) => key?.apiKey);
  const at = keys.findIndex((key, place) => key !== undefined && keys.indexOf(key) !== place);
  return at < 0 ? undefined : `users[${at}].key.apiKey: another user has it`;
}

function missingDivide({ recordings }: WorldFile): string | undefined {
  const at = recordings.findIndex(({ as, divide }) => as === 'both' && divide === undefined);
  return at < 0 ? undefined : `recordings[${at}].divide: a recording used as both needs it`;
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new BadWorld(`${path} cannot be read as a world: ${(error as Error).message}`);
  }
}

export function readWorldFile(path: string): WorldFile {
  const read = readWorld(readJson(bytesOf(path)));
  if (!read.ok) {
    const { msg } = wireError(read.refusal, 'en');
    throw new BadWorld(
      `${path} is not a world: ${read.refusal.reason === 'malformedRequest' ? 'it is not valid JSON' : msg}`,
    );
  }
  const wrong =
    namedTwice(read.value) ??
    danglingName(read.value) ??
    circle(read.value) ??
    sharedKey(read.value) ??
    missingDivide(read.value);
  if (wrong !== undefined) throw new BadWorld(`${path} is not a world: ${wrong}`);
  // File names are relative to the world file.
  const scenes = read.value.scenes.map(({ file, ...scene }) => ({
    ...scene,
    file: file === undefined ? undefined : resolve(dirname(path), file),
  }));
  const recordings = read.value.recordings.map(({ file, ...recording }) => ({
    ...recording,
    file: resolve(dirname(path), file),
  }));
  return { ...read.value, recordings, scenes };
}
