/** Refusals of trading: unknown names, prices, orders, account settings and isolated margin. */
import type { ErrorRows } from './error-row.ts';

export const tradingErrors = {
  unknownUser: {
    code: { v2: '40034', v3: '25005' },
    en: 'The user[ {detail}] does not exist',
    zh: '用户[ {detail} ]不存在',
  },
  unknownCoin: {
    code: { v2: '40034', v3: '25201' },
    en: 'The coin[ {detail}] does not exist',
    zh: '币种[ {detail} ]不存在',
  },
  unknownSymbol: {
    code: { v2: '40034', v3: '25100' },
    en: 'The symbol[ {detail}] does not exist',
    zh: '交易对[ {detail} ]不存在',
  },
  unknownKey: { code: '40041', en: 'The API key does not exist', zh: 'API Key 不存在' },
  duplicateClientOid: { code: '40786', en: 'Duplicate clientOid', zh: 'clientOid 重复' },
  duplicateContact: {
    code: '40057',
    en: 'Parameter[ {field}] is in use by another user',
    zh: '参数[ {field} ]已被其他用户使用',
  },
  tooManyKeys: {
    code: '40058',
    en: 'The user has too many API keys[, at most {detail}]',
    zh: '用户的 API Key 过多[,最多{detail}个]',
  },
  tooFine: {
    code: '40808',
    en: 'Parameter[ {field}] has too many decimal places',
    zh: '参数[ {field} ]的小数位过多',
  },
  sizeNotPositive: {
    code: '40020',
    en: 'Parameter[ {field}] must be greater than 0',
    zh: '参数[ {field} ]必须大于0',
  },
  balanceLimitExceeded: {
    code: '40053',
    en: 'The balance would be too large[: {field}]',
    zh: '余额将超过可持有的最大值[: {field}]',
  },
  exchangeFull: {
    code: '40058',
    en: 'The exchange cannot keep more of these[: {detail}]',
    zh: '已达到系统可容纳的上限[:{detail}]',
  },

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
  clockMoving: {
    code: '40057',
    en: 'The clock is being moved to {detail}; GET /operator/v1/clock shows its progress',
    zh: '时钟正在移动到 {detail},进度请查询 GET /operator/v1/clock',
  },
  worldOpen: { code: '40057', en: 'The first world has been made already', zh: '初始环境已建立' },
  marketOff: { code: '40057', en: 'The simulated market is off', zh: '模拟行情未开启' },

  symbolClosed: {
    code: { v2: '40308', v3: '25102' },
    en: 'The trading pair is closed for trading[: {detail}]',
    zh: '交易对暂停交易[:{detail}]',
  },
  priceStale: {
    code: { v2: '40308', v3: '25102' },
    en: 'An index price that values the account is stale[: {detail}]',
    zh: '用于账户估值的指数价格已过期[:{detail}]',
  },
  positionSideMismatch: {
    code: { v2: '40774', v3: '25236' },
    en: 'Parameter[ {field}] does not fit the position mode',
    zh: '参数[ {field} ]与持仓模式不符',
  },
  priceOffStep: {
    code: { v2: '45115', v3: '25244' },
    en: 'Parameter[ {field}] must be a multiple of the price step[ {detail}]',
    zh: '参数[ {field} ]必须为价格最小变动单位[ {detail} ]的整数倍',
  },
  sizeOffStep: {
    code: { v2: '22038', v3: '25610' },
    en: 'Parameter[ {field}] must be a multiple of the size step[ {detail}]',
    zh: '参数[ {field} ]必须为数量最小变动单位[ {detail} ]的整数倍',
  },
  sizeTooSmall: {
    code: { v2: '45111', v3: '25207' },
    en: 'Parameter[ {field}] is below the minimum[ {detail}]',
    zh: '参数[ {field} ]低于最小值[ {detail}]',
  },
  sizeTooLarge: {
    code: { v2: '45112', v3: '25208' },
    en: 'Parameter[ {field}] is above the maximum[ {detail}]',
    zh: '参数[ {field} ]高于最大值[ {detail}]',
  },
  priceTooLow: {
    code: { v2: '40816', v3: '25205' },
    en: 'Parameter[ {field}] is below the lower price limit[ {detail}]',
    zh: '参数[ {field} ]低于价格下限[ {detail}]',
  },
  priceTooHigh: {
    code: { v2: '40815', v3: '25206' },
    en: 'Parameter[ {field}] is above the upper price limit[ {detail}]',
    zh: '参数[ {field} ]高于价格上限[ {detail}]',
  },
  noLiquidity: {
    code: { v2: '40824', v3: '25209' },
    en: 'The order book has no opposite orders',
    zh: '暂无对手盘',
  },
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
  nothingToClose: {
    code: { v2: '22002', v3: '25227' },
    en: 'There is no position to close',
    zh: '暂无仓位可平',
  },
  closeTooLarge: {
    code: { v2: '43029', v3: '25231' },
    en: 'The quantity is greater than the position that can be closed',
    zh: '数量大于可平仓位',
  },
  insufficientMargin: {
    code: '40762',
    en: 'The order size is greater than the max open size',
    zh: '下单数量大于最大可开数量',
  },
  insufficientBalance: { code: '43012', en: 'Insufficient balance', zh: '余额不足' },
  unknownOrder: {
    code: { v2: '43001', v3: '25204' },
    en: 'The order does not exist',
    zh: '订单不存在',
  },
  orderIdNeeded: {
    code: '40924',
    en: 'One of orderId and clientOid is required',
    zh: 'orderId 和 clientOid 至少传一个',
  },
  orderNotFound: {
    code: { v2: '40109', v3: '25204' },
    en: 'The order cannot be found',
    zh: '找不到该订单',
  },
  orderNotModifiable: {
    code: { v2: '40812', v3: '25568' },
    en: 'The order cannot be modified[: {detail}]',
    zh: '该订单不能修改[:{detail}]',
  },
  orderUnchanged: {
    code: { v2: '40923', v3: '25571' },
    en: 'The modification changes nothing',
    zh: '修改内容与原订单相同',
  },
  priceAndSizeNeeded: {
    code: '40925',
    en: 'Price and size are modified together',
    zh: '价格和数量必须同时修改',
  },
  noPosition: { code: { v2: '43043', v3: '25227' }, en: 'There is no position', zh: '暂无仓位' },
  notIsolated: {
    code: '40020',
    en: 'Parameter[ {field}] error: the position is not isolated',
    zh: '参数[ {field} ]错误:该仓位不是逐仓',
  },

  leverageOutOfRange: {
    code: { v2: '43050', v3: '25223' },
    en: 'Parameter[ {field}] error: a leverage is a whole number[ from 1 to {detail}]',
    zh: '参数[ {field} ]错误:杠杆倍数必须为[ 1 至 {detail} 的]整数',
  },
  leverageNeedsMargin: {
    code: { v2: '40893', v3: '25228' },
    en: 'The margin does not cover the open positions and orders at this leverage[: {field}]',
    zh: '保证金不足以按此杠杆倍数维持持仓和委托[: {field}]',
  },
  marginNotSpared: {
    code: { v2: '40800', v3: '25203' },
    en: 'Parameter[ {field}] is more than the margin of the position can spare[, at most {detail}]',
    zh: '参数[ {field} ]超过该仓位可减少的保证金[,最多{detail}]',
  },
  marginModeInUse: {
    code: '45117',
    en: 'There is an open position or order, the margin mode cannot be changed',
    zh: '存在持仓或委托,无法切换保证金模式',
  },
  positionModeInUse: {
    code: '40920',
    en: 'There is an open position, order or trigger order, or the account takes part in copy trading: the position mode cannot be changed',
    zh: '存在持仓、委托或计划委托,或账户参与跟单,无法切换持仓模式',
  },

  noIsolatedMargin: {
    code: { v2: '50002', v3: '25100' },
    en: 'The trading pair[ {detail}] has no isolated margin',
    zh: '交易对[ {detail} ]不支持逐仓杠杆',
  },
  coinNotOfPair: {
    code: '50003',
    en: 'The coin[ {detail}] is not one of the trading pair',
    zh: '币种[ {detail} ]不属于该交易对',
  },
  pairBalanceInsufficient: {
    code: '50020',
    en: 'The balance of the isolated account is insufficient',
    zh: '逐仓账户余额不足',
  },
  loanTooLarge: {
    code: '50020',
    en: 'The balance of the isolated account is insufficient for a loan of this size',
    zh: '逐仓账户余额不足以借入该数量',
  },
  nothingOwed: {
    code: '50021',
    en: 'The isolated account has no loan of this coin',
    zh: '逐仓账户没有该币种的借款',
  },
  transferTooLarge: {
    code: '43117',
    en: 'The amount is above what can be transferred[, at most {detail}]',
    zh: '数量超过可划转的最大值[,最多{detail}]',
  },
} as const satisfies ErrorRows;
