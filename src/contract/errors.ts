/** The one table from a refusal's reason to what the wire says: code, HTTP status, and the words in both languages. */
import type { Rejection, RejectionReason } from '../messages/rejections.ts';
import type { Dialect, Language } from './dialects.ts';

export interface WireError {
  readonly code: string;
  readonly msg: string;
  readonly status: number;
}

interface ErrorRow {
  readonly code: string | (Readonly<Partial<Record<Dialect, string>>> & { readonly v2: string });
  /** 400 unless said otherwise. */
  readonly status?: number;
  /** `{field}` and `{detail}` are filled in; a part in brackets is left out when what it names is not known. */
  readonly en: string;
  readonly zh: string;
}

/** A reason without a row does not compile. */
export const errorTable: Readonly<Record<RejectionReason, ErrorRow>> = {
  unknownPath: { code: '40404', status: 404, en: 'Request URL not found', zh: '请求的地址不存在' },
  bodyTooLarge: {
    code: '40017',
    status: 413,
    en: 'The request body is too large[, at most {detail} bytes]',
    zh: '请求体过大[,最多{detail}字节]',
  },
  contentTypeNotJson: { code: '40007', en: 'The Content-Type must be application/json', zh: 'Content-Type 必须为 application/json' },
  malformedRequest: { code: '40017', en: 'Parameter verification failed[ {field}][: {detail}]', zh: '参数校验失败[ {field}][:{detail}]' },
  fieldMissing: { code: '40019', en: 'Parameter[ {field}] cannot be empty', zh: '参数[ {field} ]不能为空' },
  fieldInvalid: { code: '40020', en: 'Parameter[ {field}] error[: {detail}]', zh: '参数[ {field} ]错误[:{detail}]' },
  fieldOutOfRange: { code: '40053', en: 'Parameter[ {field}] is out of range[: {detail}]', zh: '参数[ {field} ]超出范围[:{detail}]' },
  tooManyItems: {
    code: '40058',
    en: 'Parameter[ {field}] has too many items[, at most {detail}]',
    zh: '参数[ {field} ]的项目过多[,最多{detail}个]',
  },
  batchTooLarge: { code: '40306', en: 'Too many orders in one batch[, at most {detail}]', zh: '批量订单数量过多[,最多{detail}个]' },
  categoriesMixed: {
    code: '40020',
    en: 'Parameter category error: all orders of one call must share it',
    zh: '参数 category 错误:同一请求的订单必须属于同一类别',
  },
  oneOfFieldsNeeded: { code: '40913', en: 'One of these parameters must be passed[: {field}]', zh: '以下参数至少需传一个[:{field}]' },
  startAfterEnd: { code: '40707', en: 'The start time must not be later than the end time', zh: '开始时间不能晚于结束时间' },
  spanTooLong: {
    code: { v2: '40705', broker: '70008' },
    en: 'The time span is too long[, at most {detail} days]',
    zh: '时间跨度过长[,最多{detail}天]',
  },
  tooLongAgo: { code: '70008', en: 'The start time is too long ago[, at most {detail} days]', zh: '开始时间过早[,最多{detail}天前]' },

  keyMissing: { code: '40001', en: 'The ACCESS-KEY header is required', zh: '请求头 ACCESS-KEY 不能为空' },
  signatureMissing: { code: '40002', en: 'The ACCESS-SIGN header is required', zh: '请求头 ACCESS-SIGN 不能为空' },
  timestampMissing: {
    code: '40005',
    en: 'The ACCESS-TIMESTAMP header must be Unix time in milliseconds',
    zh: '请求头 ACCESS-TIMESTAMP 必须为毫秒时间戳',
  },
  passphraseMissing: { code: '40011', en: 'The ACCESS-PASSPHRASE header is required', zh: '请求头 ACCESS-PASSPHRASE 不能为空' },
  headerTwice: {
    code: '40017',
    en: 'Parameter verification failed: the header[ {field}] was given twice',
    zh: '参数校验失败:请求头[ {field} ]重复',
  },
  keyUnknown: { code: '40037', en: 'The API key does not exist', zh: 'API Key 不存在' },
  timestampExpired: { code: '40008', en: 'The request timestamp has expired', zh: '请求时间戳已过期' },
  passphraseWrong: { code: '40012', en: 'The API key or its passphrase is incorrect', zh: 'API Key 或口令不正确' },
  signatureWrong: { code: '40009', en: 'The request signature does not match', zh: '请求签名不匹配' },
  addressNotAllowed: {
    code: '40038',
    status: 403,
    en: 'The caller address is not on the allow list of this API key',
    zh: '请求地址不在此 API Key 的白名单内',
  },
  permissionMissing: { code: '40014', status: 403, en: 'Incorrect permissions[, need {detail}]', zh: '权限不足[,需要 {detail}]' },
  operatorTokenWrong: { code: '40037', status: 401, en: 'The operator token is missing or wrong', zh: '运营令牌缺失或错误' },

  tooManyRequests: {
    code: '429',
    status: 429,
    en: 'Too many requests[, at most {detail} per second]',
    zh: '请求过于频繁[,每秒最多{detail}次]',
  },
  notServing: { code: '40015', status: 503, en: 'The system is not serving now, please try again later', zh: '系统暂不可用,请稍后重试' },
  outcomeUnknown: { code: '40010', en: 'Request timed out', zh: '请求超时' },
  serviceFailed: { code: '40725', en: 'service return an error', zh: '服务返回错误' },
  unknownError: { code: '45001', en: 'Unknown error', zh: '未知错误' },
  unknownFault: { code: '40034', en: 'The fault[ {detail}] does not exist', zh: '故障[ {detail} ]不存在' },
  notOffered: { code: '25002', en: 'This operation is not offered[: {field}]', zh: '暂不支持此操作[:{field}]' },

  unknownUser: { code: { v2: '40034', v3: '25005' }, en: 'The user[ {detail}] does not exist', zh: '用户[ {detail} ]不存在' },
  unknownCoin: { code: { v2: '40034', v3: '25201' }, en: 'The coin[ {detail}] does not exist', zh: '币种[ {detail} ]不存在' },
  unknownSymbol: { code: { v2: '40034', v3: '25100' }, en: 'The symbol[ {detail}] does not exist', zh: '交易对[ {detail} ]不存在' },
  unknownKey: { code: '40041', en: 'The API key does not exist', zh: 'API Key 不存在' },
  duplicateClientOid: { code: '40786', en: 'Duplicate clientOid', zh: 'clientOid 重复' },
  duplicateContact: { code: '40057', en: 'Parameter[ {field}] is in use by another user', zh: '参数[ {field} ]已被其他用户使用' },
  tooManyKeys: { code: '40058', en: 'The user has too many API keys[, at most {detail}]', zh: '用户的 API Key 过多[,最多{detail}个]' },
  tooFine: { code: '40808', en: 'Parameter[ {field}] has too many decimal places', zh: '参数[ {field} ]的小数位过多' },
  sizeNotPositive: { code: '40020', en: 'Parameter[ {field}] must be greater than 0', zh: '参数[ {field} ]必须大于0' },
  balanceLimitExceeded: { code: '40053', en: 'The balance would be too large[: {field}]', zh: '余额将超过可持有的最大值[: {field}]' },

  priceDerived: {
    code: '40020',
    en: 'Parameter[ {field}] error: the price of this symbol follows from others and cannot be set',
    zh: '参数[ {field} ]错误:该交易对的价格由其他价格推导,不能设置',
  },
  priceJumpTooLarge: {
    code: '40020',
    en: 'Parameter[ {field}] error: the price differs from the last one by more than 30%, pass force to set it',
    zh: '参数[ {field} ]错误:价格与上一价格相差超过30%,如需设置请传 force',
  },
  clockNotForward: {
    code: '40020',
    en: 'Parameter[ {field}] error: the clock can only be moved forward',
    zh: '参数[ {field} ]错误:时钟只能向前移动',
  },

  symbolClosed: {
    code: { v2: '40308', v3: '25102' },
    en: 'The trading pair is closed for trading[: {detail}]',
    zh: '交易对暂停交易[:{detail}]',
  },
  positionSideMismatch: {
    code: { v2: '40774', v3: '25236' },
    en: 'Parameter[ {field}] does not fit the position mode',
    zh: '参数[ {field} ]与持仓模式不符',
  },
  priceOffStep: {
    code: { v2: '45115', v3: '25244' },
    en: 'The price must be a multiple of the price step[ {detail}]',
    zh: '价格必须为最小变动单位[ {detail} ]的整数倍',
  },
  sizeOffStep: {
    code: { v2: '22038', v3: '25610' },
    en: 'The quantity must be a multiple of the size step[ {detail}]',
    zh: '数量必须为最小变动单位[ {detail} ]的整数倍',
  },
  sizeTooSmall: { code: { v2: '45111', v3: '25207' }, en: 'The quantity is below the minimum[ {detail}]', zh: '数量低于最小值[ {detail}]' },
  sizeTooLarge: { code: { v2: '45112', v3: '25208' }, en: 'The quantity is above the maximum[ {detail}]', zh: '数量高于最大值[ {detail}]' },
  priceTooLow: { code: { v2: '40816', v3: '25205' }, en: 'The price is below the lower price limit', zh: '价格低于下限' },
  priceTooHigh: { code: { v2: '40815', v3: '25206' }, en: 'The price is above the upper price limit', zh: '价格高于上限' },
  noLiquidity: { code: { v2: '40824', v3: '25209' }, en: 'There is nobody to trade with', zh: '暂无对手盘' },
  tooManyOpenOrders: {
    code: { v2: '45118', v3: '25211' },
    en: 'The number of open orders has reached the maximum',
    zh: '挂单数量已达上限',
  },
  dailyOrdersReached: {
    code: { v2: '25004', v3: '25004' },
    en: 'The number of orders of this day has reached the maximum',
    zh: '今日下单数量已达上限',
  },
  nothingToClose: { code: { v2: '22002', v3: '25227' }, en: 'There is no position to close', zh: '暂无仓位可平' },
  closeTooLarge: {
    code: { v2: '43029', v3: '25231' },
    en: 'The quantity is greater than the position that can be closed',
    zh: '数量大于可平仓位',
  },
  insufficientMargin: { code: '40762', en: 'The order size is greater than the max open size', zh: '下单数量大于最大可开数量' },
  insufficientBalance: { code: '43012', en: 'Insufficient balance', zh: '余额不足' },
  unknownOrder: { code: { v2: '40768', v3: '25204' }, en: 'The order does not exist', zh: '订单不存在' },
  orderNotNamed: { code: '40924', en: 'One of orderId and clientOid is required', zh: 'orderId 和 clientOid 至少传一个' },
  noPosition: { code: { v2: '43043', v3: '25227' }, en: 'There is no position', zh: '暂无仓位' },
  notIsolated: { code: '40020', en: 'Parameter[ {field}] error: the position is not isolated', zh: '参数[ {field} ]错误:该仓位不是逐仓' },

  leverageOutOfRange: {
    code: { v2: '43050', v3: '25223' },
    en: 'The leverage is out of range[, at most {detail}]',
    zh: '杠杆倍数超出范围[,最大{detail}]',
  },
  leverageNeedsMargin: {
    code: { v2: '40893', v3: '25228' },
    en: 'The margin does not cover the open positions and orders at this leverage',
    zh: '保证金不足以按此杠杆倍数维持持仓和委托',
  },
  marginModeInUse: {
    code: '45117',
    en: 'There is an open position or order, the margin mode cannot be changed',
    zh: '存在持仓或委托,无法切换保证金模式',
  },
  positionModeInUse: {
    code: '40920',
    en: 'There is an open position or order, or the account takes part in copy trading: the position mode cannot be changed',
    zh: '存在持仓或委托,或账户参与跟单,无法切换持仓模式',
  },
  marketOff: { code: '40057', en: 'The simulated market is off', zh: '模拟行情未开启' },
  worldOpen: { code: '40057', en: 'The first world has been made already', zh: '初始环境已建立' },
  exchangeFull: { code: '40058', en: 'The exchange cannot keep more of these[: {detail}]', zh: '已达到系统可容纳的上限[:{detail}]' },
  orderNotFound: { code: { v2: '40109', v3: '25204' }, en: 'The order cannot be found', zh: '找不到该订单' },
  orderIdNeeded: { code: '40924', en: 'Either orderId or clientOid must be passed', zh: 'orderId 与 clientOid 须传其一' },
  noIsolatedMargin: {
    code: { v2: '50002', v3: '25100' },
    en: 'The trading pair[ {detail}] has no isolated margin',
    zh: '交易对[ {detail} ]不支持逐仓杠杆',
  },
  coinNotOfPair: { code: '50003', en: 'The coin[ {detail}] is not one of the trading pair', zh: '币种[ {detail} ]不属于该交易对' },
  pairBalanceInsufficient: { code: '50020', en: 'The balance of the isolated account is insufficient', zh: '逐仓账户余额不足' },
  loanTooLarge: {
    code: '50020',
    en: 'The balance of the isolated account is insufficient for a loan of this size',
    zh: '逐仓账户余额不足以借入该数量',
  },
  nothingOwed: { code: '50021', en: 'The isolated account has no loan of this coin', zh: '逐仓账户没有该币种的借款' },
  transferTooLarge: {
    code: '43117',
    en: 'The amount is above what can be transferred[, at most {detail}]',
    zh: '数量超过可划转的最大值[,最多{detail}]',
  },

  unknownLeader: { code: '40860', en: 'The trader[ {detail}] does not exist', zh: '交易员[ {detail} ]不存在' },
  followsHimself: { code: '43063', en: 'You cannot follow yourself', zh: '不能跟随自己' },
  leaderFull: { code: '43045', en: 'The trader takes no more followers', zh: '该交易员的跟随人数已满' },
  cannotFollow: { code: '31002', en: 'The condition is not met[: {detail}]', zh: '条件不满足[:{detail}]' },
  notLeader: { code: '40732', en: 'You are not a copy trader', zh: '您不是带单交易员' },
  notFollowing: { code: '43062', en: 'You are not following this trader', zh: '您没有跟随该交易员' },
  symbolNotLed: {
    code: '31052',
    en: 'The trading pair[ {detail}] is not opened by the trader',
    zh: '该交易员未开通交易对[ {detail} ]',
  },
  takeProfitRatioOutOfRange: {
    code: '43056',
    en: 'Parameter[ {field}] error: the take-profit ratio is a whole number from 1 to 400',
    zh: '参数[ {field} ]错误:止盈比例须为1至400的整数',
  },
  stopLossRatioOutOfRange: {
    code: '43055',
    en: 'Parameter[ {field}] error: the stop-loss ratio is a whole number from 1 to 400',
    zh: '参数[ {field} ]错误:止损比例须为1至400的整数',
  },
  takeProfitOnWrongSide: {
    code: '31004',
    en: 'The take-profit price is on the wrong side of the current price[ {detail}]',
    zh: '止盈价格位于当前价格[ {detail} ]的错误一侧',
  },
  stopLossOnWrongSide: {
    code: '31005',
    en: 'The stop-loss price is on the wrong side of the current price[ {detail}]',
    zh: '止损价格位于当前价格[ {detail} ]的错误一侧',
  },
  unknownTrackedOrder: { code: '43065', en: 'The tracking number does not exist', zh: '跟踪单号不存在' },
  copyNotNow: { code: '43064', en: 'The tracking order is in a wrong state', zh: '跟踪订单状态错误' },
  notAgent: { code: '40029', en: 'The caller is not an agent', zh: '当前用户不是代理商' },
  unknownReferralCode: {
    code: '40020',
    en: 'Parameter[ {field}] error: no agent has the code[ {detail}]',
    zh: '参数[ {field} ]错误:邀请码[ {detail} ]不存在',
  },
  notCustomer: { code: '70207', en: 'The user is not a customer of the caller', zh: '用户不是当前代理商的客户' },

  coinNotWithdrawn: { code: '13002', en: 'The coin[ {detail}] does not exist', zh: '币种[ {detail} ]不存在' },
  unknownChain: { code: '49050', en: 'The chain[ {detail}] is not supported for this coin', zh: '该币种不支持网络[ {detail}]' },
  withdrawalsHalted: { code: '42015', en: 'Withdrawals of[ {detail}] are suspended', zh: '[{detail} ]暂停提币' },
  chainClosed: { code: '43126', en: 'Withdrawals on this chain are closed[: {detail}]', zh: '该网络暂停提币[:{detail}]' },
  addressInvalid: { code: '47002', en: 'The withdrawal address failed verification', zh: '提币地址校验失败' },
  tagNeeded: { code: '43116', en: 'The chain[ {detail}] needs a valid address tag', zh: '网络[ {detail} ]需要有效的地址标签' },
  withdrawalTooFine: {
    code: '43125',
    en: 'The withdrawal amount has too many decimal places[, at most {detail}]',
    zh: '提币数量的小数位过多[,最多{detail}位]',
  },
  withdrawalOffStep: {
    code: '43124',
    en: 'The withdrawal amount must be a multiple of[ {detail}]',
    zh: '提币数量必须为[ {detail} ]的整数倍',
  },
  withdrawalTooSmall: { code: '43114', en: 'The withdrawal amount is below the minimum[ {detail}]', zh: '提币数量低于最小值[ {detail}]' },
  withdrawalNotAboveFee: {
    code: '43112',
    en: 'The withdrawal amount must exceed the fee[ {detail}]',
    zh: '提币数量必须大于手续费[ {detail}]',
  },
  withdrawalTooLarge: {
    code: '13212',
    en: 'The withdrawal is above the maximum of a single one[, {detail} USD]',
    zh: '单次提币超过最大值[,{detail} USD]',
  },
  dailyLimitExceeded: {
    code: '43113',
    en: 'The withdrawal exceeds the daily limit[ of {detail} USD]',
    zh: '提币超过每日限额[ {detail} USD]',
  },
  transferToSelf: { code: '43121', en: 'The recipient of a transfer must be another user', zh: '不能转账给自己' },
  unknownRecipient: { code: '40034', en: 'The recipient does not exist', zh: '收款人不存在' },
  unknownWithdrawal: { code: { v2: '40768', v3: '25204' }, en: 'The withdrawal does not exist', zh: '提币记录不存在' },
  withdrawalOutOfTurn: { code: '40057', en: 'The withdrawal is past this step or not yet at it', zh: '提币当前状态不允许此操作' },
  secondOperatorNeeded: {
    code: '40057',
    en: 'This operator has approved already, another one is needed[: {detail}]',
    zh: '该操作员已审批,需要另一名操作员[:{detail}]',
  },
  reserveTooSmall: { code: '40937', en: 'The house does not hold enough[ {detail}] for this', zh: '平台持有的[ {detail} ]不足' },
  depositsClosed: { code: '47001', en: 'Deposits on this chain are closed[: {detail}]', zh: '该网络暂停充币[:{detail}]' },
  triggerFieldsConflict: {
    code: '43011',
    en: 'The trigger order parameter[ {field}] breaks a rule[: {detail}]',
    zh: '计划委托参数[ {field} ]不符合规则[:{detail}]',
  },
  tooManyTriggers: {
    code: '40889',
    en: 'The number of trigger orders of this symbol has reached the maximum[ {detail}]',
    zh: '该交易对的计划委托数量已达上限[ {detail}]',
  },
  tooManyTpsl: {
    code: '40890',
    en: 'The number of take-profit and stop-loss orders of this symbol has reached the maximum[ {detail}]',
    zh: '该交易对的止盈止损委托数量已达上限[ {detail}]',
  },
  longTakeProfitTooLow: {
    code: '40830',
    en: 'The take-profit price of a long position must be above the current price[ {detail}]',
    zh: '多仓止盈价必须高于当前价格[ {detail}]',
  },
  shortTakeProfitTooHigh: {
    code: '40832',
    en: 'The take-profit price of a short position must be below the current price[ {detail}]',
    zh: '空仓止盈价必须低于当前价格[ {detail}]',
  },
  longStopLossTooHigh: {
    code: '40834',
    en: 'The stop-loss price of a long position must be below the current price[ {detail}]',
    zh: '多仓止损价必须低于当前价格[ {detail}]',
  },
  shortStopLossTooLow: {
    code: '40836',
    en: 'The stop-loss price of a short position must be above the current price[ {detail}]',
    zh: '空仓止损价必须高于当前价格[ {detail}]',
  },
  longTakeProfitBelowMark: {
    code: '40915',
    en: 'The take-profit price of a long position must be above the mark price[ {detail}]',
    zh: '多仓止盈价必须高于标记价格[ {detail}]',
  },
  shortTakeProfitAboveMark: {
    code: '45135',
    en: 'The take-profit price of a short position must be below the mark price[ {detail}]',
    zh: '空仓止盈价必须低于标记价格[ {detail}]',
  },
  longStopLossAboveMark: {
    code: '40917',
    en: 'The stop-loss price of a long position must be below the mark price[ {detail}]',
    zh: '多仓止损价必须低于标记价格[ {detail}]',
  },
  shortStopLossBelowMark: {
    code: '45122',
    en: 'The stop-loss price of a short position must be above the mark price[ {detail}]',
    zh: '空仓止损价必须高于标记价格[ {detail}]',
  },
  takeProfitExists: { code: { v2: '43030', v3: '25594' }, en: 'The position has a take-profit order already', zh: '该仓位已有止盈委托' },
  stopLossExists: { code: { v2: '43031', v3: '25594' }, en: 'The position has a stop-loss order already', zh: '该仓位已有止损委托' },
  unknownTrigger: { code: { v2: '43025', v3: '25597' }, en: 'The trigger order does not exist', zh: '计划委托不存在' },
  orderNotModifiable: {
    code: { v2: '40812', v3: '25568' },
    en: 'The order cannot be modified[: {detail}]',
    zh: '该订单不能修改[:{detail}]',
  },
  orderUnchanged: { code: { v2: '40923', v3: '25571' }, en: 'The modification changes nothing', zh: '修改内容与原订单相同' },
  priceAndSizeNeeded: { code: '40925', en: 'Price and size are modified together', zh: '价格和数量必须同时修改' },
  requestTooLate: { code: '40078', en: 'The request came after its receive window', zh: '请求超出 receiveWindow' },
  unknownTpsl: { code: { v2: '43020', v3: '25597' }, en: 'The take-profit or stop-loss order does not exist', zh: '止盈止损委托不存在' },
};

const BRACKETED = /\[([^\]]*)\]/g;

/** Fills a text in: bracketed parts whose value is not known disappear. */
function fillIn(text: string, { field, detail }: Rejection): string {
  const known = text.replace(BRACKETED, (_, part: string) => {
    if (part.includes('{field}') && field === undefined) return '';
    if (part.includes('{detail}') && detail === undefined) return '';
    return part;
  });
  return known
    .replaceAll('{field}', () => field ?? '')
    .replaceAll('{detail}', () => detail ?? '')
    .trim();
}

export function errorCode(reason: RejectionReason, dialect: Dialect): string {
  const { code } = errorTable[reason];
  return typeof code === 'string' ? code : (code[dialect] ?? code.v2);
}

export const errorStatus = (reason: RejectionReason): number => errorTable[reason].status ?? 400;

/** What the wire says about a refusal. */
export const wireError = (rejection: Rejection, language: Language, dialect: Dialect = 'v2'): WireError => ({
  code: errorCode(rejection.reason, dialect),
  msg: fillIn(errorTable[rejection.reason][language], rejection),
  status: errorStatus(rejection.reason),
});
