import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HmacKey } from './hmac-key.ts';

// RFC 4231, test cases 1, 2, 3, 6 and 7: two short keys, bytes that are not text, and a key longer
// than a block.
test.each([
  [
    '0b'.repeat(20),
    Buffer.from('Hi There'),
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  ],
  [
    Buffer.from('Jefe').toString('hex'),
    Buffer.from('what do ya want for nothing?'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [
    'aa'.repeat(20),
    Buffer.alloc(50, 0xdd),
    '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
  ],
  [
    'aa'.repeat(131),
    Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First'),
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
  [
    'aa'.repeat(131),
    Buffer.from(
      'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
    ),
    '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
  ],
])('[AUTH-01] signatures match RFC 4231 (key %s)', (key, message, expected) => {
  const signature = new HmacKey(Buffer.from(key, 'hex')).sign('', 'latin1', message);
  expect(Buffer.from(signature, 'base64').toString('hex')).toBe(expected);
});

test('[AUTH-01] any text and any bytes get the same signature as from Node', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 100 }),
      fc.string({ unit: 'grapheme' }),
      fc.uint8Array(),
      (key, text, bytes) => {
        const theirs = createHmac('sha256', key)
          .update(text, 'utf8')
          .update(bytes)
          .digest('base64');
        expect(new HmacKey(key).sign(text, 'utf8', bytes)).toBe(theirs);
      },
    ),
  );
});

test('[AUTH-01] a long message does not affect the next signature', () => {
  const key = new HmacKey(Buffer.from('key'));
  const signatureOf = (text: string, bytes: Uint8Array): string =>
    createHmac('sha256', 'key').update(text).update(bytes).digest('base64');
  for (const length of [0, 200_000, 10, 65_536, 1]) {
    const bytes = Buffer.alloc(length, 0x61);
    expect(key.sign('head', 'latin1', bytes)).toBe(signatureOf('head', bytes));
  }
});

test('[AUTH-01] a long text is signed in full in any script', () => {
  const text = '買'.repeat(50_000);
  const theirs = createHmac('sha256', 'key').update(text, 'utf8').update('{}').digest('base64');
  expect(new HmacKey(Buffer.from('key')).sign(text, 'utf8', Buffer.from('{}'))).toBe(theirs);
});
