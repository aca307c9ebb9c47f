/** Refusals of copy trading and of calls of agents. */
import type { ErrorRows } from './error-row.ts';

export const copyAndAgentErrors = {
  unknownLeader: { code: '40860', en: 'The trader does not exist', zh: '交易员不存在' },
  followsHimself: { code: '43063', en: 'You cannot follow yourself', zh: '不能跟随自己' },
  leaderFull: {
    code: '43045',
    en: 'The trader takes no more followers',
    zh: '该交易员的跟随人数已满',
  },
  cannotFollow: {
    code: '31002',
    en: 'The condition is not met[: {detail}]',
    zh: '条件不满足[:{detail}]',
  },
  notLeader: { code: '40732', en: 'You are not a copy trader', zh: '您不是带单交易员' },
  notFollowing: {
    code: '43062',
    en: 'You are not following this trader',
    zh: '您没有跟随该交易员',
  },
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
  unknownTrackedOrder: {
    code: '43065',
    en: 'The tracking number does not exist',
    zh: '跟踪单号不存在',
  },
  copyNotNow: {
    code: '43064',
    en: 'The tracking order is in a wrong state',
    zh: '跟踪订单状态错误',
  },

  notAgent: { code: '40029', en: 'The caller is not an agent', zh: '当前用户不是代理商' },
  notCustomer: {
    code: '70207',
    en: 'The user is not a customer of the caller',
    zh: '用户不是当前代理商的客户',
  },
  unknownReferralCode: {
    code: '40020',
    en: 'Parameter[ {field}] error: no agent has the code[ {detail}]',
    zh: '参数[ {field} ]错误:邀请码[ {detail} ]不存在',
  },
} as const satisfies ErrorRows;
