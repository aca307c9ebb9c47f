/** The paths of streams, and the version of the API whose channels each of them serves. */

export type StreamVersion = 'v2' | 'v3';

export const STREAM_PATHS: ReadonlyMap<string, StreamVersion> = new Map([
  ['/v2/ws/public', 'v2'],
  ['/v2/ws/private', 'v2'],
  ['/v3/ws/public', 'v3'],
  ['/v3/ws/private', 'v3'],
]);

interface Asking {
  readonly method?: string | undefined;
  readonly httpVersion: string;
  readonly url?: string | undefined;
  readonly headers: { readonly upgrade?: string | undefined };
}

/** True if a request offers to become a stream. Any other offer of a protocol is ignored. */
export const asksForStream = ({ method, httpVersion, url = '', headers }: Asking): boolean =>
  method === 'GET' &&
  httpVersion === '1.1' &&
  STREAM_PATHS.has(url.split('?', 1)[0]!) &&
  /\bwebsocket\b/i.test(headers.upgrade ?? '');
