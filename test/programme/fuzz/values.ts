/**
 * Random values for fields, drawn by the schema of the field: valid ones, borders, and invalid
 * ones.
 */
import { exampleOf } from '../../../src/contract/examples.ts';
import type { JsonSchema } from '../../../src/contract/schema.ts';
import type { Random } from '../../../src/kernel/random.ts';

export type Quality = 'right' | 'border' | 'wrong';

/** A drawn value, as query text and as a JSON token. */
export interface Drawn {
  readonly text: string;
  readonly json: string;
}

/** Ids and uids known from answers. */
export interface Known {
  readonly ids: readonly string[];
  readonly uids: readonly string[];
}

const input = (text: string): Drawn => ({ text, json: JSON.stringify(text) });
const token = (json: string): Drawn => ({ text: json, json });

const SYMBOLS = ['BTCUSDT', 'ETHUSDT', 'BTCUSD', 'BTCPERP', 'btcusdt', 'SOLUSDT'] as const;
const COINS = ['USDT', 'BTC', 'ETH', 'USDC'] as const;
const PRICES = ['50000', '59990', '60000', '60010', '61000', '65000'] as const;
const SIZES = ['0.001', '0.01', '0.1', '1', '5', '10'] as const;

const BORDER_DECIMALS = [
  input('0'),
  input('0.0000000001'),
  input('0.00000000001'),
  input('99999999999999999999'),
  input('999999999999999999999'),
  input('0.123456789012345678'),
  input('0.1234567890123456789'),
  input('1.0000000000'),
  input('007'),
  token('1e-8'),
  token('0.00000001'),
  token('12345678901234567890'),
  token('1E2'),
  token('0'),
] as const;

/**
 * Signs, exponents, digits of other scripts, other types, and text that some languages parse as
 * numbers.
 */
const WRONG_DECIMALS = [
  input('-1'),
  input('+1'),
  input('1e5'),
  input(' 1'),
  input('1,000'),
  input('1_000'),
  input('.5'),
  input('5.'),
  input('0x10'),
  input('NaN'),
  input('Infinity'),
  input('١٢٣'),
  input('１２３'),
  input('१२३'),
  input('1\u0000'),
  input('−1'),
  token('-1'),
  token('1e400'),
  token('-0'),
  token('true'),
  token('[]'),
  token('{}'),
  token('[1]'),
] as const;

const WRONG_TEXTS = [
  input('\u202e'),
  input('a\u0000b'),
  input('x'.repeat(300)),
  input('../../etc/passwd'),
  input("' OR 1=1 --"),
  input('<script>'),
  input('\ud83d\ude00'),
  token('false'),
  token('{"a":1}'),
  token('["a"]'),
  token('1e999'),
] as const;

const BORDER_TEXTS = [
  input(''),
  token('null'),
  input('a'),
  input('x'.repeat(32)),
  input('x'.repeat(33)),
  input('x'.repeat(256)),
  token('0'),
] as const;

const isDecimal = ({ format }: JsonSchema): boolean => format === 'decimal';
const isTime = ({ format }: JsonSchema): boolean => format === 'unix-ms';

function rightText(schema: JsonSchema, name: string, random: Random, known: Known): string {
  if (schema.enum !== undefined) {
    const word = String(random.pick(schema.enum));
    return random.below(5) === 0 ? word.toUpperCase() : word;
  }
  if (isDecimal(schema)) return random.pick(/price|index|mark/i.test(name) ? PRICES : SIZES);
  if (isTime(schema)) return String(Date.now() - random.below(40 * 86_400_000));
  if (/symbol/i.test(name)) return random.pick(SYMBOLS);
  if (/coin$/i.test(name)) return random.pick(COINS);
  if (/clientoid/i.test(name)) return `fuzz-${random.below(300)}`;
  if (/uid|traderId/i.test(name) && known.uids.length > 0) return random.pick(known.uids);
  if (/id$|idLessThan|idGreaterThan|cursor|trackingNo/i.test(name) && known.ids.length > 0)
    return random.pick(known.ids);
  if (/limit|pageSize|pageNo/i.test(name)) return String(1 + random.below(100));
  const example = exampleOf(schema, name);
  return typeof example === 'string' ? example : JSON.stringify(example);
}

function scalar(
  schema: JsonSchema,
  name: string,
  quality: Quality,
  random: Random,
  known: Known,
): Drawn {
  if (quality === 'border')
    return random.pick(isDecimal(schema) || isTime(schema) ? BORDER_DECIMALS : BORDER_TEXTS);
  if (quality === 'wrong')
    return random.pick(
      isDecimal(schema) || isTime(schema) || random.below(2) === 0 ? WRONG_DECIMALS : WRONG_TEXTS,
    );
  if (schema.type === 'boolean') return token(random.pick(['true', 'false']));
  if (schema.type === 'integer') return token(String(random.pick(schema.enum ?? [1, 42])));
  const text = rightText(schema, name, random, known);
  // A number for a text field is accepted by its digits.
  return isDecimal(schema) && random.below(5) === 0 ? token(text) : input(text);
}

function list(
  schema: JsonSchema,
  name: string,
  quality: Quality,
  random: Random,
  known: Known,
): Drawn {
  if (quality === 'wrong' && random.below(2) === 0)
    return random.pick([token('{}'), input('[]'), token('[null]'), token('[[[]]]')]);
  const most = schema.maxItems ?? 3;
  const count = quality === 'border' ? random.pick([0, 1, most, most + 1]) : 1 + random.below(3);
  const items = Array.from(
    { length: count },
    () =>
      draw(schema.items ?? {}, name, quality === 'wrong' ? 'wrong' : 'right', random, known).json,
  );
  return token(`[${items.join(',')}]`);
}

/**
 * How often out of ten a field is drawn. Some rarely fit a valid call; fields without a row have
 * three.
 */
const OUT_OF_TEN: Readonly<Record<string, number>> = {
  price: 9,
  posSide: 2,
  tradeSide: 3,
  marginMode: 1,
  reduceOnly: 1,
  stpMode: 1,
  timeInForce: 3,
  force: 3,
  startTime: 1,
  endTime: 1,
  idLessThan: 1,
  cursor: 1,
  presetStopSurplusPrice: 0,
  presetStopLossPrice: 0,
  orderIdList: 2,
  orderId: 6,
};
const isDrawn = (name: string, random: Random): boolean =>
  random.below(10) < (OUT_OF_TEN[name] ?? 3);

/** Names that fit together: a category, one of its symbols, its margin coin. */
const MARKETS = [
  ['USDT-FUTURES', 'BTCUSDT', 'USDT'],
  ['USDT-FUTURES', 'ETHUSDT', 'USDT'],
  ['COIN-FUTURES', 'BTCUSD', 'BTC'],
  ['USDC-FUTURES', 'BTCPERP', 'USDC'],
  ['SPOT', 'BTCUSDT', 'USDT'],
  ['MARGIN', 'BTCUSDT', 'USDT'],
] as const;

/** Gives a valid call names that fit together. */
function agree(fields: Map<string, Drawn>, schema: JsonSchema, random: Random): void {
  const name = ['category', 'productType'].find((each) => fields.has(each));
  const offered = MARKETS.filter(
    ([category]) =>
      name === undefined || (schema.properties?.[name]?.enum ?? [category]).includes(category),
  );
  if (offered.length === 0) return;
  const [category, symbol, coin] = random.pick(offered);
  if (name !== undefined) fields.set(name, input(category));
  if (fields.has('symbol')) fields.set('symbol', input(symbol));
  if (fields.has('marginCoin')) fields.set('marginCoin', input(coin));
}

/**
 * Draws the fields of an object: all required ones and some others. At most one field has a wrong
 * value.
 */
export function drawFields(
  schema: JsonSchema,
  quality: Quality,
  random: Random,
  known: Known,
): ReadonlyMap<string, Drawn> {
  const names = Object.keys(schema.properties ?? {});
  const odd = quality === 'right' || names.length === 0 ? undefined : random.pick(names);
  const drawn = new Map<string, Drawn>();
  for (const name of names) {
    const field = schema.properties![name]!;
    const isAsked =
      schema.required?.includes(name) === true || name === odd || isDrawn(name, random);
    // Leaving out a required field is a wrong value as well.
    if (!isAsked || (name === odd && quality === 'wrong' && random.below(6) === 0)) continue;
    drawn.set(name, draw(field, name, name === odd ? quality : 'right', random, known));
  }
  if (quality === 'right' && random.below(4) > 0) agree(drawn, schema, random);
  return drawn;
}

export const objectJson = (fields: ReadonlyMap<string, Drawn>): string =>
  `{${[...fields].map(([name, { json }]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;

export function draw(
  schema: JsonSchema,
  name: string,
  quality: Quality,
  random: Random,
  known: Known,
): Drawn {
  if (schema.type === 'array') return list(schema, name, quality, random, known);
  if (schema.type === 'object') {
    if (quality === 'wrong' && random.below(4) === 0)
      return random.pick([token('[]'), input('{}'), token('1')]);
    return token(objectJson(drawFields(schema, quality, random, known)));
  }
  return scalar(schema, name, quality, random, known);
}
