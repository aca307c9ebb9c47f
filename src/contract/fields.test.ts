/** Each kind of field: the accepted values, the refused ones, and the refusal. */

import { describe, expect, test } from 'vitest';
import { idFromText } from '../kernel/ids.ts';
import type { RejectionReason } from '../messages/rejections.ts';
import * as field from './fields.ts';
import { type Field, readerOf } from './fields-reader.ts';
import * as identifier from './identifier-fields.ts';
import { itemsOf } from './listed-items.ts';
import * as number from './number-fields.ts';
import { JsonNumber, type Raw } from './raw.ts';

const jsonNumber = (source: string): JsonNumber => new JsonNumber(source);
const objectRaw = (entries: Readonly<Record<string, Raw>>): Raw => new Map(Object.entries(entries));

const accepts = (kind: Field<unknown>, raw: Raw, value: unknown): void =>
  expect(kind.decode(raw, 'f')).toEqual({ ok: true, value });
const refuses = (kind: Field<unknown>, raw: Raw, reason: RejectionReason, name = 'f'): void =>
  expect(kind.decode(raw, 'f')).toMatchObject({ ok: false, refusal: { reason, field: name } });

const side = field.words({ buy: 'buy', sell_short: 'sell' });

describe('absence', () => {
  const missing: readonly Raw[] = [undefined, null, ''];
  test('[API-01] an optional field may be absent, null or empty', () => {
    for (const raw of missing) {
      accepts(field.optional(number.decimal()), raw, undefined);
      accepts(field.optional(side), raw, undefined);
      accepts(field.withDefault(side, 'buy', 'buy'), raw, 'buy');
      accepts(number.pageSize(20, 100), raw, 20);
      accepts(field.withDefault(field.yesOrNo(), false, 'no'), raw, false);
    }
  });
  test('[API-01] unknown fields are ignored', () => {
    const raw = new Map<string, Raw>([
      ['size', '1'],
      ['force', 'GTC'],
      ['__proto__', 'x'],
    ]);
    expect(readerOf({ size: number.decimal() })(raw)).toEqual({ ok: true, value: { size: '1' } });
  });
  test('[API-06] a required field is neither absent, null nor empty', () => {
    const kinds = [
      field.text(),
      number.decimal(),
      side,
      identifier.uid(),
      field.flag(),
      field.listOf(side, 2),
      field.objectOf({}),
      number.countUpTo(3),
    ];
    for (const kind of kinds) for (const raw of missing) refuses(kind, raw, 'fieldMissing');
  });
  test('[API-15] null releases a mark price, an absent field leaves it', () => {
    const mark = number.decimalOrRelease();
    accepts(mark, null, null);
    accepts(mark, undefined, undefined);
    accepts(mark, '', undefined);
    accepts(mark, '60000.5', '60000.5');
    refuses(mark, 'x', 'fieldInvalid');
  });
});

describe('words', () => {
  test('[API-02] case does not count', () => {
    for (const raw of ['buy', 'BUY', 'Buy']) accepts(side, raw, 'buy');
    accepts(side, 'Sell_Short', 'sell');
    accepts(field.sameWords(['SPOT']), 'spot', 'SPOT');
    accepts(field.yesOrNo(), 'YES', true);
    accepts(field.onOrOff(), 'Off', false);
  });
  test('[API-02] letters of other scripts that fold into ASCII do not match', () => {
    // The Kelvin sign lower-cases to k.
    refuses(field.sameWords(['tick']), 'tic\u212a', 'fieldInvalid');
    refuses(side, 'sell', 'fieldInvalid');
    refuses(field.yesOrNo(), 'true', 'fieldInvalid');
    refuses(side, 'constructor', 'fieldInvalid');
  });
  test('[API-33] a refused word lists the accepted words, unless the list is too long', () => {
    const decoded = (kind: Field<unknown>): unknown => kind.decode('x', 'name');
    const refusal = { reason: 'fieldInvalid', field: 'name' };
    expect(decoded(field.sameWords(['ioc', 'post_only']))).toEqual({
      ok: false,
      refusal: { ...refusal, detail: 'ioc | post_only' },
    });
    expect(decoded(field.optional(field.yesOrNo()))).toEqual({
      ok: false,
      refusal: { ...refusal, detail: 'yes | no' },
    });
    expect(decoded(field.sameWords(['a'.repeat(200)]))).toMatchObject({
      refusal: { detail: 'a'.repeat(200) },
    });
    expect(decoded(field.sameWords(['a'.repeat(201)]))).toEqual({ ok: false, refusal });
  });
  test('[API-03] symbols and coins are upper-cased, except where case matters', () => {
    accepts(identifier.symbol(), 'btcusdt', 'BTCUSDT');
    accepts(identifier.symbol(), 'btcusdt_umcbl', 'BTCUSDT_UMCBL');
    accepts(identifier.coin(), 'usdt', 'USDT');
    accepts(identifier.symbolAsGiven(), 'btcUsdt', 'btcUsdt');
    refuses(identifier.symbol(), 'BTC USDT', 'fieldInvalid');
    refuses(identifier.symbol(), 'B'.repeat(33), 'fieldInvalid');
    refuses(identifier.coin(), 'ＵＳＤＴ', 'fieldInvalid');
  });
});

describe('numbers', () => {
  test('[API-04] a JSON number keeps every digit of its source', () => {
    accepts(number.decimal(), jsonNumber('49000'), '49000');
    accepts(number.decimal(), jsonNumber('0.00000001'), '0.00000001');
    accepts(number.decimal(), jsonNumber('1e-8'), '0.00000001');
    accepts(number.decimal(), jsonNumber('12345678901234567890'), '12345678901234567890');
    accepts(field.text(), jsonNumber('12345678901234567890'), '12345678901234567890');
    accepts(number.pageSize(20, 100), jsonNumber('50'), 50);
    accepts(number.pageSize(20, 100), jsonNumber('1e2'), 100);
    refuses(number.pageSize(20, 100), jsonNumber('1.01e2'), 'fieldOutOfRange');
    refuses(number.pageSize(20, 100), jsonNumber('1e400'), 'fieldOutOfRange');
    // A field that is no amount has only its own limit on digits.
    accepts(identifier.clientOid(), jsonNumber('1'.repeat(32)), '1'.repeat(32));
    refuses(identifier.clientOid(), jsonNumber('1'.repeat(33)), 'fieldInvalid');
    accepts(field.text(), jsonNumber('-12.50'), '-12.50');
    refuses(number.decimal(), jsonNumber('1'.repeat(21)), 'fieldInvalid');
    refuses(number.decimal(), jsonNumber('1e400'), 'fieldInvalid');
  });
  test('[API-04] booleans, objects and arrays are no scalars', () => {
    const kinds = [
      field.text(),
      number.decimal(),
      side,
      identifier.uid(),
      identifier.id(),
      number.timestamp(),
      number.pageSize(20, 100),
    ];
    for (const kind of kinds)
      for (const raw of [true, false, [], ['1'], objectRaw({})]) refuses(kind, raw, 'fieldInvalid');
    refuses(number.decimal(), jsonNumber('-1'), 'fieldInvalid');
  });
  test('[API-05] a decimal has at most twenty digits before the point and eighteen after it', () => {
    const decimal = number.decimal();
    accepts(decimal, `${'9'.repeat(20)}.${'9'.repeat(18)}`, `${'9'.repeat(20)}.${'9'.repeat(18)}`);
    refuses(decimal, '9'.repeat(21), 'fieldInvalid');
    refuses(decimal, `0.${'1'.repeat(19)}`, 'fieldInvalid');
    accepts(decimal, '007', '007');
    for (const raw of [
      '-1',
      '+1',
      ' 1',
      '1 ',
      '1,000',
      '1e3',
      '.5',
      '5.',
      '1.2.3',
      '１',
      '٣',
      'NaN',
      '0x10',
    ])
      refuses(decimal, raw, 'fieldInvalid');
  });
  test('[API-07] a page size is positive, whole and within its maximum', () => {
    const limit = number.pageSize(20, 100);
    accepts(limit, '1', 1);
    accepts(limit, '100', 100);
    for (const raw of ['0', '101', '-1', '1.5', 'ten', '1e2', '99999999999'])
      refuses(limit, raw, 'fieldOutOfRange');
    expect(limit.decode('101', 'limit')).toMatchObject({
      refusal: { field: 'limit', detail: '1 to 100' },
    });
  });
  test('[API-06] a count has the wrong form if not whole, and is out of range beyond its bounds', () => {
    const count = number.countUpTo(10);
    accepts(count, '1', 1);
    for (const raw of ['10', '010', jsonNumber('10'), jsonNumber('1e1')]) accepts(count, raw, 10);
    for (const raw of ['0', '11', '99999999999']) refuses(count, raw, 'fieldOutOfRange');
    for (const raw of ['ten', '1.5', '-1', '+1', '1e1', ' 1', true, []])
      refuses(count, raw, 'fieldInvalid');
  });
  test('[API-06] times, spans and uids are plain digits', () => {
    accepts(number.timestamp(), '1789000000000', 1_789_000_000_000);
    for (const raw of ['1789000000000.5', '-1', 'now', '1'.repeat(16)])
      refuses(number.timestamp(), raw, 'fieldInvalid');
    accepts(number.milliseconds(), '0', 0);
    refuses(number.milliseconds(), '1h', 'fieldInvalid');
    accepts(identifier.uid(), '1000000001', 1_000_000_001);
    refuses(identifier.uid(), '01', 'fieldInvalid');
  });
  test('[API-06] a flag is a JSON boolean or its text', () => {
    accepts(field.flag(), true, true);
    accepts(field.flag(), 'false', false);
    refuses(field.flag(), 'no', 'fieldInvalid');
    refuses(field.flag(), jsonNumber('1'), 'fieldInvalid');
  });
});

describe('texts and ids', () => {
  test('[API-08] a clientOid has up to 32 characters of its alphabet', () => {
    accepts(identifier.clientOid(), 'a'.repeat(32), 'a'.repeat(32));
    accepts(identifier.clientOid(), '.A:/z_9-', '.A:/z_9-');
    for (const raw of ['a'.repeat(33), 'a b', 'ä', 'a#b', 'a\\b', 'a\n'])
      refuses(identifier.clientOid(), raw, 'fieldInvalid');
  });
  test('[API-09] texts have a maximum length and no invisible characters', () => {
    accepts(field.text(3), 'äöü', 'äöü');
    refuses(field.text(3), 'abcd', 'fieldInvalid');
    for (const hidden of ['\u0000', '\n', '\u007f', '\u0085', '\u202e', '\u2066', '\u200f'])
      refuses(field.text(), `a${hidden}b`, 'fieldInvalid');
  });
  test('[LIST-20] a cursor is a whole number in the order of ids, even if no row has that id', () => {
    accepts(identifier.pageCursor(), '1000000000000000042', idFromText('1000000000000000042'));
    for (const before of ['0', '42', '999999999999999999', '1000000000000000000'])
      accepts(identifier.pageCursor(), before, 0);
    for (const after of [
      '1009007199254740991',
      '1009007199254740992',
      '2000000000000000042',
      '9'.repeat(20),
    ])
      accepts(identifier.pageCursor(), after, Number.MAX_SAFE_INTEGER);
    for (const other of ['abc', '-1', '1.5', '1e18', ' 1', '9'.repeat(21)])
      refuses(identifier.pageCursor(), other, 'fieldInvalid');
  });
  test('[API-10] a well-formed id that does not exist matches nothing', () => {
    accepts(identifier.id(), '1000000000000000042', idFromText('1000000000000000042'));
    accepts(identifier.id(), 'id-of-another-user', identifier.ID_OF_NOTHING);
    accepts(identifier.id(), '7', identifier.ID_OF_NOTHING);
    refuses(identifier.id(), 'a b', 'fieldInvalid');
    refuses(identifier.id(), '1'.repeat(65), 'fieldInvalid');
    accepts(identifier.namedUid(), '1000000001', 1_000_000_001);
    for (const none of ['0', '01', 'b0b5a5e1', '9'.repeat(19)])
      accepts(identifier.namedUid(), none, 0);
    for (const raw of ['a b', '1.5', '1'.repeat(65)])
      refuses(identifier.namedUid(), raw, 'fieldInvalid');
    accepts(identifier.idAsGiven(), '7', '7');
    refuses(identifier.idAsGiven(), '7;8', 'fieldInvalid');
  });
});

describe('lists and objects', () => {
  const settings = field.listOf(
    field.objectOf({ symbol: identifier.symbol(), size: field.optional(number.decimal()) }),
    2,
    1,
  );
  test('[API-11] a list has a maximum, and sometimes a minimum', () => {
    const one = objectRaw({ symbol: 'btcusdt' });
    accepts(settings, [one, one], [{ symbol: 'BTCUSDT' }, { symbol: 'BTCUSDT' }]);
    refuses(settings, [one, one, one], 'tooManyItems');
    refuses(settings, [], 'fieldMissing');
    accepts(field.listOf(side, 2), [], []);
    refuses(settings, 'x', 'fieldInvalid');
  });
  test('[API-57] an empty text is not an omitted list', () => {
    const list = field.optional(field.listOf(side, 2));
    accepts(list, undefined, undefined);
    accepts(list, null, undefined);
    refuses(list, '', 'fieldMissing');
    refuses(field.optional(itemsOf({ side }, 2)), '', 'fieldMissing');
  });
  test('[API-06] a refusal names the place in the list', () => {
    const good = objectRaw({ symbol: 'BTCUSDT' });
    refuses(settings, [good, objectRaw({})], 'fieldMissing', 'f[1].symbol');
    refuses(settings, [objectRaw({ symbol: 'BTCUSDT', size: '-1' })], 'fieldInvalid', 'f[0].size');
    refuses(settings, ['x'], 'fieldInvalid', 'f[0]');
  });
});

describe('signed decimals, and lists with a result for each item', () => {
  test('[API-16] a minus sign makes an amount negative; everything else is read as a decimal', () => {
    const signed = number.signedDecimal();
    const input = (amount: string, negative: boolean) => ({
      ok: true,
      value: { amount, negative },
    });
    expect(signed.decode('5', 'amount')).toEqual(input('5', false));
    expect(signed.decode('-0.5', 'amount')).toEqual(input('0.5', true));
    expect(signed.decode(new JsonNumber('-5'), 'amount')).toEqual(input('5', true));
    expect(signed.decode(new JsonNumber('1e-2'), 'amount')).toEqual(input('0.01', false));
    for (const bad of ['--5', '+5', '-', '- 5', '-x', true])
      expect(signed.decode(bad, 'amount')).toEqual({
        ok: false,
        refusal: { reason: 'fieldInvalid', field: 'amount' },
      });
    for (const absent of ['', null, undefined])
      expect(signed.decode(absent, 'amount')).toEqual({
        ok: false,
        refusal: { reason: 'fieldMissing', field: 'amount' },
      });
  });

  test('[API-17] an unreadable item is a refusal in the list and keeps its clientOid', () => {
    const items = itemsOf(
      { size: number.decimal(), clientOid: field.optional(identifier.clientOid()) },
      3,
    );
    const item = (entries: Readonly<Record<string, string>>) => new Map(Object.entries(entries));
    expect(
      items.decode(
        [
          item({ size: '1', clientOid: 'a' }),
          item({ size: 'x', clientOid: 'b' }),
          item({ size: '2', clientOid: 'two words' }),
        ],
        'list',
      ),
    ).toEqual({
      ok: true,
      value: [
        { clientOid: 'a', input: { ok: true, value: { size: '1', clientOid: 'a' } } },
        {
          clientOid: 'b',
          input: { ok: false, refusal: { reason: 'fieldInvalid', field: 'size' } },
        },
        {
          clientOid: 'two words',
          input: { ok: false, refusal: { reason: 'fieldInvalid', field: 'clientOid' } },
        },
      ],
    });
    const refused = (raw: Raw) => {
      const decoded = items.decode(raw, 'list');
      return decoded.ok ? 'accepted' : decoded.refusal.reason;
    };
    const one = item({ size: '1' });
    expect([
      refused([]),
      refused(undefined),
      refused('x'),
      refused(['x']),
      refused([one, one, one]),
      refused([one, one, one, one]),
    ]).toEqual([
      'fieldMissing',
      'fieldMissing',
      'fieldInvalid',
      'fieldInvalid',
      'accepted',
      'batchTooLarge',
    ]);
  });
});
