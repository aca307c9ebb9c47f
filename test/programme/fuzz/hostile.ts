/** Requests that are almost right: damaged JSON, queries, headers and signatures. */
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import type { Random } from '../../../src/kernel/random.ts';
import {
  type FuzzRequest,
  type Input,
  JSON_TYPE,
  type Keys,
  type Message,
  messageBytes,
  publicRows,
  rightObject,
  sayTo,
  signature,
  signedCall,
  signedHeaders,
} from './requests.ts';
import type { Known } from './values.ts';

const writes = publicRows.filter(({ row }) => row.method === 'POST');
const reads = publicRows.filter(({ row }) => row.method === 'GET');
const guarded = publicRows.filter(({ row }) => row.access !== 'anybody');

const MALFORMED = ['40017'] as const;
const inside = (body: string): string => body.slice(1, -1);
const with1 = (body: string, member: string): string =>
  inside(body) === '' ? `{${member}}` : `{${member},${inside(body)}}`;

type Spoil = (body: string, random: Random) => string | Buffer;

/** Bodies that are not JSON or are ambiguous; they are refused whole. */
const refusedBodies: Readonly<Record<string, Spoil>> = {
  'byte order mark': (body) => `\ufeff${body}`,
  'trailing comma': (body) => `${with1(body, '"a":1').slice(0, -1)},}`,
  comment: (body) => `/* hello */${body}`,
  'single quotes': (body) => with1(body, "'a':1"),
  NaN: (body) => with1(body, '"a":NaN'),
  'leading zeros': (body) => with1(body, '"a":01'),
  'plus sign': (body) => with1(body, '"a":+1'),
  'control character': (body) => with1(body, '"a":"\u0001"'),
  'half a surrogate pair': (body) => with1(body, '"a":"\\ud800"'),
  'key twice': (body) => with1(body, '"a":1,"a":1'),
  'key twice, once escaped': (body) => with1(body, '"a":1,"\\u0061":2'),
  'not UTF-8': (body) =>
    Buffer.concat([
      Buffer.from('{"a":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from(`",${inside(body) || '"b":1'}}`),
    ]),
  'overlong UTF-8': () => Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
  'nine deep': () => `${'{"a":'.repeat(9)}1${'}'.repeat(9)}`,
  'a thousand deep': () => '['.repeat(1_000) + ']'.repeat(1_000),
  'thirty thousand deep': () => '['.repeat(30_000),
  'cut off': (body, random) =>
    with1(body, '"a":1').slice(0, 1 + random.below(with1(body, '"a":1').length - 1)),
  'text behind': (body) => `${body} x`,
  'two values': (body) => `${body}${body}`,
  'a NUL inside': (body) => with1(body, '"a\u0000":1'),
};

/** Unusual but valid JSON bodies: accepted or refused, without an internal error. */
const oddBodies: Readonly<Record<string, Spoil>> = {
  __proto__: (body) => with1(body, '"__proto__":{"symbol":"BTCUSDT","isAdmin":true}'),
  'constructor and toString': (body) =>
    with1(body, '"constructor":{"prototype":{"a":1}},"toString":"x","hasOwnProperty":1'),
  'a long key': (body) => with1(body, `"${'k'.repeat(20_000)}":1`),
  'a long text': (body) => with1(body, `"a":"${'x'.repeat(60_000)}"`),
  'a long number': (body) => with1(body, `"a":${'9'.repeat(50_000)}`),
  'a large exponent': (body) => with1(body, '"a":1e999999999,"b":-1E-999999999'),
  'many keys': (body) =>
    with1(body, Array.from({ length: 3_000 }, (_, at) => `"k${at}":${at}`).join(',')),
  'many items': (body) => with1(body, `"a":[${'1,'.repeat(20_000)}1]`),
  'much space': (body) => ` \n\t${with1(body, `"a":${' '.repeat(10_000)}1`)}\r\n `,
  'a scalar': (_, random) => random.pick(['1', '"x"', 'true', 'null', '-0']),
  'a list': (body) => `[${body}]`,
  'an empty list': () => '[]',
  'a list of scalars': () => '[1,"x",null,[],{}]',
  escapes: (body) =>
    with1(body, '"\\u0073\\u0079\\u006d\\u0062\\u006f\\u006c2":"\\ud83d\\ude00\\n"'),
  'a random byte': (body, random) => {
    const bytes = Buffer.from(body);
    bytes[random.below(bytes.length)] = random.below(256);
    return bytes;
  },
};

function withBody(
  kind: string,
  row: Endpoint,
  keys: Keys,
  body: string | Buffer,
  codes?: readonly string[],
): FuzzRequest {
  const sent = Buffer.isBuffer(body) ? body : Buffer.from(body);
  const target = row.path;
  const bytes = messageBytes({
    method: row.method,
    target,
    headers: signedHeaders(keys, row.method, target, sent),
    body: sent,
  });
  return { kind, surface: 'public', bytes, row, ...(codes === undefined ? {} : { codes }) };
}

export function spoiltJson(keys: Keys, random: Random, known: Known): FuzzRequest {
  const { row } = random.pick(writes);
  const body = rightObject(row, random, known);
  const draw = random.below(20);
  if (draw === 0)
    return withBody(
      'giant JSON',
      row,
      keys,
      with1(body, `"a":"${'x'.repeat(70_000 + random.below(100_000))}"`),
      MALFORMED,
    );
  const isRefused = draw < 12;
  const [name, spoil] = random.pick(Object.entries(isRefused ? refusedBodies : oddBodies));
  return withBody(
    `JSON: ${name}`,
    row,
    keys,
    spoil(body, random),
    isRefused ? MALFORMED : undefined,
  );
}

/** A signed call with one header changed, and the code it must get. */
type Forge = (
  message: Message,
  keys: Keys,
  random: Random,
) => readonly (readonly [string, string])[];
const replaced = (
  message: Message,
  name: string,
  value: string,
): readonly (readonly [string, string])[] =>
  message.headers.map(([each, old]) => [each, each === name ? value : old] as const);
const without = (message: Message, name: string): readonly (readonly [string, string])[] =>
  message.headers.filter(([each]) => each !== name);
const headerOf = (message: Message, name: string): string =>
  message.headers.find(([each]) => each === name)?.[1] ?? '';

function flipped(text: string, random: Random): string {
  const at = random.below(text.length - 2);
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
}

/** Signed again for another time, so that only the time is wrong. */
const atTime = (
  message: Message,
  keys: Keys,
  timestamp: string,
): readonly (readonly [string, string])[] =>
  replaced(message, 'ACCESS-TIMESTAMP', timestamp).map(([name, value]) => [
    name,
    name === 'ACCESS-SIGN'
      ? signature(keys.secretKey, timestamp, message.method, message.target, message.body)
      : value,
  ]);

const forgeries: Readonly<Record<string, readonly [code: string, Forge]>> = {
  'no key': ['40001', (message) => without(message, 'ACCESS-KEY')],
  'empty key': ['40001', (message) => replaced(message, 'ACCESS-KEY', '')],
  'no signature': ['40002', (message) => without(message, 'ACCESS-SIGN')],
  'no time': ['40005', (message) => without(message, 'ACCESS-TIMESTAMP')],
  'a time in words': ['40005', (message) => replaced(message, 'ACCESS-TIMESTAMP', 'now')],
  'a time with an exponent': [
    '40005',
    (message) => replaced(message, 'ACCESS-TIMESTAMP', '1.7e12'),
  ],
  'a time in other digits': [
    '40005',
    (message) => replaced(message, 'ACCESS-TIMESTAMP', Buffer.from('١٧٠٠').toString('latin1')),
  ],
  'no passphrase': ['40011', (message) => without(message, 'ACCESS-PASSPHRASE')],
  'unknown key': ['40037', (message) => replaced(message, 'ACCESS-KEY', 'rk_nobody')],
  'prototype as key': ['40037', (message) => replaced(message, 'ACCESS-KEY', '__proto__')],
  'an old time': ['40008', (message, keys) => atTime(message, keys, String(Date.now() - 90_000))],
  'a time to come': [
    '40008',
    (message, keys) => atTime(message, keys, String(Date.now() + 90_000)),
  ],
  'a huge time': ['40008', (message, keys) => atTime(message, keys, '9'.repeat(64))],
  'a negative time': ['40008', (message, keys) => atTime(message, keys, '-1')],
  'wrong passphrase': ['40012', (message) => replaced(message, 'ACCESS-PASSPHRASE', 'guess')],
  'one letter of the signature': [
    '40009',
    (message, _, random) =>
      replaced(message, 'ACCESS-SIGN', flipped(headerOf(message, 'ACCESS-SIGN'), random)),
  ],
  'half the signature': [
    '40009',
    (message) => replaced(message, 'ACCESS-SIGN', headerOf(message, 'ACCESS-SIGN').slice(0, 20)),
  ],
  'a signature of another path': [
    '40009',
    (message, keys) =>
      replaced(
        message,
        'ACCESS-SIGN',
        signature(
          keys.secretKey,
          headerOf(message, 'ACCESS-TIMESTAMP'),
          message.method,
          '/other',
          message.body,
        ),
      ),
  ],
  'a signature by another secret': [
    '40009',
    (message) =>
      replaced(
        message,
        'ACCESS-SIGN',
        signature(
          'other',
          headerOf(message, 'ACCESS-TIMESTAMP'),
          message.method,
          message.target,
          message.body,
        ),
      ),
  ],
  'a long signature': ['40009', (message) => replaced(message, 'ACCESS-SIGN', 'A'.repeat(4_000))],
  'the key twice': [
    '40017',
    (message) => [...message.headers, ['access-key', headerOf(message, 'ACCESS-KEY')]],
  ],
  'the signature twice': ['40017', (message) => [['ACCESS-SIGN', 'AAAA'], ...message.headers]],
};

export function forgedCall(keys: Keys, random: Random, known: Known): FuzzRequest {
  const { row } = random.pick(guarded);
  const { target, body } = sayTo(row, 'right', random, known);
  const sent = body === undefined ? undefined : Buffer.from(body);
  const message = {
    method: row.method,
    target,
    body: sent,
    headers: signedHeaders(keys, row.method, target, sent),
  };
  const [name, [code, forge]] = random.pick(Object.entries(forgeries));
  const bytes = messageBytes({ ...message, headers: forge(message, keys, random) });
  return { kind: `forged: ${name}`, surface: 'public', bytes, row, codes: [code] };
}

type Twist = (input: Input, random: Random) => string;
const joined = (target: string, more: string): string =>
  `${target}${target.includes('?') ? '&' : '?'}${more}`;

/** Targets that resemble valid ones, and the codes they may get. */
const twists: Readonly<Record<string, readonly [codes: readonly string[] | undefined, Twist]>> = {
  'bad escape': [MALFORMED, ({ target }) => joined(target, 'a=%zz')],
  'escape cut off': [MALFORMED, ({ target }) => joined(target, 'a=%e')],
  'escape that is not UTF-8': [MALFORMED, ({ target }) => joined(target, 'a=%c3%28')],
  'name twice': [MALFORMED, ({ target }) => joined(target, 'a=1&a=2')],
  'name twice, once escaped': [MALFORMED, ({ target }) => joined(target, 'a=1&%61=2')],
  'other digits': [undefined, ({ target }) => joined(target, 'fuzzLimit=%D9%A1%D9%A2')],
  'many parameters': [
    undefined,
    ({ target }) =>
      joined(target, Array.from({ length: 300 }, (_, at) => `p${at}=${at}`).join('&')),
  ],
  'empty names': [undefined, ({ target }) => joined(target, '&&&x&&')],
  'question marks': [undefined, ({ target }) => joined(target, 'a=??&b=#')],
  __proto__: [undefined, ({ target }) => joined(target, '__proto__=1&constructor=2&toString=3')],
  'another case': [['40404'], ({ target }) => target.replace('/api/', '/API/')],
  'a slash too many': [['40404'], ({ target }) => `/${target}`],
  'a slash behind': [['40404'], ({ target }) => target.replace(/(\?|$)/, '/$1')],
  'dot segments': [['40404'], ({ target }) => `/./x/..${target}`],
  'an escaped path': [['40404'], ({ target }) => target.replace('/api/', '/%61pi/')],
  'a parameter in the path': [['40404'], ({ target }) => target.replace(/(\?|$)/, ';a=1$1')],
  'absolute URI': [MALFORMED, ({ target }) => `http://example.org${target}`],
  'an asterisk': [MALFORMED, () => '*'],
};

export function twistedTarget(keys: Keys, random: Random, known: Known): FuzzRequest {
  const { row } = random.pick(reads);
  const [name, [codes, twist]] = random.pick(Object.entries(twists));
  const target = twist(sayTo(row, 'right', random, known), random);
  return signedCall(`target: ${name}`, row, keys, { target, body: undefined }, codes);
}

/** Headers and bodies that contradict each other. */
export function mismatched(keys: Keys, random: Random, known: Known): FuzzRequest {
  const [write, read] = [random.pick(writes).row, random.pick(reads).row];
  const body = Buffer.from(rightObject(write, random, known));
  const request = (
    kind: string,
    row: Endpoint,
    message: Omit<Message, 'target'>,
    codes: readonly string[],
  ): FuzzRequest => ({
    kind: `mismatched: ${kind}`,
    surface: 'public',
    row,
    codes,
    bytes: messageBytes({ target: row.path, ...message }),
  });
  const signed = signedHeaders(keys, 'POST', write.path, body).filter(
    ([name]) => name !== 'content-type',
  );
  switch (random.below(6)) {
    case 0:
      return request(
        'a body with GET',
        read,
        {
          method: 'GET',
          headers: [...signedHeaders(keys, 'GET', read.path, undefined), JSON_TYPE],
          body,
        },
        MALFORMED,
      );
    case 1:
      return request('no content type', write, { method: 'POST', headers: signed, body }, [
        '40007',
      ]);
    case 2:
      return request(
        'a form',
        write,
        {
          method: 'POST',
          headers: [...signed, ['content-type', 'application/x-www-form-urlencoded']],
          body,
        },
        ['40007'],
      );
    case 3:
      return request(
        'compressed',
        write,
        { method: 'POST', headers: [...signed, JSON_TYPE, ['content-encoding', 'gzip']], body },
        ['40007'],
      );
    case 4:
      return request(
        'another method',
        write,
        {
          // Some calls take their fields by GET as well.
          method: random.pick(['PUT', 'PATCH', 'DELETE']),
          headers: signed,
          body: undefined,
        },
        ['40404'],
      );
    default:
      return request(
        'another character set',
        write,
        {
          method: 'POST',
          headers: [...signed, ['content-type', 'application/json; charset=utf-16']],
          body,
        },
        ['40007'],
      );
  }
}
