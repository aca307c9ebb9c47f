/** Signs a call: HMAC-SHA256 through WebCrypto, so that it runs in a browser and in Node alike. */
const encoder = new TextEncoder();

export interface SignedText {
  readonly timestamp: string;
  readonly method: string;
  readonly path: string;
  /** Without the question mark, as it is sent; empty when there is none. */
  readonly query: string;
  /** As it is sent; empty when there is none. */
  readonly body: string;
}

/** What is signed: the same text the server puts together from what arrives. */
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
