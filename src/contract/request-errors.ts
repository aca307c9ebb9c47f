/** Refusals that every call shares: form, authentication, and rate limits. */
import type { ErrorRows } from './error-row.ts';

export const requestErrors = {
  unknownPath: { code: '40404', status: 404, en: 'Request URL not found', zh: '请求的地址不存在' },
  bodyTooLarge: {
    code: '40017',
    status: 413,
    en: 'The request body is too large[, at most {detail} bytes]',
    zh: '请求体过大[,最多{detail}字节]',
  },
  contentTypeNotJson: {
    code: '40007',
    en: 'The Content-Type must be application/json',
    zh: 'Content-Type 必须为 application/json',
  },
  malformedRequest: {
    code: '40017',
    en: 'Parameter verification failed[ {field}][: {detail}]',
    zh: '参数校验失败[ {field}][:{detail}]',
  },
  fieldMissing: {
    code: '40019',
    en: 'Parameter[ {field}] cannot be empty',
    zh: '参数[ {field} ]不能为空',
  },
  fieldInvalid: {
    code: '40020',
    en: 'Parameter[ {field}] error[: {detail}]',
    zh: '参数[ {field} ]错误[:{detail}]',
  },
  fieldOutOfRange: {
    code: '40053',
    en: 'Parameter[ {field}] is out of range[: {detail}]',
    zh: '参数[ {field} ]超出范围[:{detail}]',
  },
  tooManyItems: {
    code: '40058',
    en: 'Parameter[ {field}] has too many items[, at most {detail}]',
    zh: '参数[ {field} ]的项目过多[,最多{detail}个]',
  },
  batchTooLarge: {
    code: '40306',
    en: 'Too many orders in one batch[, at most {detail}]',
    zh: '批量订单数量过多[,最多{detail}个]',
  },
  categoriesMixed: {
    code: '40020',
    en: 'Parameter category error: all orders of one call must share it',
    zh: '参数 category 错误:同一请求的订单必须属于同一类别',
  },
  oneOfFieldsNeeded: {
    code: '40913',
    en: 'One of these parameters must be passed[: {field}]',
    zh: '以下参数至少需传一个[:{field}]',
  },
  startAfterEnd: {
    code: '40707',
    en: 'The start time must not be later than the end time',
    zh: '开始时间不能晚于结束时间',
  },
  spanTooLong: {
    code: { v2: '40705', broker: '70008' },
    en: 'The time span is too long[, at most {detail} days]',
    zh: '时间跨度过长[,最多{detail}天]',
  },
  tooLongAgo: {
    code: '70008',
    en: 'The start time is too long ago[, at most {detail} days]',
    zh: '开始时间过早[,最多{detail}天前]',
  },
  requestTooLate: {
    code: '40078',
    en: 'The request came after its receive window',
    zh: '请求超出 receiveWindow',
  },

  keyMissing: {
    code: '40001',
    en: 'The ACCESS-KEY header is required',
    zh: '请求头 ACCESS-KEY 不能为空',
  },
  signatureMissing: {
    code: '40002',
    en: 'The ACCESS-SIGN header is required',
    zh: '请求头 ACCESS-SIGN 不能为空',
  },
  timestampMissing: {
    code: '40005',
    en: 'The ACCESS-TIMESTAMP header must be Unix time in milliseconds',
    zh: '请求头 ACCESS-TIMESTAMP 必须为毫秒时间戳',
  },
  passphraseMissing: {
    code: '40011',
    en: 'The ACCESS-PASSPHRASE header is required',
    zh: '请求头 ACCESS-PASSPHRASE 不能为空',
  },
  headerTwice: {
    code: '40017',
    en: 'Parameter verification failed: the header[ {field}] was given twice',
    zh: '参数校验失败:请求头[ {field} ]重复',
  },
  keyUnknown: { code: '40037', en: 'The API key does not exist', zh: 'API Key 不存在' },
  timestampExpired: {
    code: '40008',
    en: 'The request timestamp has expired',
    zh: '请求时间戳已过期',
  },
  passphraseWrong: {
    code: '40012',
    en: 'The API key or its passphrase is incorrect',
    zh: 'API Key 或口令不正确',
  },
  signatureWrong: {
    code: '40009',
    en: 'The request signature does not match',
    zh: '请求签名不匹配',
  },
  addressNotAllowed: {
    code: '40038',
    status: 403,
    en: 'The caller address is not on the allow list of this API key',
    zh: '请求地址不在此 API Key 的白名单内',
  },
  operatorTokenWrong: {
    code: '40037',
    status: 401,
    en: 'The operator token is missing or wrong',
    zh: '运营令牌缺失或错误',
  },
  permissionMissing: {
    code: '40014',
    status: 403,
    en: 'Incorrect permissions[, need {detail}]',
    zh: '权限不足[,需要 {detail}]',
  },

  tooManyRequests: {
    code: '429',
    status: 429,
    en: 'Too many requests[, at most {detail} per second]',
    zh: '请求过于频繁[,每秒最多{detail}次]',
  },
  notServing: {
    code: '40015',
    status: 503,
    en: 'The system is not serving now, please try again later',
    zh: '系统暂不可用,请稍后重试',
  },
  outcomeUnknown: { code: '40010', en: 'Request timed out', zh: '请求超时' },
  notOffered: {
    code: '25002',
    en: 'This operation is not offered[: {field}]',
    zh: '暂不支持此操作[:{field}]',
  },

  serviceFailed: { code: '40725', en: 'service return an error', zh: '服务返回错误' },
  unknownError: { code: '45001', en: 'Unknown error', zh: '未知错误' },
  unknownFault: {
    code: '40034',
    en: 'The fault[ {detail}] does not exist',
    zh: '故障[ {detail} ]不存在',
  },
} as const satisfies ErrorRows;
