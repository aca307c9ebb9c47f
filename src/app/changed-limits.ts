/**
 * Reads rate limits from a file: an object of paths, each with its accepted calls per second or
 * `off`.
 */
import { readFileSync } from 'node:fs';
import type { Endpoint } from '../contract/endpoint.ts';
import { publicEndpoints } from '../contract/endpoints.ts';
import type { ChangedLimits } from '../gateway/http/routes.ts';
import { BadSetting, type Settings } from './settings.ts';

/** Bounds memory: every call of the last second is remembered. */
const PER_SECOND_MAX = 10_000;

const limitedRows: readonly Endpoint[] = Object.values(
  publicEndpoints as Readonly<Record<string, Endpoint>>,
).filter(({ limit }) => limit !== undefined);

function readObject(file: string): Readonly<Record<string, unknown>> {
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new BadSetting(
      `the limits in ${file} cannot be read: ${(error as Error).message.replaceAll('\n', ' ')}`,
    );
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new BadSetting(`${file} is not an object of paths and limits`);
  return read as Readonly<Record<string, unknown>>;
}

const isLimit = (input: unknown): input is number | 'off' =>
  input === 'off' ||
  (typeof input === 'number' &&
    Number.isSafeInteger(input) &&
    input >= 1 &&
    input <= PER_SECOND_MAX);

/** Empty if the limits are those of the contract or are off altogether. */
export function changedLimits({ limits }: Pick<Settings, 'limits'>): ChangedLimits {
  const changed = new Map<string, number | 'off'>();
  if (limits === 'on' || limits === 'off') return changed;
  for (const [path, limit] of Object.entries(readObject(limits))) {
    const row = limitedRows.find((each) => each.path === path || each.aliases?.includes(path));
    if (row === undefined) throw new BadSetting(`${limits}: ${path} is not a call with a limit`);
    if (!isLimit(limit))
      throw new BadSetting(
        `${limits}: the limit of ${path} is a whole number from 1 to ${PER_SECOND_MAX}, or "off"`,
      );
    changed.set(row.path, limit);
  }
  return changed;
}
