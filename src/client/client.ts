/**
 * Typed clients of both APIs: every call, its values and its answer have the types of the
 * contract's rows.
 */
import type { Endpoint, ResponseOf, WireRequestOf } from '../contract/endpoint.ts';
import { operatorEndpoints, publicEndpoints } from '../contract/endpoints.ts';
import { noSuchName } from '../kernel/near-names.ts';
import { type CallText, callText } from './call-text.ts';
import { sign } from './sign.ts';

/** A refusal of the exchange, or a failure on the way to it. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status: number) {
    super(`${code}: ${message}`);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
  }
}

export type Fetch = typeof globalThis.fetch;

/** The values can be omitted if no field is required. */
type Values<Row> =
  Record<string, never> extends WireRequestOf<Row>
    ? [values?: WireRequestOf<Row>]
    : [values: WireRequestOf<Row>];

export interface Client<Table> {
  /**
   * Resolves to the `data` of the envelope. Otherwise throws an `ApiError` with the wire's code.
   */
  call<Name extends keyof Table>(
    name: Name,
    ...values: Values<Table[Name]>
  ): Promise<ResponseOf<Table[Name]>>;
}

export interface ClientOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly passphrase: string;
  /** Language of refusals: `en-US`, `zh-CN`. */
  readonly locale?: string;
  readonly fetch?: Fetch;
  /** Milliseconds since 1970; the machine's clock by default. */
  readonly now?: () => number;
}

export interface OperatorClientOptions {
  readonly baseUrl: string;
  readonly token: string;
  readonly fetch?: Fetch;
}

type Headers = Readonly<Record<string, string>>;
type HeadersFor = (row: Endpoint, text: CallText) => Promise<Headers>;

interface Envelope {
  readonly code: string;
  readonly msg: string;
  readonly data: unknown;
}

const isEnvelope = (value: unknown): value is Envelope =>
  typeof value === 'object' && value !== null && 'code' in value && 'data' in value;

/** Reads the envelope. An answer of a proxy has none, so it is reported with its status. */
async function readEnvelope(response: Awaited<ReturnType<Fetch>>): Promise<unknown> {
  const text = await response.text();
  let envelope: unknown;
  try {
    envelope = JSON.parse(text);
  } catch {
    throw new ApiError(String(response.status), 'The answer is not JSON', response.status);
  }
  if (!isEnvelope(envelope))
    throw new ApiError(String(response.status), 'The answer has no envelope', response.status);
  if (envelope.code !== '00000') throw new ApiError(envelope.code, envelope.msg, response.status);
  return envelope.data;
}

function clientOf<Table extends Readonly<Record<string, unknown>>>(
  table: Table,
  baseUrl: string,
  fetch: Fetch,
  headersFor: HeadersFor,
): Client<Table> {
  const base = baseUrl.replace(/\/+$/, '');
  return {
    call: async (name, ...[values]) => {
      // An untyped name, as in a JavaScript program, is accepted.
      if (!Object.hasOwn(table, name))
        throw new Error(noSuchName('call', String(name), Object.keys(table)));
      const row = table[name] as Endpoint;
      const text = callText(row, values);
      const headers = await headersFor(row, text);
      const content = row.method === 'POST' ? { body: text.body } : {};
      const type: Headers = row.method === 'POST' ? { 'Content-Type': 'application/json' } : {};
      const url = `${base}${text.path}${text.query === '' ? '' : `?${text.query}`}`;
      const response = await fetch(url, {
        method: row.method,
        headers: { ...type, ...headers },
        ...content,
      });
      return (await readEnvelope(response)) as ResponseOf<Table[typeof name]>;
    },
  };
}

/** A client of the public API. Calls that need no key are sent without one. */
export function createClient(options: ClientOptions): Client<typeof publicEndpoints> {
  const { now = Date.now, locale, fetch = globalThis.fetch } = options;
  const language: Headers = locale === undefined ? {} : { locale };
  return clientOf(publicEndpoints, options.baseUrl, fetch, async (row, text) => {
    if (row.access === 'anybody') return language;
    const timestamp = String(now());
    return {
      ...language,
      'ACCESS-KEY': options.apiKey,
      'ACCESS-SIGN': await sign(options.secretKey, { timestamp, method: row.method, ...text }),
      'ACCESS-TIMESTAMP': timestamp,
      'ACCESS-PASSPHRASE': options.passphrase,
    };
  });
}

/** A client of the operator API. */
export function createOperatorClient({
  baseUrl,
  token,
  fetch = globalThis.fetch,
}: OperatorClientOptions): Client<typeof operatorEndpoints> {
  return clientOf(operatorEndpoints, baseUrl, fetch, async () => ({
    Authorization: `Bearer ${token}`,
  }));
}
