/**
 * A world file: the content of an exchange at its first start. The same fields read it, refuse it
 * by name, and describe it.
 */

import type { DecimalText } from '../kernel/decimal-text.ts';
import { ok, refuse } from '../kernel/result.ts';
import { readSpan, SPAN } from '../kernel/spans.ts';
import { RECORDINGS_MAX, SCENES_MAX } from '../messages/bounds.ts';
import { RECORDING_USES } from '../messages/recordings.ts';
import * as field from './fields.ts';
import {
  type Decoded,
  type Field,
  type Fields,
  type FieldValues,
  readerOf,
} from './fields-reader.ts';
import * as identifier from './identifier-fields.ts';
import { coinListing, instrumentListing } from './listing-fields.ts';
import * as number from './number-fields.ts';
import { isAbsent, isRawObject, type Raw } from './raw.ts';
import type { JsonSchema } from './schema.ts';
import { closed, unknownName } from './unknown-names.ts';
import { wireRejection } from './wire-rejections.ts';
import {
  affiliationWords,
  categoryWords,
  levelWords,
  positionModeWords,
  sceneWords,
} from './wire-words.ts';

/** More than a person writes by hand. A larger population comes over the operator API. */
const WORLD_USERS_MAX = 10_000;
const LISTINGS_MAX = 1_000;
const SYMBOLS_MAX = 1_000;
const NAME_LENGTH_MAX = 64;

const WORLD_NAME = /^[a-z][a-z0-9-]{0,31}$/;
const worldName = field.scalar({ type: 'string', pattern: WORLD_NAME.source }, (input) =>
  WORLD_NAME.test(input) ? input : undefined,
);
const userName = (description: string) => field.describe(description, field.text(NAME_LENGTH_MAX));

/** Values by a name that is not fixed: amounts by coin. */
function tableOf<Value, Wire>(
  value: Field<Value, Wire>,
): Field<ReadonlyMap<string, Value>, Readonly<Record<string, Wire>>> {
  const key = identifier.coin();
  return {
    schema: { type: 'object', additionalProperties: value.schema },
    required: true,
    decode: (raw, name) => {
      if (isAbsent(raw)) return refuse(wireRejection('fieldMissing', name));
      if (!isRawObject(raw)) return refuse(wireRejection('fieldInvalid', name));
      const values = new Map<string, Value>();
      for (const [input, part] of raw) {
        const named = key.decode(input, `${name}.${input}`);
        const decoded = value.decode(part, `${name}.${input}`);
        if (!named.ok) return named;
        if (!decoded.ok) return decoded;
        if (values.has(named.value))
          return refuse(
            wireRejection('fieldInvalid', `${name}.${input}`, `${named.value} is named twice`),
          );
        values.set(named.value, decoded.value);
      }
      return ok(values);
    },
  };
}

const key = {
  apiKey: field.describe('API key', field.text()),
  secretKey: field.describe('Secret that signs requests', field.text()),
  passphrase: field.describe('Passphrase', field.text()),
};

const user = {
  name: userName('Name, which other entries and `credentials.json` use'),
  email: field.describe(
    'E-mail; derived from the name when left out',
    field.optional(field.text()),
  ),
  level: field.describe('Fee level', field.withDefault(field.words(levelWords), 'VIP0', 'VIP0')),
  holdMode: field.describe(
    'Position mode; leaders and followers require hedge mode',
    field.optional(field.words(positionModeWords)),
  ),
  parent: field.describe(
    'Name of the master account, for a sub-account',
    field.optional(field.text(NAME_LENGTH_MAX)),
  ),
  agent: field.describe(
    'Name of the agent that referred the user',
    field.optional(field.text(NAME_LENGTH_MAX)),
  ),
  balances: field.describe('Amounts by coin', field.optional(tableOf(number.decimal()))),
  key: field.describe(
    'API key of the user; a random one when left out',
    field.optional(field.objectOf(key)),
  ),
};

const trader = {
  user: userName('Name of the user'),
  profitShare: field.describe(
    'Share of a follower’s profit; 0.1 means 10 %',
    field.withDefault(number.decimal(), '0.1' as DecimalText, '0.1'),
  ),
  symbols: field.describe(
    'Symbols that may be followed; all when left out',
    field.optional(field.listOf(identifier.symbol(), SYMBOLS_MAX, 1)),
  ),
  maxFollowers: field.describe(
    'Largest number of followers',
    field.optional(number.countUpTo(WORLD_USERS_MAX)),
  ),
};

const follower = {
  user: userName('Name of the user'),
  trader: userName('Name of the trader'),
  multiple: field.describe(
    'Size of a copy as a multiple of the trader’s size',
    field.withDefault(number.decimal(), '1' as DecimalText, '1'),
  ),
  symbols: field.describe(
    'USDT-FUTURES symbols to copy; all when left out',
    field.optional(field.listOf(identifier.symbol(), SYMBOLS_MAX, 1)),
  ),
};

const agent = {
  user: userName('Name of the user'),
  affiliationType: field.describe(
    'Channel',
    field.withDefault(field.words(affiliationWords), 'affiliate', 'affiliate'),
  ),
  spotRatio: field.describe('Share of spot fees', number.decimal()),
  futuresRatio: field.describe('Share of futures fees', number.decimal()),
  userShare: field.describe('Share that customers get back', field.optional(number.decimal())),
};

const category = field.describe('Category', field.words(categoryWords));
const symbol = field.describe('Symbol', identifier.symbol());

const maker = {
  category,
  symbol,
  depth: field.describe(
    'Multiple of the default size; 0 places no orders',
    field.withDefault(number.decimal(), '1' as DecimalText, '1'),
  ),
  spread: field.describe(
    'Multiple of the default spread',
    field.withDefault(number.decimal(), '1' as DecimalText, '1'),
  ),
};

const scene = {
  atMs: field.describe('Delay after the first start', number.milliseconds()),
  scene: field.describe('Scene to play', field.words(sceneWords)),
  category,
  symbol,
  percent: field.describe(
    'Price change in percent, from -90 to 100; negative is down',
    field.optional(number.signedDecimal()),
  ),
  durationMs: field.describe('Duration', field.optional(number.milliseconds())),
  file: field.describe(
    'File of prices for `feed`, relative to the world file',
    field.optional(field.text()),
  ),
};

const recording = {
  file: field.describe(
    'CSV or JSON file of candles or trades, relative to the world file',
    field.text(),
  ),
  symbol,
  category: field.describe(
    'Category; when left out, each category that lists the symbol',
    field.optional(field.words(categoryWords)),
  ),
  as: field.describe(
    '`past` for the time before the first start, `path` for the price after it, or both',
    field.withDefault(field.sameWords(RECORDING_USES), 'past', 'past'),
  ),
  divide: field.describe(
    'Time of the file that corresponds to the first start (ms): the past is before it, the path after it',
    field.optional(number.timestamp()),
  ),
  columns: field.describe(
    'Names of the columns, such as `time,open,high,low,close,volume`',
    field.optional(field.text()),
  ),
};

/** A list that is empty by default. */
function many<Table extends Fields>(about: string, table: Table, max: number) {
  const list = field.describe(about, field.listOf(field.objectOf(table), max));
  const decode: typeof list.decode = (raw, name) =>
    isAbsent(raw) ? ok([]) : list.decode(raw, name);
  return { ...list, required: false, decode };
}

const span = field.scalar({ type: 'string', pattern: SPAN.source, examples: ['30d'] }, readSpan);

const worldFields = {
  name: field.describe('Its name', field.withDefault(worldName, 'own', 'own')),
  market: field.describe(
    'Whether the simulated market runs',
    field.withDefault(field.onOrOff(), true, 'on'),
  ),
  defaults: field.describe(
    'Whether the world includes the default coins, instruments and prices',
    field.withDefault(field.flag(), true, true),
  ),
  past: field.describe(
    'Market history before the first start, such as 30d or 12h; 0 for none',
    field.withDefault(span, 0, '0'),
  ),
  coins: many('Coins to list or to change', coinListing, LISTINGS_MAX),
  instruments: many('Instruments to list or to change', instrumentListing, LISTINGS_MAX),
  prices: field.describe('Index prices in USD by coin', field.optional(tableOf(number.decimal()))),
  users: many('Users, ordered by uid', user, WORLD_USERS_MAX),
  traders: many('Leaders in copy trading', trader, WORLD_USERS_MAX),
  followers: many('Followers in copy trading', follower, WORLD_USERS_MAX),
  agents: many('Agents', agent, WORLD_USERS_MAX),
  makers: many('Books with other settings than the default', maker, LISTINGS_MAX),
  recordings: many(
    'Recorded market data, imported before the market opens',
    recording,
    RECORDINGS_MAX,
  ),
  scenes: many('Scenes of the simulated market, by time', scene, SCENES_MAX),
};

export type WorldFile = FieldValues<typeof worldFields>;

/** The schema of the file, for editors and readers. */
export const worldSchema = (): JsonSchema => ({
  ...closed(field.objectSchema(worldFields)),
  description: 'A world for `--world FILE`',
});

export const readWorld = (raw: Decoded<Raw>): Decoded<WorldFile> => {
  if (!raw.ok) return raw;
  if (!isRawObject(raw.value)) return refuse(wireRejection('malformedRequest'));
  const unknown = unknownName(field.objectSchema(worldFields), raw.value);
  if (unknown !== undefined)
    return refuse(wireRejection('fieldInvalid', unknown.place, unknown.remark));
  return readerOf(worldFields)(raw.value);
};
