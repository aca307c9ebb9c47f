/** The tables as an OpenAPI 3.1 document. */
import { CREDENTIAL_REASONS, REJECTIONS, type RejectionReason } from '../messages/rejections.ts';
import type { Dialect } from './dialects.ts';
import { type Endpoint, isInQuery } from './endpoint.ts';
import { errorCode, errorStatus, errorTable } from './errors.ts';
import { type Example, exampleOf } from './examples.ts';
import type { JsonSchema } from './schema.ts';
import { type ApiSurface, groupsOf } from './surfaces.ts';

/** A document is plain JSON. Its own standard describes it better than a type of ours would. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json };
type JsonObject = { readonly [name: string]: Json };

const API_VERSION = '1.0.0';

const json = (schema: unknown): Json => schema as Json;

/** `:uid` in a row is `{uid}` in OpenAPI. */
const pathTemplate = (path: string): string => path.replace(/:(\w+)/g, '{$1}');
const pathNames = (path: string): readonly string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);

const envelope = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    code: { type: 'string', const: '00000' },
    msg: { type: 'string', const: 'success' },
    requestTime: {
      type: 'integer',
      description: 'Unix time in milliseconds',
      examples: [1_789_000_000_000],
    },
    data,
  },
  required: ['code', 'msg', 'requestTime', 'data'],
});

const refusalSchema = (codes: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: {
    code: { type: 'string', enum: codes },
    msg: { type: 'string', description: 'What is wrong, in the language of the `locale` header' },
    requestTime: { type: 'integer', description: 'Unix time in milliseconds' },
    data: { type: 'null' },
  },
  required: ['code', 'msg', 'requestTime', 'data'],
});

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'Refused: `code` says why, `msg` names the field',
  401: 'The operator token is missing or wrong',
  403: 'The key lacks the permission, or is used from another address',
  404: 'The path does not exist',
  413: 'The body is too large',
  429: 'Too many requests; nothing was executed',
  503: 'The exchange is starting, stopping or halted; nothing was executed',
};

const dialectsOf = (surface: ApiSurface): readonly Dialect[] =>
  surface.name === 'public' ? ['v2', 'v3', 'broker'] : ['operator'];
/**
 * Public callers send a key, the operator a token. Both APIs refuse a header that is given twice.
 */
function isOfSurface(reason: RejectionReason, surface: ApiSurface): boolean {
  if (surface.name === 'public') return reason !== 'operatorTokenWrong';
  const isOfToken = reason === 'operatorTokenWrong' || reason === 'headerTwice';
  return isOfToken || (reason !== 'permissionMissing' && !CREDENTIAL_REASONS.has(reason));
}

/** The codes of an API under each HTTP status. */
function codesByStatus(surface: ApiSurface): ReadonlyMap<number, readonly string[]> {
  const codes = new Map<number, Set<string>>();
  for (const reason of REJECTIONS.filter((each) => isOfSurface(each, surface))) {
    const found = codes.get(errorStatus(reason)) ?? new Set();
    for (const dialect of dialectsOf(surface)) found.add(errorCode(reason, dialect));
    codes.set(errorStatus(reason), found);
  }
  return new Map(
    [...codes].sort(([a], [b]) => a - b).map(([status, found]) => [status, [...found].sort()]),
  );
}

const refusalName = (status: number): string => `Refused${status}`;

function refusals(surface: ApiSurface): JsonObject {
  const entries = [...codesByStatus(surface)].map(([status, codes]): readonly [string, Json] => [
    refusalName(status),
    {
      description: STATUS_TEXTS[status] ?? 'Refused',
      content: {
        'application/json': {
          schema: json(refusalSchema(codes)),
          example: {
            code: codes[0]!,
            msg: exampleText(codes[0]!, surface),
            requestTime: 1_789_000_000_000,
            data: null,
          },
        },
      },
    },
  ]);
  return Object.fromEntries(entries);
}

const exampleText = (code: string, surface: ApiSurface): string => {
  const hasCode = (each: RejectionReason): boolean =>
    dialectsOf(surface).some((dialect) => errorCode(each, dialect) === code);
  const reason = REJECTIONS.find((each) => isOfSurface(each, surface) && hasCode(each));
  return reason === undefined ? '' : errorTable[reason].en.replace(/\[[^\]]*\]/g, '');
};

/** Every code with its text. */
function codeList(surface: ApiSurface): string {
  const lines = REJECTIONS.filter((reason) => isOfSurface(reason, surface)).map((reason) => {
    const codes = [...new Set(dialectsOf(surface).map((dialect) => errorCode(reason, dialect)))];
    const text = errorTable[reason].en.replace(/[[\]]/g, '');
    return `| ${codes.join(', ')} | ${errorStatus(reason)} | ${text} |`;
  });
  return ['| Code | HTTP | Text |', '|---|---|---|', ...lines].join('\n');
}

function limitSentence({ limit }: Endpoint): string {
  if (limit === undefined) return 'No limit.';
  const subject = limit.countedBy === 'ip' ? 'address' : 'UID';
  return `At most ${limit.perSecond} calls a second per ${subject}.`;
}

function accessSentence({ access }: Endpoint): string {
  if (access === 'anybody') return 'Public: no key is required.';
  return access === 'operator'
    ? 'Requires the operator token.'
    : `Needs the permission \`${access}\`.`;
}

function parameters(row: Endpoint): readonly Json[] {
  const inPath = pathNames(row.path);
  const fields = Object.entries(row.request.fields).filter(
    ([name]) => isInQuery(row) || inPath.includes(name),
  );
  const given = (row.example ?? {}) as Readonly<Record<string, Example>>;
  const own = fields.map(([name, { schema, required }]): Json => {
    const { description, ...rest } = schema;
    const place = inPath.includes(name) ? 'path' : 'query';
    return {
      name,
      in: place,
      required: required || place === 'path',
      ...(description === undefined ? {} : { description }),
      schema: json(rest),
      ...(given[name] === undefined ? {} : { example: given[name] }),
    };
  });
  return row.access === 'operator' ? own : [...own, { $ref: '#/components/parameters/locale' }];
}

/** The body schema omits fields that are in the path. */
function bodySchema({ path, request: { schema } }: Endpoint): JsonSchema {
  const inPath = pathNames(path);
  if (inPath.length === 0) return schema;
  const { properties = {}, required = [], ...rest } = schema;
  const left = required.filter((name) => !inPath.includes(name));
  const inBody = Object.entries(properties).filter(([name]) => !inPath.includes(name));
  return {
    ...rest,
    properties: Object.fromEntries(inBody),
    ...(left.length === 0 ? {} : { required: left }),
  };
}

function requestBody(row: Endpoint): JsonObject {
  if (row.upload !== undefined) {
    const schema = { type: 'string', format: 'binary', description: row.upload.description };
    return {
      requestBody: { required: true, content: { 'application/octet-stream': { schema } } },
    };
  }
  if (isInQuery(row)) return {};
  const schema = bodySchema(row);
  const content = {
    'application/json': {
      schema: json(schema),
      example: json(row.example ?? exampleOf(schema, '', true)),
    },
  };
  return {
    requestBody: { required: schema.type === 'array' || schema.required !== undefined, content },
  };
}

const securityOf = ({ access }: Endpoint): Json => {
  if (access === 'anybody') return [];
  return access === 'operator'
    ? [{ token: [] }]
    : [{ key: [], sign: [], timestamp: [], passphrase: [] }];
};

function operation(name: string, row: Endpoint, surface: ApiSurface): Json {
  const statuses = [...codesByStatus(surface).keys()].filter(
    (status) => status !== 413 || row.method === 'POST',
  );
  const answers = statuses.map((status): readonly [string, Json] => [
    String(status),
    { $ref: `#/components/responses/${refusalName(status)}` },
  ]);
  const data = exampleOf(row.response.schema, '');
  const good = { code: '00000', msg: 'success', requestTime: 1_789_000_000_000, data: json(data) };
  return {
    operationId: name,
    summary: row.summary,
    description: `${accessSentence(row)} ${limitSentence(row)}`,
    tags: [row.group],
    security: securityOf(row),
    parameters: parameters(row),
    ...requestBody(row),
    responses: {
      '200': {
        description: 'Done',
        content: {
          'application/json': { schema: json(envelope(row.response.schema)), example: good },
        },
      },
      ...Object.fromEntries(answers),
    },
    'x-access': row.access,
    'x-rules': row.rules,
    ...(row.limit === undefined
      ? {}
      : { 'x-rate-limit': { perSecond: row.limit.perSecond, countedBy: row.limit.countedBy } }),
  };
}

/** Groups the methods of a path, even if they come from different rows. */
function paths(surface: ApiSurface): JsonObject {
  const found: Record<string, Record<string, Json>> = {};
  for (const [name, row] of Object.entries(surface.endpoints)) {
    const all = [row.path, ...(row.aliases ?? [])];
    all.forEach((path, at) => {
      const template = pathTemplate(path);
      const input = operation(at === 0 ? name : `${name}Alias${at}`, row, surface);
      found[template] = { ...found[template], [row.method.toLowerCase()]: input };
    });
  }
  return found;
}

const header = (name: string, description: string): Json => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
});

const publicSecurity: JsonObject = {
  key: header('ACCESS-KEY', 'The API key'),
  sign: header(
    'ACCESS-SIGN',
    'base64(HMAC-SHA256(secret, timestamp + METHOD + path + ("?" + query, if any) + body)); RSA keys sign the same text with RSASSA-PKCS1-v1_5 and SHA-256',
  ),
  timestamp: header(
    'ACCESS-TIMESTAMP',
    'Unix time in milliseconds, at most 30 seconds from the time of the server',
  ),
  passphrase: header('ACCESS-PASSPHRASE', 'The passphrase of the key'),
};

const localeParameter: Json = {
  name: 'locale',
  in: 'header',
  required: false,
  description: 'Language of `msg`: English, or Chinese for every value that begins with `zh`',
  schema: { type: 'string', default: 'en-US', examples: ['en-US', 'zh-CN'] },
};

/**
 * `address` is the server of the calls: that of a default start, unless the caller knows another.
 */
export function openApiDocument(surface: ApiSurface, address = surface.address): JsonObject {
  const security: JsonObject =
    surface.name === 'public' ? publicSecurity : { token: { type: 'http', scheme: 'bearer' } };
  return {
    openapi: '3.1.0',
    info: {
      title: surface.title,
      version: API_VERSION,
      description: `${surface.introduction}\n\n## Codes\n\n${codeList(surface)}\n`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: address }],
    tags: groupsOf(surface).map(({ name, about }) => ({ name, description: about })),
    paths: paths(surface),
    components: {
      securitySchemes: security,
      parameters: { locale: localeParameter },
      responses: refusals(surface),
    },
  };
}
