/**
 * Examples for documents: the example of a row, or a plausible value for each schema by the name of
 * its field.
 */
import type { Endpoint } from './endpoint.ts';
import type { JsonSchema } from './schema.ts';

export type Example =
  | string
  | number
  | boolean
  | null
  | readonly Example[]
  | { readonly [name: string]: Example };

/** The first match wins, so the narrow patterns come first. */
const byName: readonly (readonly [pattern: RegExp, value: string])[] = [
  [/^(?:uid|traderId|parentUid)$/, '1000000001'],
  [/symbol$/i, 'BTCUSDT'],
  [/^coinId$/, '1'],
  [/^(?:baseCoin)$/, 'BTC'],
  [/coin$/i, 'USDT'],
  [/clientOid$/i, 'my-order-1'],
  [/^(?:chain)$/, 'ERC20'],
  [/Url$/, ''],
  [/address$/i, '0x52908400098527886E0F7030069857D2E4169EE7'],
  [/time$/i, '1789000000000'],
  [/^(?:now|wall|to|date|time)$/, '1789000000000'],
  [/^(?:offsetMs|advanceMs)$/, '3600000'],
  [/(?:id|cursor|trackingNo|idLessThan|idGreaterThan)$/i, '1000000000000000042'],
  [/leverage|lever$/i, '10'],
  [/triggerPrice$/i, '59000'],
  [/(?:price|priceAvg|index|mark)$/i, '60000'],
  [/rate|ratio|mmr/i, '0.0006'],
  [/precision|place|scale/i, '2'],
  [/email/i, 'alice@example.org'],
  [/^stateHash$/, '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef'],
  [/^code$/, '00000'],
  [/^msg$/, 'success'],
  [/^apiKey$/, 'rk_4f0c2a9d'],
  [/^(?:name|firstName|lastName|companyName)$/, 'alice'],
  [/size|qty|amount|available|total|balance|equity|volume|num/i, '0.01'],
];

const scalarExample = (name: string): string | undefined =>
  byName.find(([pattern]) => pattern.test(name))?.[1];

const typeOf = (schema: JsonSchema): string | undefined =>
  Array.isArray(schema.type) ? schema.type[0] : (schema.type as string | undefined);

/** The example request in the documents: that of the row, or its required fields. */
export const requestExample = (row: Endpoint): Example =>
  (row.example as Example | undefined) ?? exampleOf(row.request.schema, '', true);

/** A value that satisfies the schema. `requiredOnly` omits optional fields. */
export function exampleOf(schema: JsonSchema, name = '', requiredOnly = false): Example {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0] ?? '';
  switch (typeOf(schema)) {
    case 'object':
      return objectExample(schema, requiredOnly);
    case 'array':
      return schema.items === undefined
        ? []
        : Array.from({ length: schema.minItems ?? 1 }, () =>
            exampleOf(schema.items!, name, requiredOnly),
          );
    case 'integer':
      return name === 'uid' ? 1_000_000_001 : 42;
    case 'number':
      return 0.1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return scalarExample(name) ?? (schema.examples?.[0] as string | undefined) ?? '0';
  }
}

function objectExample(
  { properties = {}, required = [] }: JsonSchema,
  requiredOnly: boolean,
): Example {
  const shown = Object.entries(properties).filter(
    ([name]) => !requiredOnly || required.includes(name),
  );
  return Object.fromEntries(
    shown.map(([name, schema]) => [name, exampleOf(schema, name, requiredOnly)]),
  );
}
