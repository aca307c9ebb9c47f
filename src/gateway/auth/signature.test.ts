import { createHmac, createPublicKey, createSign, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HmacKey } from './hmac-key.ts';
import {
  isSignatureRight,
  rsaPublicKey,
  type SignedRequest,
  type VerifyingKey,
} from './signature.ts';

const SECRET = 'b1c2';
const hmacKey: VerifyingKey = { kind: 'hmac', key: new HmacKey(Buffer.from(SECRET)) };
const hmac = (text: string | Buffer): string =>
  createHmac('sha256', SECRET).update(text).digest('base64');

const requestOf = (changes: Partial<SignedRequest> = {}): SignedRequest => ({
  timestamp: '1789000000000',
  method: 'GET',
  path: '/api/v3/account/assets',
  query: '',
  body: Buffer.alloc(0),
  ...changes,
});

describe('HMAC', () => {
  // Computed with: printf '1789000000000GET/api/v3/account/assets' | openssl dgst -sha256 -hmac
  // b1c2 -binary | base64
  test('[AUTH-01] a signature made by another program is accepted', () => {
    expect(
      isSignatureRight(hmacKey, requestOf(), 'TpcMhx2M8kQtvbRgVe0mKHwkTVkkMnwG07AXEt17Kzs='),
    ).toBe(true);
  });

  test('[AUTH-01] the body is signed byte by byte, in any encoding', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.stringMatching(/^[\w=&.-]{0,20}$/), (bytes, query) => {
        const body = Buffer.from(bytes);
        const head = `1789000000000POST/api/v3/trade/place-batch${query === '' ? '' : `?${query}`}`;
        const signature = hmac(Buffer.concat([Buffer.from(head), body]));
        const request = requestOf({
          method: 'POST',
          path: '/api/v3/trade/place-batch',
          query,
          body,
        });
        expect(isSignatureRight(hmacKey, request, signature)).toBe(true);
        expect(
          isSignatureRight(
            hmacKey,
            { ...request, body: Buffer.concat([body, Buffer.from(' ')]) },
            signature,
          ),
        ).toBe(false);
      }),
    );
  });

  test.each([
    ['as sent', 'a=%23b%20c%2Bd'],
    ['decoded', 'a=#b c+d'],
  ])('[AUTH-02] a query signed %s is accepted', (_, signed) => {
    const signature = hmac(`1789000000000GET/api/v3/account/assets?${signed}`);
    expect(isSignatureRight(hmacKey, requestOf({ query: 'a=%23b%20c%2Bd' }), signature)).toBe(true);
  });

  test('[AUTH-02] a query signed with spaces instead of pluses is accepted', () => {
    const signature = hmac('1789000000000GET/api/v3/account/assets?a=b c');
    expect(isSignatureRight(hmacKey, requestOf({ query: 'a=b+c' }), signature)).toBe(true);
  });

  test('[AUTH-02] a question mark before an empty query may be signed', () => {
    const signature = hmac('1789000000000GET/api/v3/account/assets?');
    expect(isSignatureRight(hmacKey, requestOf(), signature)).toBe(true);
    expect(isSignatureRight(hmacKey, requestOf({ query: 'a=1' }), signature)).toBe(false);
  });

  test('[AUTH-01] unescaped bytes are signed as sent', () => {
    // Node passes each byte of a target as one character.
    const query = Buffer.from('note=買').toString('latin1');
    expect(
      isSignatureRight(
        hmacKey,
        requestOf({ query }),
        hmac('1789000000000GET/api/v3/account/assets?note=買'),
      ),
    ).toBe(true);
  });

  test('[AUTH-02] other scripts are signed as UTF-8', () => {
    const signature = hmac('1789000000000GET/api/v3/account/assets?a=中');
    expect(isSignatureRight(hmacKey, requestOf({ query: 'a=%E4%B8%AD' }), signature)).toBe(true);
  });

  test.each<[string, Partial<SignedRequest>]>([
    ['timestamp', { timestamp: '1789000000001' }],
    ['method', { method: 'POST' }],
    ['path', { path: '/api/v3/account/asset' }],
    ['query', { query: 'a=1' }],
    ['body', { body: Buffer.from('{}') }],
  ])('[AUTH-07] a changed %s invalidates the signature', (_, changes) => {
    const signature = hmac('1789000000000GET/api/v3/account/assets');
    expect(isSignatureRight(hmacKey, requestOf(), signature)).toBe(true);
    expect(isSignatureRight(hmacKey, requestOf(changes), signature)).toBe(false);
  });

  test('[AUTH-06] the same signature bytes in another spelling are refused', () => {
    const signature = hmac('1789000000000GET/api/v3/account/assets');
    const spelled = [
      signature.slice(0, -1),
      `${signature}=`,
      ` ${signature}`,
      Buffer.from(signature, 'base64').toString('hex'),
      Buffer.from(signature, 'base64').toString('base64url'),
      // The last character before the padding carries two unused bits.
      `${signature.slice(0, -2)}${String.fromCharCode(signature.charCodeAt(42) + 1)}=`,
      '',
      'x'.repeat(44),
      `${signature.slice(0, -1)}é`,
      // The low byte of this character equals that of the equals sign.
      `${signature.slice(0, -1)}\u013d`,
    ];
    for (const spelling of spelled)
      expect(isSignatureRight(hmacKey, requestOf(), spelling)).toBe(false);
  });
});

describe('RSA', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
  const key: VerifyingKey = { kind: 'rsa', key: rsaPublicKey(pem)! };
  const rsa = (text: string, algorithm = 'sha256'): string =>
    createSign(algorithm).update(text).sign(privateKey, 'base64');

  test('[AUTH-05] the private key signs the same text', () => {
    expect(isSignatureRight(key, requestOf(), rsa('1789000000000GET/api/v3/account/assets'))).toBe(
      true,
    );
    expect(
      isSignatureRight(
        key,
        requestOf({ query: 'a=%20' }),
        rsa('1789000000000GET/api/v3/account/assets?a= '),
      ),
    ).toBe(true);
    expect(
      isSignatureRight(
        key,
        requestOf({ method: 'POST' }),
        rsa('1789000000000GET/api/v3/account/assets'),
      ),
    ).toBe(false);
    expect(
      isSignatureRight(key, requestOf(), rsa('1789000000000GET/api/v3/account/assets', 'sha1')),
    ).toBe(false);
    expect(isSignatureRight(key, requestOf(), hmac('1789000000000GET/api/v3/account/assets'))).toBe(
      false,
    );
  });

  test('[AUTH-05][AUTH-07] the body is signed byte by byte', () => {
    const request = requestOf({ method: 'POST', body: Buffer.from('{"size":"1"}') });
    const signature = rsa('1789000000000POST/api/v3/account/assets{"size":"1"}');
    expect(isSignatureRight(key, request, signature)).toBe(true);
    expect(
      isSignatureRight(key, { ...request, body: Buffer.from('{"size":"9"}') }, signature),
    ).toBe(false);
    expect(isSignatureRight(key, { ...request, body: Buffer.alloc(0) }, signature)).toBe(false);
  });

  test('[AUTH-05] a public key may be PEM or the base64 inside it', () => {
    expect(rsaPublicKey(pem)).toBeDefined();
    expect(rsaPublicKey(pem.replace(/-----[^-]+-----/g, '').replaceAll('\n', ''))).toBeDefined();
  });

  test('[AUTH-06] the same signature bytes in another spelling are refused', () => {
    const signature = rsa('1789000000000GET/api/v3/account/assets');
    const spelled = [
      signature.slice(0, -2),
      `${signature}=`,
      `${signature.slice(0, -2)}\n=`,
      Buffer.from(signature, 'base64').toString('hex'),
      // With 256 bytes, the last character before the padding carries four unused bits.
      `${signature.slice(0, -3)}${String.fromCharCode(signature.charCodeAt(341) + 1)}==`,
      '',
    ];
    for (const spelling of spelled)
      expect(isSignatureRight(key, requestOf(), spelling)).toBe(false);
  });

  test.each([
    [2047, false],
    [2048, true],
    [4096, true],
    [8192, true],
    [8193, false],
  ])('[AUTH-05] a key of %i bits is accepted: %s', (bits, taken) => {
    const n = Buffer.from(
      (2n ** BigInt(bits) - 1n).toString(16).padStart(2 * Math.ceil(bits / 8), '0'),
      'hex',
    ).toString('base64url');
    const sized = createPublicKey({ key: { kty: 'RSA', n, e: 'AQAB' }, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    }) as string;
    expect(rsaPublicKey(sized) !== undefined).toBe(taken);
    // The base64 of a 4,096-bit key ends in two equals signs.
    expect(rsaPublicKey(sized.replace(/-----[^-]+-----|\n/g, '')) !== undefined).toBe(taken);
  });

  test.each([
    ['1, which needs no private key', '01', false],
    ['2, which is even', '02', false],
    ['3', '03', true],
    ['4', '04', false],
    ['65,537, the usual value', '010001', true],
    ['2^64 - 1', 'ffffffffffffffff', true],
    ['2^64 + 1, which is slow', '010000000000000001', false],
  ])('[AUTH-05] exponent %s (hex %s) is accepted: %s', (_, hex, taken) => {
    const { n } = publicKey.export({ format: 'jwk' });
    const e = Buffer.from(hex, 'hex').toString('base64url');
    const raised = createPublicKey({ key: { kty: 'RSA', n: n!, e }, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    }) as string;
    expect(rsaPublicKey(raised) !== undefined).toBe(taken);
  });

  test('[AUTH-05] a private key, another kind of key, a short key and random text are refused', () => {
    const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
      type: 'spki',
      format: 'pem',
    }) as string;
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({
      type: 'spki',
      format: 'pem',
    }) as string;
    const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    // An RSA-PSS key makes another kind of signature, which would never match.
    const probabilistic = generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey.export({
      type: 'spki',
      format: 'pem',
    }) as string;
    for (const text of [secret, elliptic, short, probabilistic, 'junk', '', 'AAAA'])
      expect(rsaPublicKey(text)).toBeUndefined();
  });
});
