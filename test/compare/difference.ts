/** Finds the first difference between two plain values whose names may have changed. */
import type { Place } from './renames.ts';

type Fields = Readonly<Record<string, unknown>>;
interface Table extends Iterable<readonly [unknown, unknown]> {
  readonly size: number;
}

const LENGTH_MAX = 160;

function textOf(value: unknown): string {
  const text = JSON.stringify(value, (_, item: unknown) => {
    if (typeof item === 'bigint') return `${item}n`;
    return item instanceof Map || item instanceof Set ? [...item] : item;
  });
  if (text === undefined) return 'nothing';
  return text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)}…` : text;
}

const became = (old: unknown, renewed: unknown): string =>
  `: ${textOf(old)} became ${textOf(renewed)}`;

/** A map, a set, or a table of ids. */
const isTable = (value: object): value is Table => 'size' in value && Symbol.iterator in value;

/**
 * The place and kind of the difference, as `.fill.fee: 12 became 13`; undefined if they are equal
 * up to names.
 */
export function difference(place: Place, old: unknown, renewed: unknown): string | undefined {
  if (typeof old === 'string' && typeof renewed === 'string')
    return place.isSameWord(old, renewed) ? undefined : became(old, renewed);
  if (typeof old !== 'object' || typeof renewed !== 'object' || old === null || renewed === null)
    return Object.is(old, renewed) ? undefined : became(old, renewed);
  if (Array.isArray(old) && Array.isArray(renewed)) return differenceOfLists(place, old, renewed);
  if (isTable(old) && isTable(renewed))
    return differenceOfLists(place.below('[]'), [...old], [...renewed]);
  return differenceOfObjects(place, old as Fields, renewed as Fields);
}

function differenceOfLists(
  place: Place,
  old: readonly unknown[],
  renewed: readonly unknown[],
): string | undefined {
  const shared = Math.min(old.length, renewed.length);
  for (let at = 0; at < shared; at++) {
    const found = difference(place, old[at], renewed[at]);
    if (found !== undefined) return `[${at}]${found}`;
  }
  if (old.length === renewed.length) return undefined;
  return `[${shared}]${became(old[shared], renewed[shared])}`;
}

/**
 * The field with the kind of the thing. Things of different kinds in one place, such as events,
 * have separate field names.
 */
const kindField = (value: Fields): string | undefined =>
  ['type', 'kind'].find((name) => typeof value[name] === 'string');

const definedKeys = (value: Fields): string[] =>
  Object.keys(value).filter((key) => value[key] !== undefined);

/** Matches fields by name, then by the known renames here, then by their order. */
function differenceOfObjects(around: Place, old: Fields, renewed: Fields): string | undefined {
  const kind = kindField(old);
  const place = kind === undefined ? around : around.below(String(old[kind]));
  const unmatched: string[] = [];
  const left = new Set(definedKeys(renewed));
  for (const key of definedKeys(old)) {
    const name = place.newNameOf(key);
    if (!left.delete(name)) unmatched.push(key);
    else if (!place.isSameName(key, name))
      return `.${key} and another field have both become ${name}`;
    else {
      const found = difference((key === kind ? around : place).below(key), old[key], renewed[name]);
      if (found !== undefined) return `.${key}${found}`;
    }
  }
  const rest = [...left];
  for (const [at, key] of unmatched.entries()) {
    const name = rest[at];
    if (name === undefined) return `.${key} is missing`;
    if (!place.isSameName(key, name)) return `.${key} is missing, and .${name} is new`;
    const found = difference(place.below(key), old[key], renewed[name]);
    if (found !== undefined) return `.${key}${found}`;
  }
  return rest.length > unmatched.length ? `.${rest[unmatched.length]} is new` : undefined;
}

/**
 * The first difference of two answers: all fields but messages count, the order of an object's
 * fields does not.
 */
export function answerDifference(old: unknown, renewed: unknown): string | undefined {
  if (typeof old !== 'object' || typeof renewed !== 'object' || old === null || renewed === null)
    return Object.is(old, renewed) ? undefined : became(old, renewed);
  const keys = new Set([...Object.keys(old), ...Object.keys(renewed)]);
  for (const key of keys) {
    if (key === 'msg' || key === 'errorMsg') continue;
    const found = answerDifference((old as Fields)[key], (renewed as Fields)[key]);
    if (found !== undefined) return `${Array.isArray(old) ? `[${key}]` : `.${key}`}${found}`;
  }
  return undefined;
}
