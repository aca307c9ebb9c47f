/** Turns a row and the caller's values into a request: path, query and body. */
import { type Endpoint, isInQuery } from '../contract/endpoint.ts';

export interface CallText {
  readonly path: string;
  readonly query: string;
  readonly body: string;
}

type Values = Readonly<Record<string, unknown>>;

const isLeftOut = (value: unknown): boolean => value === undefined;

/** Names in alphabetical order, so that equal calls have equal texts. */
function queryText(values: Values): string {
  const input = Object.entries(values).filter(([, value]) => !isLeftOut(value));
  input.sort(([a], [b]) => (a < b ? -1 : 1));
  return input
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
}

/** Values of `:name` segments of the path are not repeated elsewhere. */
function fillPath(path: string, values: Values): { readonly path: string; readonly rest: Values } {
  const rest: Record<string, unknown> = { ...values };
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest[name]));
    delete rest[name];
    return value;
  });
  return { path: filled, rest };
}

export function callText(row: Endpoint, values: unknown): CallText {
  if (Array.isArray(values)) return { path: row.path, query: '', body: JSON.stringify(values) };
  const { path, rest } = fillPath(row.path, (values ?? {}) as Values);
  if (isInQuery(row)) return { path, query: queryText(rest), body: '' };
  return { path, query: '', body: JSON.stringify(rest) };
}
