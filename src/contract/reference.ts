/** The endpoints as rows of text, for the documents. */
import { type Endpoint, isInQuery } from './endpoint.ts';
import { exampleOf, requestExample } from './examples.ts';
import type { JsonSchema } from './schema.ts';
import type { ApiSurface } from './surfaces.ts';

/** A line of a table of fields. `path` is `settings[].symbol` for a field inside a list. */
export interface FieldLine {
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly standard: string | undefined;
  readonly values: readonly string[];
  readonly about: string;
}

const FORMATS: Readonly<Record<string, string>> = {
  decimal: 'decimal',
  'unix-ms': 'time (ms)',
  ms: 'milliseconds',
};

function typeText(schema: JsonSchema): string {
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  const format = schema.format === undefined ? undefined : FORMATS[schema.format];
  const [first, ...others] = types;
  const own =
    first === 'array'
      ? `list of ${schema.items?.type === 'object' ? 'objects' : 'texts'}`
      : first === 'string'
        ? (format ?? 'text')
        : (first ?? '');
  return [own, ...others].join(' or ');
}

/** Ends with a full stop, so that another sentence may follow. */
export const sentence = (text: string): string =>
  text === '' || text.endsWith('.') ? text : `${text}.`;

function about(schema: JsonSchema): string {
  const counts = schema.maxItems === undefined ? '' : ` At most ${schema.maxItems}.`;
  const own = schema.description ?? '';
  return `${counts === '' ? own : sentence(own)}${counts}`.trim();
}

/** The fields of a schema, depth first. The root has a line only if it is not an object. */
export function fieldLines(schema: JsonSchema, path = '', required = true): readonly FieldLine[] {
  const inside = path === '' ? '' : `${path}.`;
  const own: FieldLine = {
    path: path === '' ? 'data' : path,
    type: typeText(schema),
    required,
    standard: schema.default === undefined ? undefined : String(schema.default),
    values: (schema.enum ?? []).map((value) => (value === '' ? '""' : String(value))),
    about: about(schema),
  };
  if (schema.type === 'object') {
    const children = Object.entries(schema.properties ?? {}).flatMap(([name, child]) =>
      fieldLines(child, inside + name, schema.required?.includes(name) ?? false),
    );
    return path === '' || path.endsWith('[]') ? children : [own, ...children];
  }
  if (schema.type !== 'array') return [own];
  if (schema.items?.type === 'object') {
    const children = fieldLines(schema.items, `${path}[]`);
    return path === '' ? children : [own, ...children];
  }
  return [own];
}

export const requestLines = (row: Endpoint): readonly FieldLine[] =>
  Object.keys(row.request.fields).length === 0 ? [] : fieldLines(row.request.schema);
export const responseLines = (row: Endpoint): readonly FieldLine[] =>
  fieldLines(row.response.schema);

export const limitText = ({ limit }: Endpoint): string =>
  limit === undefined
    ? 'none'
    : `${limit.perSecond} per second and ${limit.countedBy === 'ip' ? 'address' : 'UID'}`;

const ACCESS_TEXTS: Readonly<Record<string, string>> = {
  anybody: 'none needed',
  operator: 'operator token',
};
export const permissionText = ({ access }: Endpoint): string => ACCESS_TEXTS[access] ?? access;

export const exampleAnswer = (row: Endpoint): string =>
  JSON.stringify(
    {
      code: '00000',
      msg: 'success',
      requestTime: 1_789_000_000_000,
      data: exampleOf(row.response.schema),
    },
    null,
    2,
  );

/** The request on the wire: the path with its query, and the body. */
function exampleRequest(row: Endpoint): { readonly target: string; readonly body: string } {
  const values = requestExample(row);
  if (Array.isArray(values)) return { target: row.path, body: JSON.stringify(values) };
  const left = { ...(values as Readonly<Record<string, string>>) };
  const path = row.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = encodeURIComponent(left[name] ?? '');
    delete left[name];
    return value;
  });
  if (!isInQuery(row)) return { target: path, body: JSON.stringify(left) };
  const query = Object.entries(left).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return { target: query.length === 0 ? path : `${path}?${query.join('&')}`, body: '' };
}

/** A signed call for the shell, which needs curl and openssl. */
export function curlText(row: Endpoint, surface: ApiSurface): string {
  const { target, body } = exampleRequest(row);
  const method = row.method === 'GET' ? [] : [`-X ${row.method}`];
  const content = body === '' ? [] : [`-H 'Content-Type: application/json'`, `-d "$BODY"`];
  const bodyLine = body === '' ? [] : [`BODY='${body}'`];
  const call = (headers: readonly string[]): string =>
    ['curl -s', ...method, ...headers, ...content, `"$BASE$TARGET"`].join(' \\\n  ');
  const start = [`BASE=${surface.address}`, `TARGET='${target}'`, ...bodyLine];
  if (row.access === 'anybody') return [...start, call([])].join('\n');
  if (row.access === 'operator')
    return [...start, call([`-H "Authorization: Bearer $OPERATOR_TOKEN"`])].join('\n');

  const signed = `"\${TIME}${row.method}$TARGET${body === '' ? '' : '$BODY'}"`;
  return [
    ...start,
    'TIME=$(date +%s)000',
    `SIGN=$(printf %s ${signed} | openssl dgst -sha256 -hmac "$SECRET_KEY" -binary | base64)`,
    call([
      `-H "ACCESS-KEY: $API_KEY"`,
      `-H "ACCESS-SIGN: $SIGN"`,
      `-H "ACCESS-TIMESTAMP: $TIME"`,
      `-H "ACCESS-PASSPHRASE: $PASSPHRASE"`,
    ]),
  ].join('\n');
}
