/** Signs a call with HMAC-SHA256 through WebCrypto, which browsers and Node both have. */
const encoder = new TextEncoder();

export interface SignedText {
  readonly timestamp: string;
  readonly method: string;
  readonly path: string;
  /** As sent, without the question mark; empty if there is none. */
  readonly query: string;
  /** As sent; empty if there is none. */
  readonly body: string;
}

/** The signed text. The server builds the same text from the request. */
export const prehash = ({ timestamp, method, path, query, body }: SignedText): string =>
  `${timestamp}${method.toUpperCase()}${path}${query === '' ? '' : `?${query}`}${body}`;

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** The `ACCESS-SIGN` header. */
export async function sign(secretKey: string, text: SignedText): Promise<string> {
  const key = await crypto.subtle.importKey(
    'raw',
    encoder.encode(secretKey),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  return base64(
    new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(prehash(text)))),
  );
}
