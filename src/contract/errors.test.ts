/** The table of refusals is complete, is in both languages, and has the codes that clients know. */
import { describe, expect, test } from 'vitest';
import { REJECTIONS, type RejectionReason } from '../messages/rejections.ts';
import { type Dialect, dialectOf, languageOf } from './dialects.ts';
import { errorCode, errorStatus, errorTable, wireError } from './errors.ts';
import { wireRejection } from './wire-rejections.ts';

/** Messages that a widely used client compares as a whole before it reads the code. */
const TEXTS_COMPARED_BY_CLIENTS = [
  'failure to get a peer from the ring-balancer',
  'invalid sign',
  'invalid currency',
  'invalid symbol',
  'invalid period',
  'invalid user',
  'invalid amount',
  'invalid type',
  'invalid orderid',
  'invalid record',
  'invalid accountid',
  'invalid address',
  'accesskey not null',
  'illegal accesskey',
  'sign not null',
  'req_time is too much difference from server time',
  'permissions not right',
  'illegal sign invalid',
  'user locked',
  'request frequency is too high',
  'more than a daily rate of cash',
  'more than the maximum daily withdrawal amount',
  'need to bind email or mobile',
  'user forbid',
  'user prohibited cash withdrawal',
  'cash withdrawal is less than the minimum value',
  'cash withdrawal is more than the maximum value',
  'the account with in 24 hours ban coin',
  'order cancel fail',
  'base symbol error',
  'base date error',
  'api signature not valid',
  'gateway internal error',
  'audit failed',
  'order queryorder invalid',
  'market no need price',
  'limit need price',
  'userid not equal to account_id',
  'your balance is low',
  'address invalid cointype',
  'system exception',
  'invalid order query time',
  'invalid start time',
  'invalid end time',
];

describe('the table', () => {
  test.each(REJECTIONS)('[API-30] %s has a code and a text in both languages', (reason) => {
    const { en, zh } = errorTable[reason];
    expect(errorCode(reason, 'v2')).toMatch(/^\d{3,5}$/);
    expect(en).toMatch(/^[\x20-\x7e]+$/);
    expect(zh).toMatch(/[\u4e00-\u9fff]/);
    expect(en.match(/\{\w+\}/g) ?? []).toEqual(zh.match(/\{\w+\}/g) ?? []);
    expect(wireError(wireRejection(reason), 'en').msg).not.toMatch(/[{}[\]]|\s{2}|^\s|\s$/);
    expect(wireError(wireRejection(reason, 'f', 'd'), 'zh').msg).not.toMatch(/[{}[\]]|^\s|\s$/);
  });
  test('[API-30] no reason is listed twice, and none has the code of success', () => {
    expect(new Set(REJECTIONS).size).toBe(REJECTIONS.length);
    for (const reason of REJECTIONS) expect(errorCode(reason, 'v2')).not.toBe('00000');
  });

  /** These rows are copied by hand from the specification. */
  const statuses: Partial<Record<RejectionReason, number>> = {
    unknownPath: 404,
    bodyTooLarge: 413,
    permissionMissing: 403,
    addressNotAllowed: 403,
    tooManyRequests: 429,
    notServing: 503,
    operatorTokenWrong: 401,
  };
  test.each(REJECTIONS)('[API-31] %s has its HTTP status', (reason) =>
    expect(errorStatus(reason)).toBe(statuses[reason] ?? 400),
  );

  const codes: readonly (readonly [RejectionReason, string])[] = [
    ['unknownPath', '40404'],
    ['bodyTooLarge', '40017'],
    ['contentTypeNotJson', '40007'],
    ['malformedRequest', '40017'],
    ['fieldMissing', '40019'],
    ['fieldInvalid', '40020'],
    ['fieldOutOfRange', '40053'],
    ['tooManyItems', '40058'],
    ['batchTooLarge', '40306'],
    ['categoriesMixed', '40020'],
    ['oneOfFieldsNeeded', '40913'],
    ['orderIdNeeded', '40924'],
    ['startAfterEnd', '40707'],
    ['keyMissing', '40001'],
    ['signatureMissing', '40002'],
    ['timestampMissing', '40005'],
    ['passphraseMissing', '40011'],
    ['headerTwice', '40017'],
    ['keyUnknown', '40037'],
    ['timestampExpired', '40008'],
    ['passphraseWrong', '40012'],
    ['signatureWrong', '40009'],
    ['addressNotAllowed', '40038'],
    ['permissionMissing', '40014'],
    ['operatorTokenWrong', '40037'],
    ['tooManyRequests', '429'],
    ['notServing', '40015'],
    ['outcomeUnknown', '40010'],
    ['duplicateClientOid', '40786'],
    ['marginModeInUse', '45117'],
    ['positionModeInUse', '40920'],
    ['priceJumpTooLarge', '40020'],
  ];
  test.each(codes)('[API-30] %s is %s in every dialect', (reason, code) => {
    for (const dialect of ['v2', 'v3', 'broker', 'operator'] as const)
      expect(errorCode(reason, dialect)).toBe(code);
  });
});

describe('by path', () => {
  test.each([
    ['unknownSymbol', '40034', '25100'],
    ['unknownCoin', '40034', '25201'],
    ['unknownUser', '40034', '25005'],
    ['leverageOutOfRange', '43050', '25223'],
    ['unknownTrigger', '43025', '25597'],
    ['unknownTpsl', '43020', '25597'],
  ] as const)('[API-32] %s is %s on v2 and %s on v3', (reason, v2, v3) => {
    expect(errorCode(reason, 'v2')).toBe(v2);
    expect(errorCode(reason, 'v3')).toBe(v3);
  });
  test('[API-32] a time span that is too long has its own code for agents', () => {
    expect(errorCode('spanTooLong', 'v2')).toBe('40705');
    expect(errorCode('spanTooLong', 'broker')).toBe('70008');
  });
  test.each<readonly [string, Dialect]>([
    ['/api/v2/mix/order/place-plan-order', 'v2'],
    ['/api/v3/trade/place-batch', 'v3'],
    ['/api/broker/v1/agent/customerList', 'broker'],
    ['/api/v2/broker/rebate-info', 'broker'],
    ['/operator/v1/users', 'operator'],
    ['/nowhere', 'v2'],
  ])('[API-32] %s speaks %s', (path, dialect) => expect(dialectOf(path)).toBe(dialect));
});

describe('words', () => {
  test('[API-33] a text names the field and the limit', () => {
    expect(wireError(wireRejection('fieldMissing', 'symbol'), 'en')).toEqual({
      code: '40019',
      msg: 'Parameter symbol cannot be empty',
      status: 400,
    });
    expect(wireError(wireRejection('fieldMissing', 'symbol'), 'zh').msg).toBe(
      '参数 symbol 不能为空',
    );
    expect(
      wireError(wireRejection('permissionMissing', undefined, 'uta_trade.write'), 'en').msg,
    ).toBe('Incorrect permissions, need uta_trade.write');
    expect(wireError(wireRejection('batchTooLarge', 'body', '20'), 'en').msg).toBe(
      'Too many orders in one batch, at most 20',
    );
  });
  test('[API-33] every reason with code 40020 names the field, in both languages', () => {
    for (const reason of REJECTIONS.filter((each) => errorCode(each, 'v2') === '40020')) {
      expect(wireError(wireRejection(reason, 'index'), 'en').msg).toMatch(
        /^Parameter (index|category) /,
      );
      expect(wireError(wireRejection(reason, 'index'), 'zh').msg).toMatch(
        /^参数 (index|category) /,
      );
    }
  });
  test('[API-33] a text is a whole sentence without field and limit', () => {
    expect(wireError(wireRejection('fieldMissing'), 'en').msg).toBe('Parameter cannot be empty');
    expect(wireError(wireRejection('fieldMissing'), 'zh').msg).toBe('参数不能为空');
    expect(wireError(wireRejection('permissionMissing'), 'en').msg).toBe('Incorrect permissions');
  });
  test('[API-33] a value that fills a text is not read as a pattern', () => {
    expect(wireError(wireRejection('fieldInvalid', '$&', '{field}'), 'en').msg).toBe(
      'Parameter $& error: {field}',
    );
  });
  test('[API-34] no text equals a message that clients compare with', () => {
    for (const reason of REJECTIONS) {
      for (const filled of [wireRejection(reason), wireRejection(reason, 'symbol', '1')]) {
        const msg = wireError(filled, 'en').msg.toLowerCase();
        expect(TEXTS_COMPARED_BY_CLIENTS).not.toContain(msg);
        expect(msg).not.toContain('invalid size, valid range');
      }
    }
  });
  test('[API-35] zh selects Chinese, everything else English', () => {
    for (const locale of ['zh-CN', 'zh', 'ZH-tw', 'zh_HK']) expect(languageOf(locale)).toBe('zh');
    for (const locale of [undefined, '', 'en-US', 'ja-JP', 'x-zh'])
      expect(languageOf(locale)).toBe('en');
  });
});
